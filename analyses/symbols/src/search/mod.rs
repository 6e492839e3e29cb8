//! Where symbol files are looked for.

mod candidate;
mod finder;
mod folder;
mod listing;
mod path;

pub(crate) use candidate::Candidate;
pub(crate) use finder::Finder;
pub use path::SearchPath;
