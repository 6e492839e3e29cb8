//! The text of an instrumentation manifest as [`Provider`]s.
//!
//! | module | owns |
//! |---|---|
//! | `text` | UTF-8 or UTF-16 bytes as text |
//! | `tree` | the text as a tree of elements |
//! | `strings` | string tables, `$(string.x)` |
//! | `provider` | a provider with its tasks, opcodes, levels, keywords, channels, events, maps |
//! | `template` | templates |
//! | `user_data` | the elements of `UserData` in a template |

mod provider;
mod strings;
mod template;
mod text;
mod tree;
mod user_data;

use etwkit::error::{Error, ErrorKind, Result};

use crate::model::Provider;

use strings::Strings;
use tree::Element;

/// Reads all providers of a manifest. The bytes are UTF-8 or UTF-16, with or without a byte order mark.
pub fn parse(bytes: &[u8]) -> Result<Vec<Provider>> {
    let text = text::decode(bytes)?;
    let root = Element::parse(&text)?;
    let strings = Strings::new(&root);
    let mut providers = Vec::new();
    for events in root.all("events") {
        for element in events.children("provider") {
            providers.push(provider::compile(element, &strings)?);
        }
    }
    Ok(providers)
}

/// Returns an error in a line of the text.
fn syntax(line: u32, detail: impl Into<String>) -> Error {
    Error::new(ErrorKind::Syntax { line, detail: detail.into() })
}

/// Returns a number as manifests write them: decimal, or hexadecimal after `0x`.
fn number(text: &str) -> Option<u64> {
    let text = text.trim();
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    hex.map_or_else(|| text.parse(), |hex| u64::from_str_radix(hex, 16)).ok()
}
