//! Writing to more files than may be open.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

use super::new_file::NewFile;

/// Writes to the end of a new file. It is open all the time, or only for each write: systems allow a process 256 or 1,024
/// open files.
#[derive(Debug)]
pub(crate) struct AppendedFile {
    path: PathBuf,
    open: Option<File>,
}

impl AppendedFile {
    /// Goes on with a file that was begun.
    pub(crate) fn new(new: &NewFile, file: File, stays_open: bool) -> Self {
        Self { path: new.temporary_path(), open: stays_open.then_some(file) }
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
