//! Numbers of buffers and segments.

use crate::container::BufferInfo;
use crate::trace::segment::Segment;

/// A segment with its number and the buffer that it is part of.
#[derive(Clone, Copy, Debug)]
pub(in crate::trace) struct IndexedSegment {
    pub(in crate::trace) number: u32,
    pub(in crate::trace) segment: Segment,
    pub(in crate::trace) buffer: BufferInfo,
}

/// The number of the buffer, and of the segment, that come next.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Next {
    pub(super) buffer: u32,
    pub(super) segment: u32,
}

impl Next {
    /// Adds numbers of buffers and segments.
    pub(super) const fn plus(self, other: Self) -> Self {
        Self { buffer: self.buffer.saturating_add(other.buffer), segment: self.segment.saturating_add(other.segment) }
    }
}
