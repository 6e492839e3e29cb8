//! A mapped file. Mapping is the only unsafe code of the engine.

use std::fs::File;

use memmap2::Mmap;

use crate::error::{Error, Result};

/// A read-only memory map.
pub(super) struct Mapped(Mmap);

impl Mapped {
    /// Maps all of a file.
    ///
    /// # Safety
    ///
    /// The file must not be truncated or changed while the map lives.
    #[expect(unsafe_code, reason = "there is no safe way to map a file")]
    pub(super) unsafe fn new(file: &File) -> Result<Self> {
        // SAFETY: `Mmap::map` asks that the file is not modified or truncated while it is mapped, in or out of this
        // process. That is this function's own condition, which the caller has accepted.
        Ok(Self(unsafe { Mmap::map(file) }.map_err(Error::opening)?))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}
