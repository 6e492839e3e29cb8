//! What the name of an output decides.

use std::path::Path;

use clap::ValueEnum;

/// Returns the form that a file's extension names, in any letter case.
pub(crate) fn named_by<F: ValueEnum>(path: &Path) -> Option<F> {
    F::from_str(path.extension()?.to_str()?, true).ok()
}
