//! A file that is served.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::failure::Failure;

/// A file that is served, and what the page is told about it.
#[derive(Debug)]
pub(super) struct ServedFile {
    path: PathBuf,
    name: String,
    len: u64,
}

impl ServedFile {
    /// Refuses what cannot be read at any place, such as a pipe.
    pub(super) fn new(path: PathBuf) -> Result<Self, Failure> {
        let here = |error: io::Error| Failure::from(error).of(path.display());
        let known = fs::metadata(&path).map_err(here)?;
        if !known.is_file() {
            let failure = Failure::new("not a regular file").of(path.display());
            return Err(failure.hint("write it to a file first"));
        }
        File::open(&path).map_err(here)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { path, name, len: known.len() })
    }

    /// Opens it, if it is a regular file still: opening a pipe waits for somebody who writes.
    pub(super) fn open(&self) -> io::Result<File> {
        if !fs::metadata(&self.path)?.is_file() {
            return Err(ErrorKind::NotFound.into());
        }
        File::open(&self.path)
    }

    /// What the page is told.
    pub(super) fn described(&self) -> Value {
        json!({"name": self.name, "len": self.len})
    }
}
