//! Unpacked buffers from the walk to the parsers.
//!
//! Parsers see their events when the walk is over, because they see them in the order of time. The events of a compressed
//! trace that they want are in few buffers, which are kept, so that opening the trace on one thread unpacks each
//! buffer once.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::container::Unpacked;

/// Bytes of unpacked buffers that are kept.
const MOST: usize = 8 << 20;

/// Unpacked buffers, each for whoever asks first.
#[derive(Debug, Default)]
pub(super) struct KeptBuffers {
    /// By the number of the buffer.
    buffers: Mutex<BTreeMap<u32, Unpacked>>,
    /// Bytes that were kept.
    bytes: usize,
}

impl KeptBuffers {
    /// Keeps a buffer of some bytes, if there is room for them.
    pub(super) fn keep(&mut self, number: u32, len: usize, buffer: impl FnOnce() -> Unpacked) {
        if self.bytes + len <= MOST {
            let buffer = buffer();
            // The memory may have been that of a larger buffer.
            self.bytes += buffer.bytes.len();
            self.buffers.get_mut().unwrap_or_else(PoisonError::into_inner).insert(number, buffer);
        }
    }

    /// Adds others, as many as there is room for.
    pub(super) fn absorb(&mut self, others: Self) {
        for (number, buffer) in others.buffers.into_inner().unwrap_or_else(PoisonError::into_inner) {
            self.keep(number, buffer.bytes.len(), || buffer);
        }
    }

    /// Takes a buffer.
    pub(super) fn take(&self, number: u32) -> Option<Unpacked> {
        self.buffers.lock().unwrap_or_else(PoisonError::into_inner).remove(&number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the buffers that are there, of the first ten.
    fn numbers(kept: &KeptBuffers) -> Vec<u32> {
        (0..10).filter(|number| kept.take(*number).is_some()).collect()
    }

    fn keep(kept: &mut KeptBuffers, number: u32, len: usize) {
        kept.keep(number, len, || Unpacked { bytes: vec![0; len], len });
    }

    #[test]
    fn as_many_are_kept_as_there_is_room_for() {
        let (mut kept, mut others) = (KeptBuffers::default(), KeptBuffers::default());
        let quarter = MOST / 4;
        (1..4).for_each(|number| keep(&mut kept, number, quarter));
        keep(&mut kept, 4, quarter + 1);
        (5..9).for_each(|number| keep(&mut others, number, quarter));
        kept.absorb(others);
        assert_eq!(numbers(&kept), [1, 2, 3, 5]);
        assert!(numbers(&kept).is_empty(), "each is taken once");
    }

    #[test]
    fn larger_memory_than_the_buffer_counts_whole() {
        let mut kept = KeptBuffers::default();
        kept.keep(1, 10, || Unpacked { bytes: vec![0; MOST], len: 10 });
        keep(&mut kept, 2, 1);
        assert_eq!(numbers(&kept), [1]);
    }
}
