//! Where symbol files are looked for.

mod candidate;
mod finder;
mod folder;
mod listing;
mod path;

pub(crate) use candidate::{Candidate, unpacked};
pub(crate) use finder::Finder;
pub use folder::may_name_code;
pub use path::SearchPath;
