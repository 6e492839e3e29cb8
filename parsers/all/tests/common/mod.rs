//! The real traces, if they are there.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "each test uses a part of it"
)]

use std::path::{Path, PathBuf};

use etwkit::parser::Parsers;
use etwkit::source::Source;
use etwkit::trace::{Census, Trace};

/// The folder of real traces: `$ETWKIT_SHARED/corpus`, or `shared/corpus` beside one of the folders above. Says so
/// loudly when there is none, since a test then shows nothing.
pub fn corpus() -> Option<PathBuf> {
    let named = std::env::var_os("ETWKIT_SHARED").map(PathBuf::from);
    let above = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let beside = above.ancestors().map(|folder| folder.join("shared")).collect::<Vec<_>>();
    let found = named.into_iter().chain(beside).map(|folder| folder.join("corpus")).find(|folder| folder.is_dir());
    if found.is_none() {
        println!("SKIPPED: no real traces; set ETWKIT_SHARED to the folder that holds `corpus`");
    }
    found
}

/// One real trace by its path in the corpus; says so loudly when it is not there.
pub fn corpus_file(name: &str) -> Option<PathBuf> {
    let path = corpus()?.join(name);
    if path.is_file() {
        return Some(path);
    }
    println!("SKIPPED: {} is not there", path.display());
    None
}

/// All real traces that are meant to be read, sorted: (name, path).
pub fn corpus_files() -> Vec<(String, PathBuf)> {
    let Some(root) = corpus() else { return Vec::new() };
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_trace = path.extension().is_some_and(|ext| ext == "etl" || ext == "blg" || ext == "btl");
            let negative = path.components().any(|part| part.as_os_str() == "negative");
            if path.is_dir() {
                folders.push(path);
            } else if is_trace && !negative {
                files.push((path.strip_prefix(&root).unwrap().display().to_string(), path));
            }
        }
    }
    files.sort();
    files
}

/// The first pass over a file.
pub fn census(path: &Path, parsers: Parsers) -> Census {
    Trace::open(Source::open(path).unwrap(), parsers).unwrap().census().unwrap()
}
