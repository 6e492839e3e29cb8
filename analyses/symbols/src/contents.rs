//! The contents of a symbol file: on disk, or unpacked in memory.

use std::fmt::Debug;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What can be read anywhere.
pub(crate) trait Reader: Read + Seek + Send + Debug {}

impl Reader for File {}
impl Reader for Cursor<SharedBytes> {}

/// Bytes that several readers share.
#[derive(Clone, Debug)]
pub(crate) struct SharedBytes(Arc<Vec<u8>>);

impl AsRef<[u8]> for SharedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// A symbol file that can be opened again and again.
#[derive(Clone, Debug)]
pub(crate) enum Contents {
    /// A file.
    Path(PathBuf),
    /// Bytes that were unpacked, or that a caller has.
    Bytes(SharedBytes),
}

impl Contents {
    pub(crate) fn of(bytes: Vec<u8>) -> Self {
        Self::Bytes(SharedBytes(Arc::new(bytes)))
    }

    /// Opens the file. Returns it with its length in bytes.
    pub(crate) fn open(&self) -> io::Result<(Box<dyn Reader>, u64)> {
        match self {
            Self::Path(path) => open(path),
            Self::Bytes(bytes) => Ok((Box::new(Cursor::new(bytes.clone())), bytes.0.len() as u64)),
        }
    }

    /// Returns the length in bytes; 0 if the file cannot be opened.
    pub(crate) fn len(&self) -> u64 {
        self.open().map_or(0, |(_, len)| len)
    }

    /// Reads the whole file, which must not be longer than `max` bytes.
    pub(crate) fn read(&self, max: u64) -> io::Result<Vec<u8>> {
        let (mut file, len) = self.open()?;
        if len > max {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("{len} bytes; at most {max} are read")));
        }
        let mut bytes = Vec::new();
        // A file may grow while it is read.
        file.by_ref().take(max).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads the first bytes, at most `count`.
    pub(crate) fn head(&self, count: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open()?.0.take(count).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

fn open(path: &Path) -> io::Result<(Box<dyn Reader>, u64)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        // A pipe has no length and may never end.
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    Ok((Box::new(file), metadata.len()))
}
