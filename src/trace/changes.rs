//! What the second pass reads is what the first pass saw, or is reported.
//!
//! A file can be truncated or written to while it is read. The second pass goes by what the first one found, so events
//! that are gone by then would be missing without a word.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::FileId;
use crate::bytes::u64_at;
use crate::container::BufferInfo;
use crate::error::{Problem, ProblemKind};
use crate::limits;

/// One word of each such number of bytes is compared: whoever writes to a file writes more, and to compare all of them
/// would take as long as a tenth of a pass.
const SAMPLED: usize = 128;

/// Returns a number that depends on one word of each [`SAMPLED`] bytes, on their order, and on how many bytes there are.
#[inline]
pub(super) fn sample(bytes: &[u8]) -> u32 {
    let mut sum = bytes.len() as u64;
    let mut blocks = bytes.chunks_exact(SAMPLED);
    for block in &mut blocks {
        sum = sum.rotate_left(7) ^ u64_at(block, 0);
    }
    let rest = blocks.remainder();
    // A short segment is an event or two; its time stamp is in the second word of its header or the third.
    sum = (sum.rotate_left(7) ^ u64_at(rest, 0)).rotate_left(7) ^ u64_at(rest, 16);
    // All bits count, also where the words repeat themselves.
    (sum.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
}

/// The buffers that were found to be different from what the first pass saw.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// Their sizes, by file and place.
    found: Mutex<BTreeMap<(FileId, u64), u32>>,
}

impl Changes {
    /// Notes a buffer.
    #[cold]
    pub(super) fn note(&self, buffer: &BufferInfo) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.len() < limits::MAX_PROBLEMS {
            found.insert((buffer.file, buffer.offset), buffer.size);
        }
    }

    /// Returns a problem for each, in the order of the files.
    pub(super) fn problems(&self) -> Vec<Problem> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let what = "the buffer is not what it was: the file was changed while it was read, and events may be missing";
        let problem = |((file, offset), size): (&(FileId, u64), &u32)| {
            Problem::new(ProblemKind::Changed, what).of_file(*file).at(*offset, (*size).into())
        };
        found.iter().map(problem).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_off_zeroed_or_moved_has_another_sample() {
        let bytes: Vec<u8> = (0..1000_u32).map(|n| (n * n / 7) as u8).collect();
        let whole = sample(&bytes);
        assert_ne!(sample(&bytes[..999]), whole);
        for at in (0..1000 - SAMPLED).step_by(8) {
            let mut zeroed = bytes.clone();
            zeroed[at..at + SAMPLED].fill(0);
            assert_ne!(sample(&zeroed), whole, "{at}");
        }
        assert_ne!(sample(&[1; 24]), sample(&[2; 24]));
        let mut moved = bytes;
        moved.rotate_left(SAMPLED);
        assert_ne!(sample(&moved), whole);
    }
}
