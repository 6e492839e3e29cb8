//! What tasks build and compare with: the program, and traces.

use std::path::PathBuf;
use std::process::Command;

use crate::done::{Done, root, succeed};

/// Returns where cargo builds.
pub(crate) fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Builds the program and returns its path.
pub(crate) fn program() -> Done<PathBuf> {
    succeed(Command::new("cargo").args(["build", "--release", "-p", "etwkit-cli"]).current_dir(root()))?;
    Ok(target_folder().join("release/etwkit"))
}

/// Returns all `.etl` fixtures and the real traces.
pub(crate) fn traces() -> Done<Vec<PathBuf>> {
    let mut traces: Vec<PathBuf> = etwkit_corpus::traces().into_iter().map(|(_, path)| path).collect();
    for entry in std::fs::read_dir(root().join("fixtures"))? {
        traces.extend(Some(entry?.path()).filter(|path| path.extension().is_some_and(|kind| kind == "etl")));
    }
    traces.sort();
    Ok(traces)
}
