//! Segments as slices see them.

use crate::trace::buffer_index::IndexedSegment;
use crate::trace::segment::Wanted;

use super::sort_clock::SortClock;

/// A segment as slices see it.
#[derive(Clone, Copy, Debug)]
pub(in crate::trace) struct Span {
    /// Place in the list of segments.
    pub(in crate::trace) segment: u32,
    /// The processor of its buffer.
    pub(in crate::trace) processor: u16,
    pub(in crate::trace) len: u32,
    pub(in crate::trace) min: i64,
    pub(in crate::trace) max: i64,
}

/// The segments of a trace as slices see them, in blocks that follow one another in the files. A large trace has many
/// segments: slices ask for a block when they come to it.
pub(in crate::trace) trait Spans {
    /// Returns how many blocks there are.
    fn blocks(&self) -> usize;

    /// Hands on the wanted segments of a block.
    fn block(&self, number: usize, wanted: Wanted, each: impl FnMut(Span));
}

impl Span {
    /// Views a segment.
    pub(in crate::trace) fn new(indexed: &IndexedSegment, clock: &SortClock) -> Self {
        let IndexedSegment { number, segment, buffer } = indexed;
        let (min, max) = (clock.key(buffer.file, segment.min), clock.key(buffer.file, segment.max));
        Self { segment: *number, processor: buffer.processor, len: segment.end - segment.start, min, max }
    }

    /// Returns what settles ties of time: the processor, then the place in the file.
    pub(super) const fn rank(&self) -> (u16, u32) {
        (self.processor, self.segment)
    }

    /// Bytes of the segment.
    pub(in crate::trace) fn bytes(&self) -> u64 {
        self.len.into()
    }
}
