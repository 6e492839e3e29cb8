//! Other engines read what `etwkit export` writes, and `DuckDB` reads traces by the extension.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::built::{program, target_folder, traces};
use crate::done::{Done, root, succeed};
use crate::{ballista, duckdb, wheel};

/// The engines, from `PyPI`.
const ENGINES: [&str; 5] = ["pyarrow", "pandas", "polars", "duckdb", "pytz"];
/// Those of many traces.
const FLEET: [&str; 4] = ["pyspark>=4,<5", "ray[data]", "dask[dataframe]", "fsspec"];
/// What runs the notebook.
const NOTEBOOK: [&str; 3] = ["nbclient", "ipykernel", "matplotlib"];
/// What builds and tests the Python package.
const TOOLS: [&str; 2] = ["maturin>=1.9,<2", "pytest"];

/// Versions of `DuckDB` that load the extension.
const DUCKDB: [&str; 3] = ["1.4", "1.5", "2.0"];

/// Installs the engines into a folder of the build, exports all fixtures and the real traces, and lets the engines compare
/// them with JSON lines; then builds and tests the extension of `DuckDB` and the Python package, lets Spark read with it,
/// and, if told to, `Ballista`, which takes long to build. Skipped where there is no Python or no `PyPI`.
pub(crate) fn check(with_ballista: bool) -> Done {
    let packages = [ENGINES.as_slice(), &FLEET, &NOTEBOOK, &TOOLS].concat();
    let Some(python) = environment("engines", &packages)? else { return Ok(()) };
    let program = program()?;
    succeed(Command::new(&python).arg(script("check.py")).arg(&program).args(traces()?))?;
    check_duckdb()?;
    wheel::check(&python, &target_folder(), &program)?;
    check_spark(&python, &program)?;
    if !with_ballista {
        eprintln!("!!!! SKIPPED: Ballista, as told !!!!");
        return Ok(());
    }
    check_ballista()
}

/// Lets a cluster of Spark on this machine read all traces by the data source of the wheel.
fn check_spark(python: &Path, program: &Path) -> Done {
    if Command::new("java").arg("-version").output().is_err() {
        eprintln!("!!!! SKIPPED: there is no Java for Spark !!!!");
        return Ok(());
    }
    succeed(Command::new(python).arg(script("spark_check.py")).arg(program).args(traces()?))
}

/// Lets a cluster of `Ballista` on this machine read exported files of all traces.
pub(crate) fn check_ballista() -> Done {
    let Some(cluster) = ballista::built()? else { return Ok(()) };
    let Some(python) = environment("engines-ballista", &["duckdb>=2,<3", "pytz"])? else { return Ok(()) };
    let mut check = Command::new(python);
    succeed(check.arg(script("ballista_check.py")).arg(program()?).arg(cluster).args(traces()?))
}

/// Builds the extension of `DuckDB`, and lets each version read with it.
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

fn script(name: &str) -> PathBuf {
    root().join("xtask/engines").join(name)
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
