//! The program with `Ballista`'s scheduler, executor and client, a workspace of its own.

use std::path::PathBuf;
use std::process::Command;

use crate::built::target_folder;
use crate::done::{Done, root};

/// Builds the program, not optimised, into a folder of the build, and returns its path. `None`, with the reason printed,
/// where it cannot be built.
pub(crate) fn built() -> Done<Option<PathBuf>> {
    let folder = target_folder().join("ballista");
    let mut build = Command::new("cargo");
    build.args(["build", "--locked", "--manifest-path"]).arg(root().join("xtask/engines/ballista/Cargo.toml"));
    // Facts for debuggers would be gigabytes.
    build.env("CARGO_TARGET_DIR", &folder).env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_INCREMENTAL", "0");
    if !build.status()?.success() {
        eprintln!("!!!! SKIPPED: Ballista cannot be built !!!!");
        return Ok(None);
    }
    Ok(Some(folder.join("debug/etwkit-ballista-check")))
}
