//! A PDB file, and the part of it that may be read.
//!
//! The `pdb2` crate takes as much memory as a file claims to need. This module checks each of its reads against what
//! the file has.

use std::fmt;
use std::io::{self, ErrorKind, SeekFrom};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pdb_addr2line::pdb::{Source, SourceSlice, SourceView};

use crate::contents::Reader;
use crate::limits::{MAX_READS, MAX_STREAM};

/// A file of which only a few times its length may be read: pages that many streams share are a lie.
#[derive(Debug)]
pub(crate) struct Limited {
    file: Box<dyn Reader>,
    len: u64,
    /// Bytes that may still be read.
    left: u64,
    last: LastView,
}

/// What was read last.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastView(Arc<Mutex<Arc<Vec<u8>>>>);

impl LastView {
    /// Returns the bytes of the last read: those of the stream that `pdb2` was just asked for.
    pub(crate) fn bytes(&self) -> Arc<Vec<u8>> {
        Arc::clone(&lock(&self.0))
    }
}

/// A panic of another crate leaves nothing half done here.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Limited {
    /// `len` is the file's length in bytes.
    pub(crate) fn new(file: Box<dyn Reader>, len: u64) -> Self {
        let left = len.saturating_mul(MAX_READS).saturating_add(HEADER_VIEW);
        Self { file, len, left, last: LastView::default() }
    }

    /// Returns access to what is read last.
    pub(crate) fn last(&self) -> LastView {
        self.last.clone()
    }

    /// Checks a read before memory is taken for it. Returns its length in bytes.
    fn claim(&mut self, slices: &[SourceSlice]) -> io::Result<u64> {
        let end = |slice: &SourceSlice| slice.offset.saturating_add(slice.size as u64);
        // Only the view of the header begins at 0; a file may be shorter than it.
        if let Some(outside) = slices.iter().find(|slice| slice.offset > 0 && end(slice) > self.len) {
            let text = format!("the page at offset {:#x} is not in the file", outside.offset);
            return Err(io::Error::new(ErrorKind::UnexpectedEof, text));
        }
        let wanted = slices.iter().fold(0, |sum: u64, slice| sum.saturating_add(slice.size as u64));
        if wanted > MAX_STREAM {
            let text = format!("a stream of {wanted} bytes; at most {MAX_STREAM} are read");
            return Err(io::Error::new(ErrorKind::FileTooLarge, text));
        }
        self.left = self
            .left
            .checked_sub(wanted)
            .ok_or_else(|| io::Error::new(ErrorKind::QuotaExceeded, "the streams are larger than the file"))?;
        Ok(wanted)
    }
}

impl Source<'static> for Limited {
    fn view(&mut self, slices: &[SourceSlice]) -> io::Result<Box<dyn SourceView<'static> + Send + Sync>> {
        let mut bytes = vec![0; self.claim(slices)? as usize];
        let mut rest = &mut bytes[..];
        for slice in slices {
            let (part, after) = rest.split_at_mut_checked(slice.size).unwrap_or_default();
            rest = after;
            // What is missing of the header stays zero.
            let there = if slice.offset == 0 { self.len.min(part.len() as u64) as usize } else { part.len() };
            self.file.seek(SeekFrom::Start(slice.offset))?;
            self.file.read_exact(part.get_mut(..there).unwrap_or_default())?;
        }
        let bytes = Arc::new(bytes);
        *lock(&self.last.0) = Arc::clone(&bytes);
        Ok(Box::new(Bytes(bytes)))
    }
}

/// A stream that has been read.
struct Bytes(Arc<Vec<u8>>);

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

/// Bytes that `pdb2` reads for the header, whatever a page's size.
const HEADER_VIEW: u64 = 4096;
