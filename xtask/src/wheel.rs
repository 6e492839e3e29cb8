//! The Python package: built, tested, and tried where nothing else is installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::done::{Done, root, succeed};

/// Bytes that the wheel may have.
const MOST_BYTES: u64 = 6_000_000;

/// Builds the wheel, installs it beside the engines and runs `python/tests`; then installs it into an empty environment and
/// runs the first Python of the README there.
pub(crate) fn check(python: &Path, target: &Path, program: &Path) -> Done {
    let folder = target.join("engines");
    let wheel = built(python, target, &folder.join("dist"))?;
    let size = fs::metadata(&wheel)?.len();
    println!("{}: {size} bytes", wheel.display());
    if size > MOST_BYTES {
        return Err(format!("the wheel has more than {MOST_BYTES} bytes").into());
    }
    install(python, &wheel)?;
    let mut tests = Command::new(python);
    // Not beside the sources of the package, which would hide the one that is installed.
    tests.args(["-m", "pytest", "--quiet", "-rs", "-p", "no:cacheprovider"]).current_dir(root().join("python/tests"));
    tests.env("ETWKIT_PROGRAM", program);
    if std::env::var_os("ETWKIT_SHARED").is_none() {
        tests.env("ETWKIT_SHARED", root().join("../shared"));
    }
    succeed(&mut tests)?;
    alone(python, &wheel, &folder.join("alone"))
}

fn built(python: &Path, target: &Path, dist: &Path) -> Done<PathBuf> {
    if dist.exists() {
        fs::remove_dir_all(dist)?;
    }
    let manifest = root().join("python/Cargo.toml");
    let mut build = Command::new(python);
    build.args(["-m", "maturin", "build", "--release", "--locked", "--manifest-path"]).arg(manifest);
    build.arg("--interpreter").arg(python).arg("--out").arg(dist).env("CARGO_TARGET_DIR", target);
    succeed(&mut build)?;
    let mut wheels = fs::read_dir(dist)?.flatten().map(|entry| entry.path());
    Ok(wheels.find(|path| path.extension().is_some_and(|kind| kind == "whl")).ok_or("no wheel was built")?)
}

fn install(python: &Path, wheel: &Path) -> Done {
    let arguments = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--force-reinstall"];
    succeed(Command::new(python).args(arguments).arg(wheel))
}

/// Runs the README's Python with the wheel and nothing else.
fn alone(python: &Path, wheel: &Path, folder: &Path) -> Done {
    succeed(Command::new(python).args(["-m", "venv", "--clear"]).arg(folder))?;
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    install(&python, wheel)?;
    let readme = fs::read_to_string(root().join("README.md"))?;
    let block = readme.split("```python\n").nth(1).and_then(|rest| rest.split("```").next());
    succeed(Command::new(python).arg("-c").arg(block.ok_or("the README has no Python")?).current_dir(root()))
}
