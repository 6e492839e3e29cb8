//! Segments of buffers.

use crate::container::Walk;
use crate::decode::{RecentTypes, Seen, ShortKey};
use crate::time::RawTime;

/// Part of a buffer between two checkpoints: small enough to process as a whole, large enough to keep their number low.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) buffer: u32,
    /// From the start of the (unpacked) buffer.
    pub(super) start: u32,
    pub(super) end: u32,
    /// Time of the event before it, for messages without a stamp.
    pub(super) entry_time: RawTime,
    pub(super) min: RawTime,
    pub(super) max: RawTime,
    /// Whether no event is earlier than the one before it.
    pub(super) is_sorted: bool,
    /// The marks of the types of its events, and whether the first pass hands one of these to a provider or an
    /// observer.
    pub(super) seen: Seen,
    /// Whether a gap follows it that no event leads to.
    pub(super) before_gap: bool,
    /// What the second pass compares its bytes with.
    pub(super) sample: u32,
}

impl Segment {
    /// Returns how many bytes it has.
    pub(super) fn bytes(&self) -> u64 {
        (self.end - self.start).into()
    }
}

/// Which segments are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Wanted {
    #[default]
    All,
    /// Those with events of a type that has one of these marks.
    Marked(u64),
    /// Those with events that the first pass hands to a provider or an observer.
    Observed,
}

impl Wanted {
    /// Returns whether a segment is wanted.
    pub(super) const fn takes(self, segment: &Segment) -> bool {
        match self {
            Self::All => true,
            Self::Marked(marks) => segment.seen.has(marks),
            Self::Observed => segment.seen.is_observed(),
        }
    }
}

/// A segment ends after this many bytes. A slice that begins or ends within a segment passes over the rest of it, but
/// each one takes memory for as long as the trace is open.
const SEGMENT_BYTES: u32 = 32 << 10;

/// A segment that is being filled.
pub(super) struct Open(Segment);

impl Open {
    pub(super) fn new(buffer: u32, walk: &Walk<'_>) -> Self {
        let (start, min, max) = (walk.offset(), RawTime(i64::MAX), RawTime(i64::MIN));
        Self(Segment {
            buffer,
            start,
            end: start,
            // The first event of a buffer has no predecessor in it: this is its own time.
            entry_time: walk.last_time(),
            min,
            max,
            is_sorted: true,
            seen: Seen::default(),
            before_gap: false,
            sample: 0,
        })
    }

    /// Adds an event whose time is before, that of the event before it; states whether it is earlier.
    #[inline]
    pub(super) fn add(&mut self, before: RawTime, time: RawTime, seen: Seen) -> bool {
        let Self(segment) = self;
        segment.min = segment.min.min(time);
        segment.max = segment.max.max(time);
        segment.seen.add(seen);
        let is_inverted = time < before;
        segment.is_sorted &= !is_inverted;
        is_inverted
    }

    /// Adds and counts events from the second one on, until one makes it full or must be looked at by other ways: its
    /// type was not found lately, for example. Returns whether it is full, and how many events were earlier than the
    /// ones before them.
    #[inline]
    pub(super) fn count(&mut self, walk: &mut Walk<'_>, recent: &mut RecentTypes) -> (bool, u64) {
        if self.0.min > self.0.max {
            return (false, 0);
        }
        // A copy, which stays in registers.
        let (mut ahead, mut seen, mut inversions) = (walk.clone(), self.0.seen, 0);
        let end = self.0.start + SEGMENT_BYTES;
        let mut is_full = false;
        while let Some((rest, marker, time)) = ahead.peek_timed()
            && let Some(key) = ShortKey::plain(marker.header, rest)
            && let Some(one) = recent.count(key, marker.len)
        {
            if time < ahead.last_time() {
                inversions += 1;
                self.invert(ahead.last_time(), time);
            }
            seen.add(one);
            ahead.pass(marker, time);
            is_full = ahead.offset() >= end;
            if is_full {
                break;
            }
        }
        *walk = ahead;
        self.0.seen = seen;
        self.0.max = self.0.max.max(walk.last_time());
        (is_full, inversions)
    }

    /// Notes an event that is earlier than the one before it.
    #[cold]
    #[inline(never)]
    fn invert(&mut self, before: RawTime, time: RawTime) {
        self.0.max = self.0.max.max(before);
        self.0.min = self.0.min.min(time);
        self.0.is_sorted = false;
    }

    #[inline]
    pub(super) const fn is_full(&self, offset: u32) -> bool {
        offset - self.0.start >= SEGMENT_BYTES
    }

    /// Returns the segment that ends at an offset; `None` without events.
    pub(super) fn close(self, offset: u32) -> Option<Segment> {
        let segment = Segment { end: offset, ..self.0 };
        (segment.min <= segment.max).then_some(segment)
    }
}
