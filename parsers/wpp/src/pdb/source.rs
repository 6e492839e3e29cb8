//! A PDB file, and the part of it that may be read.
//!
//! The `pdb2` crate allocates as much memory as a file claims to need. This module checks each of its reads against
//! what the file contains.

use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom};

use pdb2::{Source, SourceSlice, SourceView};

/// Bytes that `pdb2` reads for the header, whatever a page's size.
const HEADER_VIEW: u64 = 4096;
/// Bytes of a stream: it is read as a whole. The symbols of a module are a few MiB.
const MAX_STREAM: u64 = 512 << 20;

/// A file, or bytes in memory.
pub(super) trait PdbFile: Read + Seek + Send + fmt::Debug + 'static {}

impl PdbFile for File {}
impl PdbFile for Cursor<Vec<u8>> {}

/// A file whose pages are read once: pages that several streams share are a lie.
#[derive(Debug)]
pub(super) struct Limited<R> {
    file: R,
    len: u64,
    /// Bytes that may still be read.
    left: u64,
}

impl<R> Limited<R> {
    /// `len` is the file's length in bytes.
    pub(super) fn new(file: R, len: u64) -> Self {
        Self { file, len, left: len.saturating_add(HEADER_VIEW) }
    }

    /// Checks a read before memory is taken for it. Returns its length in bytes.
    fn claim(&mut self, slices: &[SourceSlice]) -> io::Result<u64> {
        let end = |slice: &SourceSlice| slice.offset.saturating_add(slice.size as u64);
        if let Some(outside) = slices.iter().find(|slice| slice.offset > 0 && end(slice) > self.len) {
            let text = format!("damaged PDB file: the page at offset {:#x} is not in the file", outside.offset);
            return Err(io::Error::new(ErrorKind::UnexpectedEof, text));
        }
        let wanted = slices.iter().fold(0, |sum: u64, slice| sum.saturating_add(slice.size as u64));
        if wanted > MAX_STREAM {
            let text = format!("damaged PDB file: a stream of {wanted} bytes; at most {MAX_STREAM} are read");
            return Err(io::Error::new(ErrorKind::FileTooLarge, text));
        }
        self.left = self.left.checked_sub(wanted).ok_or_else(|| {
            io::Error::new(ErrorKind::QuotaExceeded, "damaged PDB file: its streams are larger than the file")
        })?;
        Ok(wanted)
    }
}

impl<'s, R: Read + Seek + fmt::Debug> Source<'s> for Limited<R> {
    fn view(&mut self, slices: &[SourceSlice]) -> io::Result<Box<dyn SourceView<'s> + Send + Sync>> {
        let mut bytes = vec![0; self.claim(slices)? as usize];
        let mut rest = &mut bytes[..];
        for slice in slices {
            let (part, after) = rest.split_at_mut_checked(slice.size).unwrap_or_default();
            rest = after;
            // Only the view of the header begins at 0. A file may be shorter than it: what is missing stays zero.
            let there = if slice.offset == 0 { self.len.min(part.len() as u64) as usize } else { part.len() };
            self.file.seek(SeekFrom::Start(slice.offset))?;
            self.file.read_exact(part.get_mut(..there).unwrap_or_default())?;
        }
        Ok(Box::new(Bytes(bytes)))
    }
}

/// A stream that has been read.
struct Bytes(Vec<u8>);

impl SourceView<'_> for Bytes {
    fn as_slice(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bytes({})", self.0.len())
    }
}
