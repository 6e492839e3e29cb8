//! Writing to more files than may be open.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

use super::new_file::NewFile;

/// Files of a folder that are open at a time.
pub(super) const OPEN: usize = 64;

/// Writes to the end of a new file. It is open all the time, or only for each write: systems allow a process 256 or 1,024
/// open files.
#[derive(Debug)]
pub(crate) struct AppendedFile {
    path: PathBuf,
    open: Option<File>,
}

impl AppendedFile {
    /// Goes on with a file that was begun.
    /// `others` is the number of those that were begun before: the first [`OPEN`] stay open.
    pub(crate) fn new(new: &NewFile, file: File, others: usize) -> Self {
        Self { path: new.temporary_path(), open: (others < OPEN).then_some(file) }
    }
}

impl Write for AppendedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.open {
            Some(file) => file.write(bytes),
            None => File::options().append(true).open(&self.path)?.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.open.as_mut().map_or(Ok(()), Write::flush)
    }
}
