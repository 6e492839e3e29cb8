//! The places of a circular file that has wrapped.
//!
//! Such a file is as large as it was permitted to become (section 8.5): behind the header's buffer, each place has a
//! buffer, the oldest ones behind the newest. `BuffersWritten` counts the overwritten ones, too, and states nothing here.

use crate::format::{LogFileHeader, LogFileMode};

/// How many buffers a circular file has room for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring {
    /// Buffers, with the header's.
    places: u64,
}

impl Ring {
    /// Returns the ring of a circular file whose header states a maximum; `None` for other files.
    pub(super) fn of(log: &LogFileHeader) -> Option<Self> {
        let is_regrouped = log.mode.intersects(LogFileMode::RELOG) || log.mode.intersects(LogFileMode::COMPRESSED);
        if !log.mode.intersects(LogFileMode::CIRCULAR) || is_regrouped {
            return None;
        }
        let unit = if log.mode.intersects(LogFileMode::USE_KILOBYTES_FOR_SIZE) { 1 << 10 } else { 1 << 20 };
        let places = (u64::from(log.maximum_file_size) * unit).checked_div(log.buffer_size.into())?;
        (places > 1).then_some(Self { places })
    }

    /// Returns whether more buffers were written than there are places.
    pub(super) const fn has_wrapped(self, written: u64) -> bool {
        written > self.places
    }

    /// Returns how many buffers are missing of a file that has wrapped, of those whose numbers are these in the order of
    /// the file; 0 where that is not known.
    ///
    /// A size that is too small proves nothing alone: numbers have to be missing, too, or the older buffers altogether.
    pub(super) fn missing(self, numbers: &[i64]) -> u64 {
        let Some((_, ring)) = numbers.split_first() else { return 0 };
        let Some(first) = ring.first() else { return self.places - 1 };
        // The first place is written again when all others are full.
        let is_rewritten = u64::try_from(*first).is_ok_and(|first| first >= self.places);
        if is_rewritten && drops(ring) <= 1 && !is_seamless(ring) {
            self.places.saturating_sub(numbers.len() as u64)
        } else {
            0
        }
    }
}

/// Returns whether numbers are those of a ring: from one to the greatest, then from the least to the one before it.
fn is_seamless(numbers: &[i64]) -> bool {
    let is_older = numbers.first().zip(numbers.last()).is_some_and(|(first, last)| last < first);
    let ends = numbers.iter().min().zip(numbers.iter().max());
    let has_all = ends.is_some_and(|(least, greatest)| greatest.abs_diff(*least) < numbers.len() as u64);
    is_older && has_all && drops(numbers) == 1
}

/// Returns how many numbers are less than the one before them.
fn drops(numbers: &[i64]) -> usize {
    numbers.iter().zip(numbers.iter().skip(1)).filter(|(before, after)| after < before).count()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]

    use super::*;

    const RING: Ring = Ring { places: 7 };

    #[test]
    fn a_whole_ring_misses_nothing() {
        assert_eq!(RING.missing(&[0, 13, 14, 15, 10, 11, 12]), 0);
        // The newest buffer is the last one.
        assert_eq!(RING.missing(&[0, 7, 8, 9, 10, 11, 12]), 0);
        // Windows left 12 out.
        assert_eq!(RING.missing(&[0, 14, 15, 16, 10, 11, 13]), 0);
    }

    #[test]
    fn a_ring_that_is_cut_or_has_a_gap_misses_buffers() {
        assert_eq!(RING.missing(&[0, 13, 14, 15, 10, 11]), 1);
        assert_eq!(RING.missing(&[0, 13, 14, 15]), 3);
        assert_eq!(RING.missing(&[0, 13]), 5);
        assert_eq!(RING.missing(&[0]), 6, "only the header's is left");
        assert_eq!(RING.missing(&[0, 13, 15, 10, 11, 12]), 1);
        assert_eq!(RING.missing(&[0, 7, 8, 9, 10, 11]), 1);
    }

    #[test]
    fn the_count_states_whether_a_file_has_wrapped() {
        assert!(RING.has_wrapped(8) && !RING.has_wrapped(7));
    }

    #[test]
    fn numbers_that_fit_no_ring_prove_nothing() {
        // Nothing of it was overwritten.
        assert_eq!(RING.missing(&[0, 1, 2, 3]), 0);
        // Too small, but no number is missing: the maximum was another one.
        assert_eq!(RING.missing(&[0, 13, 14, 15, 11, 12]), 0);
        // Sorted otherwise.
        assert_eq!(RING.missing(&[0, 13, 11, 15, 10]), 0);
        assert_eq!(RING.missing(&[]), 0);
    }

    #[test]
    fn only_circular_files_as_windows_writes_them_are_rings() {
        let head = |mode: u32, size: u32| LogFileHeader {
            buffer_size: 2048,
            maximum_file_size: size,
            mode: LogFileMode(mode),
            ..LogFileHeader::default()
        };
        assert_eq!(Ring::of(&head(0x2, 1)).unwrap().places, 512);
        assert_eq!(Ring::of(&head(0x2002, 14)).unwrap().places, 7);
        for (mode, size) in [(0x1, 1), (0x2, 0), (0x1_0002, 1), (0x400_0002, 1)] {
            assert!(Ring::of(&head(mode, size)).is_none(), "{mode:#x} {size}");
        }
        assert!(Ring::of(&LogFileHeader { buffer_size: 0, ..head(0x2, 1) }).is_none());
    }
}
