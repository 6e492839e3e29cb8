//! What the tests of real files share.
#![allow(dead_code, reason = "not every test uses all")]

pub(crate) mod image;
pub(crate) mod mc;

use std::path::PathBuf;

use etwkit::source::Source;

/// The corpus (`../shared/corpus`, or `$ETWKIT_SHARED/corpus`), or a loud note that it is not there.
pub(crate) fn corpus() -> Option<PathBuf> {
    let beside = || concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared").into();
    let shared: PathBuf = std::env::var_os("ETWKIT_SHARED").map_or_else(beside, PathBuf::from);
    let corpus = shared.join("corpus");
    if !corpus.is_dir() {
        println!("SKIPPED: no corpus at {}; set ETWKIT_SHARED", corpus.display());
        return None;
    }
    Some(corpus)
}

/// Files of the corpus.
pub(crate) fn sources(files: &[&str]) -> Option<Vec<Source>> {
    let corpus = corpus()?;
    Some(files.iter().map(|file| Source::open(corpus.join(file)).unwrap()).collect())
}
