//! Parts of events as text: values, JSON objects, messages.
//!
//! [`value`] turns one value into text by its field's presentation; everything else is built on it. Output goes into
//! byte vectors that are used again, so that nothing is allocated per event.

pub(crate) mod escape;
mod field;
pub(crate) mod json;
pub(crate) mod message;
mod printf;
mod style;
pub mod time;
pub mod value;
pub(crate) mod zone;

pub use json::write_json_value;
pub use message::{push_message, write_message};
pub use style::Style;
pub use zone::Zone;
