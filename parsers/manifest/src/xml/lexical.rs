//! Numbers of a manifest, and errors in its text.

use etwkit::error::{Error, ErrorKind};

/// An error in a line of the text.
pub(super) fn syntax(line: u32, detail: impl Into<String>) -> Error {
    Error::new(ErrorKind::Syntax { line, detail: detail.into() })
}

/// Returns a number as manifests write them, with blanks around it.
pub(super) fn number(text: &str) -> Option<u64> {
    etwkit::bytes::number(text.trim())
}
