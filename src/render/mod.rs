//! Parts of events as text: values, JSON objects, messages.
//!
//! [`value`] turns one value into text by its field's presentation; everything else is built on it. Output goes into
//! byte vectors that are used again, so that nothing is allocated per event.
//!
//! Traces contain untrusted text: what goes to a terminal passes through [`terminal`].

mod address;
pub mod csv;
pub(crate) mod dates;
pub(crate) mod escape;
mod field;
mod grouped;
pub(crate) mod json;
pub(crate) mod members;
mod message;
pub(crate) mod nesting;
// For the crates of this workspace.
#[cfg(feature = "output")]
#[doc(hidden)]
pub mod pen;
#[cfg(feature = "output")]
pub(crate) mod plan;
mod printf;
mod style;
pub mod terminal;
pub mod time;
pub mod value;
mod zone;

pub use grouped::grouped;
pub use json::write_json_value;
pub use message::{Inserts, PushValue, push_insert, push_message, push_message_in, push_message_with, write_message};
pub use style::Style;
pub use zone::Zone;
