//! The result of a task, and where a task works.

use std::path::{Path, PathBuf};

/// What a task yields, or the error that ends it.
pub(crate) type Done<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// The folder of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
