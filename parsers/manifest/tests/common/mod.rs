//! What the tests of real files share.
#![allow(dead_code, reason = "not every test uses all")]

pub(crate) mod image;
pub(crate) mod mc;

use etwkit::input::Input;

/// Files of the corpus.
pub(crate) fn sources(files: &[&str]) -> Option<Vec<Input>> {
    files.iter().map(|file| Some(Input::open(etwkit_corpus::path(file)?).unwrap())).collect()
}
