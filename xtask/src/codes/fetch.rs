//! The crates that the tables are made of, downloaded by cargo.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::done::{Done, root};

/// The crates and the versions that the committed tables were made of.
pub(super) const CRATES: [(&str, &str); 3] =
    [("windows-sys", "0.61.2"), ("windows-default", "0.100.0"), ("ntapi", "0.4.3")];

/// The folder `target/codes` with a folder for each crate, downloaded if they are not there.
pub(super) fn folder() -> Done<PathBuf> {
    let folder = root().join("target/codes");
    let crates = folder.join("crates");
    if CRATES.iter().all(|(name, _)| crates.join(name).is_dir()) {
        return Ok(crates);
    }
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("src/lib.rs"), "")?;
    fs::write(folder.join("Cargo.toml"), manifest())?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo).args(["vendor", "--quiet", "crates"]).current_dir(&folder).status()?;
    if status.success() { Ok(crates) } else { Err("cargo could not download the crates".into()) }
}

/// A package that depends on the crates and is not a member of this workspace.
fn manifest() -> String {
    let mut text = String::from("[package]\nname = \"codes\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n");
    for (name, version) in CRATES {
        let _ = writeln!(text, "{name} = {{ version = \"={version}\", default-features = false }}");
    }
    text
}
