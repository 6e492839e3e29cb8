//! Rows that are handed over.
#![expect(unsafe_code, reason = "calls the host")]

use crate::api::{self, Api};

use super::vector::Vector;

/// The rows of one answer to the host.
#[derive(Debug)]
pub(crate) struct Chunk {
    api: &'static Api,
    handle: api::Chunk,
    capacity: usize,
}

impl Chunk {
    /// # Safety
    ///
    /// `handle` is what the host handed to the callback that is running.
    pub(crate) unsafe fn new(api: &'static Api, handle: api::Chunk) -> Self {
        // SAFETY: the function has no arguments.
        let capacity = unsafe { (api.vector_size)() };
        Self { api, handle, capacity: usize::try_from(capacity).unwrap_or_default() }
    }

    /// Returns how many rows there is room for.
    pub(crate) const fn capacity(&self) -> usize {
        self.capacity
    }

    /// Returns the column at a place that the scan was opened with.
    pub(crate) fn column(&mut self, place: usize) -> Vector<'_> {
        // SAFETY: the chunk has a column for each that was asked for, with room for `capacity` values, and lives until
        // the callback returns.
        unsafe { Vector::new(self.api, (self.api.data_chunk_get_vector)(self.handle, place as u64), self.capacity) }
    }

    /// Says how many rows were written; none ends the scan.
    pub(crate) fn end(&mut self, rows: usize) {
        // SAFETY: the chunk has room for that many.
        unsafe { (self.api.data_chunk_set_size)(self.handle, rows.min(self.capacity) as u64) }
    }
}
