//! TMF text: what tracepdb makes of a PDB, and what WPP puts into it (section 12.2).
//!
//! A text is a list of [`TmfEntry`]s, most of them one line; nothing is dropped, so that `parse(x).to_string()` has the
//! content of `x`.

mod model;
mod parse;
mod print;

pub use model::{Argument, BodyLine, Definition, EnumValue, Enumeration, Group, Item, Keyword, Tmf, TmfEntry, Trailer};
pub use parse::parse;

pub(crate) use model::number;
