//! Finds the real traces that tests and benchmarks read. They are not part of the project.
//!
//! The folder is `corpus` in `$ETWKIT_SHARED`, or in a folder `shared` next to one of the parent folders. A test that
//! finds nothing there ends early, and says so past the capture of `cargo test`: else it would look like a test that
//! passed.

use std::io::Write;
use std::path::{Path, PathBuf};

/// Returns the folder with `corpus`, `schemas` and `facts`; prints nothing if there is none.
pub fn shared() -> Option<PathBuf> {
    let told = std::env::var_os("ETWKIT_SHARED").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("shared"));
    told.into_iter().chain(beside).find(|folder| folder.is_dir())
}

/// Returns the folder of real traces; reports on stderr if it is missing.
pub fn folder() -> Option<PathBuf> {
    path("")
}

/// Returns a file or folder of the corpus by its path in it; reports on stderr if it is missing.
pub fn path(name: &str) -> Option<PathBuf> {
    beside("corpus", name)
}

/// Returns a file of the facts about schemas; reports on stderr if it is missing.
pub fn schemas(name: &str) -> Option<PathBuf> {
    beside("schemas", name)
}

fn beside(folder: &str, name: &str) -> Option<PathBuf> {
    let found = shared().map(|shared| shared.join(folder).join(name)).filter(|path| path.exists());
    if found.is_none() {
        skipped(&format!("no {folder}/{name}; set ETWKIT_SHARED to the folder that holds the folder {folder}"));
    }
    found
}

/// Returns all readable traces, sorted, with their paths in the corpus; none, with a report on stderr, if it is
/// missing.
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

/// Says on stderr that the running test ends early, and why.
pub fn skipped(why: &str) {
    // Threads of tests have their tests' names.
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("test");
    // Not by a macro, whose output cargo hides.
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {why}");
}
