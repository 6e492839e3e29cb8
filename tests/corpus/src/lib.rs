//! Finds the real traces that tests and benchmarks read. They are not part of the project.
//!
//! The folder is `$ETWKIT_CORPUS`, or `corpus` in `$ETWKIT_SHARED`, or in a folder `shared` next to one of the parent
//! folders. A test that finds nothing there ends early and looks like a test that passed. Therefore each program of
//! tests states so once, past the capture of `cargo test`, and the last one of a run (`xtask/tests/skipped.rs`) prints
//! how many checks were skipped.

mod record;

use std::io::Write;
use std::path::{Path, PathBuf};

pub use record::{ADVICE, Skipped, forget_skipped, skipped_checks, summary};

/// Returns the folder with `corpus`, `schemas` and `facts`; notes nothing if there is none.
pub fn shared() -> Option<PathBuf> {
    record::begin();
    let told = std::env::var_os("ETWKIT_SHARED").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("shared"));
    told.into_iter().chain(beside).find(|folder| folder.is_dir())
}

/// Returns the folder of real traces; notes a skipped check if it is missing.
pub fn folder() -> Option<PathBuf> {
    path("")
}

/// Returns a file or folder of the corpus by its path in it; notes a skipped check if it is missing.
pub fn path(name: &str) -> Option<PathBuf> {
    beside("corpus", name)
}

/// Returns a file of the facts about schemas; notes a skipped check if it is missing.
pub fn schemas(name: &str) -> Option<PathBuf> {
    beside("schemas", name)
}

fn beside(folder: &str, name: &str) -> Option<PathBuf> {
    record::begin();
    let corpus = std::env::var_os("ETWKIT_CORPUS").map(PathBuf::from).filter(|_| folder == "corpus");
    let place = corpus.or_else(|| shared().map(|shared| shared.join(folder)));
    let found = place.map(|place| place.join(name)).filter(|path| path.exists());
    if found.is_none() {
        skipped(&format!("no {folder}/{name}"));
    }
    found
}

/// Returns all readable traces, sorted, with their paths in the corpus; none, and a skipped check, if it is missing.
pub fn traces() -> Vec<(String, PathBuf)> {
    let Some(corpus) = folder() else { return Vec::new() };
    let mut found = Vec::new();
    let mut folders = vec![corpus.clone()];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            let name = path.strip_prefix(&corpus).unwrap_or(&path).display().to_string();
            if path.is_dir() && name != "negative" {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ["etl", "blg", "btl"].iter().any(|trace| ext == *trace)) {
                found.push((name, path));
            }
        }
    }
    found.sort();
    found
}

/// Notes that the running test ends early, and why. The first one of a program is reported on stderr.
pub fn skipped(why: &str) {
    // Threads of tests have their tests' names.
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("test");
    if record::add(test, why) {
        // Not by a macro, whose output cargo hides.
        let _ = writeln!(std::io::stderr(), "SKIPPED {test} and perhaps others: {why} ({ADVICE})");
    }
}
