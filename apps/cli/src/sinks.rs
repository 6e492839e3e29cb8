//! The output formats of `dump`.

mod counted;
mod placeholder;

pub(crate) use counted::Counted;
// Swap for `etwkit::render` when it is there.
pub(crate) use placeholder::{JsonLines, TextLines};
