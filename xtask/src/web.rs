//! The viewer: the engine built for WebAssembly, and the page around it.

mod page;

use std::path::PathBuf;
use std::process::Command;

use crate::built::{program, target_folder, traces};
use crate::done::{Done, root, succeed};

const TARGET: &str = "wasm32-unknown-unknown";

/// Bytes that the page may have.
const MOST: usize = 4_000_000;

/// Builds `etwkit-viewer.html` and the folder `viewer` for web servers into the target folder, and returns the path of the
/// file. Skipped where the standard library for WebAssembly is missing and cannot be installed.
pub(crate) fn build() -> Done<Option<PathBuf>> {
    let Some(wasm) = engine()? else {
        eprintln!("!!!! SKIPPED: the Rust target {TARGET} is not installed: rustup target add {TARGET} !!!!");
        return Ok(None);
    };
    let page = page::one_file(&wasm)?;
    if page.len() > MOST {
        return Err(format!("the page has {} bytes, of which at most {MOST} are allowed", page.len()).into());
    }
    let file = target_folder().join("etwkit-viewer.html");
    std::fs::write(&file, &page)?;
    println!("{} bytes in {}", page.len(), file.display());
    let folder = target_folder().join("viewer");
    std::fs::create_dir_all(&folder)?;
    for (name, bytes) in page::folder(wasm)? {
        std::fs::write(folder.join(name), bytes)?;
    }
    Ok(Some(file))
}

/// Builds it, and compares the JSON lines of its engine under Node with those of the program, for all fixtures and the real
/// traces.
pub(crate) fn check() -> Done {
    let is_built = build()?.is_some();
    let engine = engine_file();
    if !is_built || !Command::new("node").arg("--version").status().is_ok_and(|status| status.success()) {
        eprintln!("!!!! SKIPPED: comparing the viewer's engine needs the target {TARGET} and Node !!!!");
        return Ok(());
    }
    let mut compare = Command::new("node");
    succeed(compare.arg(root().join("xtask/web/equal.mjs")).arg(engine).arg(program()?).args(traces()?))
}

/// The engine that cargo builds.
fn engine_file() -> PathBuf {
    target_folder().join(TARGET).join("web/etwkit_web.wasm")
}

/// Builds the engine; `None` if there is no standard library for it.
fn engine() -> Result<Option<Vec<u8>>, Box<dyn std::error::Error>> {
    if !has_target()? {
        return Ok(None);
    }
    let cargo = ["rustc", "--package", "etwkit-web", "--crate-type", "cdylib", "--profile", "web", "--target", TARGET];
    succeed(Command::new("cargo").args(cargo).current_dir(root()))?;
    Ok(Some(std::fs::read(engine_file())?))
}

/// Returns whether the standard library is there, and asks rustup for it otherwise.
fn has_target() -> Result<bool, Box<dyn std::error::Error>> {
    let output = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output()?;
    let folder = PathBuf::from(String::from_utf8(output.stdout)?.trim());
    if folder.is_dir() {
        return Ok(true);
    }
    let added = Command::new("rustup").args(["target", "add", TARGET]).status();
    Ok(added.is_ok_and(|status| status.success()))
}
