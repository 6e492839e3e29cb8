//! The executor: runs a schema over a payload. There is no other decoding path.
//!
//! [`Event::locate`] finds where each top-level field lies; after that a field is looked at on demand. The same code walks
//! into arrays and structs and hands their values to a [`Visitor`].

mod event;
mod fit;
mod run;
mod share;
mod stack;
mod subject;
mod value;

pub use event::{Event, FieldView, Scratch};
pub use fit::Fit;
pub use run::Visitor;
pub use stack::StackFound;
pub use subject::Attribution;
pub use value::Value;
