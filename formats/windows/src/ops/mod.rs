//! Fields that go from the payload into the output: how each field of a schema is read and shown is decided once.
//!
//! | module | owns |
//! |---|---|
//! | `field_op` | how one field is read and shown |
//! | `field_ops` | the fields of a schema |
//! | `integer` | integers |
//! | `labels` | the names of their values |
//! | `tags` | what is around a value |
//!
//! The engine finds where fields are ([`etwkit::decode::PlacedFields`]). A format gives how texts are escaped
//! ([`OpEscape`]), and hands what is rare to the executor.

mod field_op;
mod field_ops;
mod integer;
mod labels;
mod tags;

pub(crate) use field_op::{FieldOp, Looks, OpEscape};
pub(crate) use field_ops::FieldOps;
pub(crate) use integer::{Form, Forms};
pub(crate) use labels::Labels;
pub(crate) use tags::Tags;
