//! Numbers of a manifest, and errors in its text.

use etwkit::error::{Error, ErrorKind};

/// An error in a line of the text.
pub(super) fn syntax(line: u32, detail: impl Into<String>) -> Error {
    Error::new(ErrorKind::Syntax { line, detail: detail.into() })
}

/// Returns a number as manifests write them: decimal, or hexadecimal after `0x`.
pub(super) fn number(text: &str) -> Option<u64> {
    let text = text.trim();
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    hex.map_or_else(|| text.parse(), |hex| u64::from_str_radix(hex, 16)).ok()
}
