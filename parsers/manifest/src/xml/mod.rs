//! The text of an instrumentation manifest as [`Provider`]s.
//!
//! | module | owns |
//! |---|---|
//! | `text` | UTF-8 or UTF-16 bytes as text |
//! | `lexical` | numbers, and errors in a line |
//! | `tree` | the text as a tree of elements |
//! | `strings` | string tables, `$(string.x)` |
//! | `provider` | a provider with its tasks, opcodes, levels, keywords, channels, events, maps |
//! | `template` | templates |
//! | `user_data` | the elements of `UserData` in a template |

mod lexical;
mod provider;
mod strings;
mod template;
mod text;
mod tree;
mod user_data;

use etwkit::error::Result;

use crate::model::Provider;

use strings::Strings;
pub(crate) use text::MAX_MANIFEST;
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
