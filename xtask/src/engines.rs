//! Other engines read what `etwkit export` writes.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::done::{Done, root, succeed};
use crate::wheel;

/// The engines, from `PyPI`.
const ENGINES: [&str; 5] = ["pyarrow", "pandas", "polars", "duckdb", "pytz"];
/// What builds and tests the Python package.
const TOOLS: [&str; 2] = ["maturin>=1.9,<2", "pytest"];

/// Installs the engines into a folder of the build, exports all fixtures and the real traces, and lets the engines compare
/// them with JSON lines; then builds and tests the Python package. Skipped where there is no Python or no `PyPI`.
pub(crate) fn check() -> Done {
    let Some(python) = environment()? else { return Ok(()) };
    succeed(Command::new("cargo").args(["build", "--release", "-p", "etwkit-cli"]).current_dir(root()))?;
    let mut traces: Vec<PathBuf> = etwkit_corpus::traces().into_iter().map(|(_, path)| path).collect();
    for entry in std::fs::read_dir(root().join("fixtures"))? {
        traces.extend(Some(entry?.path()).filter(|path| path.extension().is_some_and(|kind| kind == "etl")));
    }
    traces.sort();
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let script = root().join("xtask/engines/check.py");
    let program = target.join("release/etwkit");
    succeed(Command::new(&python).arg(script).arg(&program).args(traces))?;
    wheel::check(&python, &target, &program)
}

/// Returns the Python that has the engines.
fn environment() -> Result<Option<PathBuf>, Box<dyn std::error::Error>> {
    let folder = root().join("target/engines");
    let python = folder.join("bin/python");
    if !python.exists() && !is_made(&folder) {
        eprintln!("!!!! SKIPPED: there is no python3 with venv !!!!");
        return Ok(None);
    }
    let installed =
        Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(ENGINES).args(TOOLS).status()?;
    if !installed.success() {
        eprintln!("!!!! SKIPPED: PyPI cannot be reached !!!!");
        return Ok(None);
    }
    Ok(Some(python))
}

fn is_made(folder: &Path) -> bool {
    let made = Command::new("python3").args(["-m", "venv"]).arg(folder).status();
    made.is_ok_and(|status| status.success())
}
