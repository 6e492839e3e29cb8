//! Other engines read what `etwkit export` writes, and `DuckDB` reads traces by the extension.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::done::{Done, root};
use crate::duckdb;

/// The engines, from `PyPI`.
const ENGINES: [&str; 5] = ["pyarrow", "pandas", "polars", "duckdb", "pytz"];

/// Versions of `DuckDB` that load the extension.
const DUCKDB: [&str; 3] = ["1.4", "1.5", "2.0"];

/// Installs the engines into a folder of the build, exports all fixtures and the real traces, and lets the engines compare
/// them with JSON lines. Skipped where there is no Python or no `PyPI`.
pub(crate) fn check() -> Done {
    let Some(python) = environment("engines", &ENGINES)? else { return Ok(()) };
    succeed(Command::new(python).arg(script("check.py")).arg(program()?).args(traces()?))?;
    check_duckdb()
}

/// The same for the extension alone, in each version.
pub(crate) fn check_duckdb() -> Done {
    let (program, extension, traces) = (program()?, duckdb::built()?, traces()?);
    for version in DUCKDB {
        let package = format!("duckdb=={version}.*");
        let Some(python) = environment(&format!("engines-duckdb-{version}"), &[&package, "pytz"])? else {
            return Ok(());
        };
        let mut check = Command::new(python);
        succeed(check.arg(script("duckdb_check.py")).arg(&program).arg(&extension).args(&traces))?;
    }
    Ok(())
}

/// Builds the program and returns its path.
fn program() -> Result<PathBuf, Box<dyn std::error::Error>> {
    succeed(Command::new("cargo").args(["build", "--release", "-p", "etwkit-cli"]).current_dir(root()))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    Ok(target.join("release/etwkit"))
}

fn script(name: &str) -> PathBuf {
    root().join("xtask/engines").join(name)
}

/// Returns all fixtures and the real traces.
fn traces() -> Result<Vec<PathBuf>, Box<dyn std::error::Error>> {
    let mut traces: Vec<PathBuf> = etwkit_corpus::traces().into_iter().map(|(_, path)| path).collect();
    for entry in std::fs::read_dir(root().join("fixtures"))? {
        traces.extend(Some(entry?.path()).filter(|path| path.extension().is_some_and(|kind| kind == "etl")));
    }
    traces.sort();
    Ok(traces)
}

/// Returns the Python of a folder of the build that has some packages.
fn environment(name: &str, packages: &[&str]) -> Result<Option<PathBuf>, Box<dyn std::error::Error>> {
    let folder = root().join("target").join(name);
    let python = folder.join("bin/python");
    if !python.exists() && !is_made(&folder) {
        eprintln!("!!!! SKIPPED: there is no python3 with venv !!!!");
        return Ok(None);
    }
    let installed = Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(packages).status()?;
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

fn succeed(command: &mut Command) -> Done {
    if command.status()?.success() { Ok(()) } else { Err(format!("{command:?} failed").into()) }
}
