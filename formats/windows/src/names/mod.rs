//! The names of events and fields in Windows' reports, where schemas use other names.

mod alias;
mod fields;
mod kernel;
mod value_names;

pub use alias::{Alias, Aliases, FieldAppearance};
pub(crate) use fields::{OfSchema, fields, is_file_header, is_numbered, numbered, reported_field, whole};
pub(crate) use value_names::ValueNames;
