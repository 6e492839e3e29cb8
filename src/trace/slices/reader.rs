//! Reading slices one after the other.

use crate::error::Result;
use crate::trace::Trace;
use crate::trace::accept::Accept;

use super::Slice;
use super::read::SliceMemory;

/// Reads slices into memory. A slice that turns out too large is cut, and its parts are read one after the other.
#[derive(Debug, Default)]
pub(in crate::trace) struct SliceReader {
    /// The next one last.
    pending: Vec<Slice>,
    pub(in crate::trace) memory: SliceMemory,
}

impl SliceReader {
    /// Puts slices before those that wait.
    pub(in crate::trace) fn push(&mut self, slices: impl DoubleEndedIterator<Item = Slice>) {
        self.pending.extend(slices.rev());
    }

    /// Forgets the slices that wait.
    pub(in crate::trace) fn clear(&mut self) {
        self.pending.clear();
    }

    /// Reads the next slice, or the next part of one, in place of what was there; false if none waits.
    pub(in crate::trace) fn load(&mut self, trace: &Trace, accept: &Accept) -> Result<bool> {
        while let Some(slice) = self.pending.pop() {
            if self.memory.fill(trace, &slice, accept)? {
                return Ok(true);
            }
            // One segment at one time cannot be cut, and is small.
            let Some((first, second)) = slice.split() else { return Ok(true) };
            self.pending.extend([second, first]);
            self.memory.clear();
        }
        Ok(false)
    }
}
