//! The result of a task, and where a task works.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What a task yields, or the error that ends it.
pub(crate) type Done<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// The folder of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs a program that must succeed.
pub(crate) fn succeed(command: &mut Command) -> Done {
    if command.status()?.success() { Ok(()) } else { Err(format!("{command:?} failed").into()) }
}
