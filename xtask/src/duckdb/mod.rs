//! The extension of `DuckDB`: built and stamped.

mod footer;

use std::path::PathBuf;
use std::process::Command;

use crate::built::target_folder;
use crate::done::{Done, root, succeed};

/// Builds the extension of this machine's platform as optimised code, and writes it beside the program.
pub(crate) fn build() -> Done {
    let path = built()?;
    println!("{}", path.display());
    Ok(())
}

/// As [`build`]; returns its path.
pub(crate) fn built() -> Done<PathBuf> {
    let mut cargo = Command::new("cargo");
    cargo.args(["rustc", "--release", "-p", "etwkit-duckdb", "--lib"]);
    // Line tables are most of the file. Only the last step is passed on, so that nothing is built twice.
    cargo.args(["--", "-C", "strip=symbols"]).current_dir(root());
    succeed(&mut cargo)?;
    let folder = target_folder().join("release");
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let library = std::fs::read(folder.join(format!("{prefix}etwkit_duckdb{suffix}")))?;
    // The name of the file is that of the function by which it is entered.
    let path = folder.join("etwkit.duckdb_extension");
    std::fs::write(&path, footer::stamped(&library, &platform(), env!("CARGO_PKG_VERSION"))?)?;
    Ok(path)
}

/// Returns `DuckDB`'s name of the platform that this was built for.
fn platform() -> String {
    let system = match std::env::consts::OS {
        "macos" => "osx",
        other => other,
    };
    let processor = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    let libc = if cfg!(target_env = "musl") { "_musl" } else { "" };
    format!("{system}_{processor}{libc}")
}
