//! The readable form of schemas; `docs/schema-text.md` describes its grammar.
//!
//! [`parse()`] and [`print()`] are each other's inverse. The grammar of the small things (words, numbers, types) is
//! written with nom; statements and fields are loops over it, so that no text can make them recurse.

mod attributes;
mod budget;
mod context;
mod event_place;
mod fault;
mod fields;
mod input;
mod lex;
mod maps;
mod outline;
mod parse;
mod print;
mod print_fields;
mod quoted;
#[cfg(test)]
mod round_trip;
mod skim;
#[cfg(test)]
mod tests;
mod types;
mod user_data;
mod words;

pub(super) use outline::{Outline, Section};
pub use print::print;
pub(super) use skim::guids;

use crate::error::{Error, Result};
use crate::limits;

use super::{Origin, SchemaEntry, SchemaSource};

/// Reads a text that a user gave: the origin of its schemas is [`SchemaSource::USER`] where it does not state another.
///
/// Errors are [`crate::ErrorKind::Syntax`] with the line; only a text that is too long as a whole is
/// [`crate::ErrorKind::Limit`].
///
/// ```
/// let entries = etwkit::schema::text::parse(r#"
///     provider "Windows Kernel" {9e814aad-3204-11d2-9a82-006008a86939}
///     class Process {3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c}
///     event opcode 1 Start, 2 Stop version 3 {
///       ProcessID  u32 as pid
///     }
/// "#)?;
/// assert_eq!(entries.len(), 2);
/// assert_eq!(entries[0].schema.names().full().as_deref(), Some("Process/Start"));
/// # Ok::<(), etwkit::Error>(())
/// ```
pub fn parse(text: &str) -> Result<Vec<SchemaEntry>> {
    parse_with_origin(text, SchemaSource::USER.into())
}

/// Reads a text from elsewhere, such as a built-in table: like [`parse`] with another origin.
pub fn parse_with_origin(text: &str, origin: Origin) -> Result<Vec<SchemaEntry>> {
    if text.len() > limits::MAX_TEXT {
        return Err(Error::limit("bytes of a schema text", limits::MAX_TEXT));
    }
    parse::Statements::new(text, origin).entries().map_err(|fault| fault.into_error(text))
}
