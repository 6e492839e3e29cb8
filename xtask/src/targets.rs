//! Whether the libraries compile for other systems.

use std::path::Path;
use std::process::Command;

use crate::Done;

/// Targets that the libraries promise to compile for.
const TARGETS: [&str; 4] =
    ["wasm32-unknown-unknown", "i686-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "x86_64-pc-windows-gnu"];

/// Libraries of users; each brings the ones below it.
const PACKAGES: [&str; 3] = ["etwkit", "etwkit-parsers", "etwkit-windows-formats"];

/// Checks every package for every target. A target whose standard library is not installed is skipped, loudly.
pub(crate) fn check() -> Done {
    for target in TARGETS {
        if !is_installed(target)? {
            eprintln!("!!!! SKIPPED: {target} is not installed (`rustup target add {target}`) !!!!");
            continue;
        }
        let packages = PACKAGES.iter().flat_map(|package| ["-p", package]);
        let status = Command::new("cargo").args(["check", "--quiet", "--target", target]).args(packages).status()?;
        if !status.success() {
            return Err(format!("the libraries do not compile for {target}").into());
        }
        println!("{target}: the libraries compile");
    }
    Ok(())
}

fn is_installed(target: &str) -> Done<bool> {
    let output = Command::new("rustc").args(["--print", "target-libdir", "--target", target]).output()?;
    Ok(output.status.success() && Path::new(String::from_utf8(output.stdout)?.trim()).is_dir())
}
