//! How full the buffer of a processor is, and where the next one begins.

use super::EventBytes;

/// A buffer that is being filled. What decides where a buffer ends is here, without the bytes, so that the size of a file is
/// known before it is written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fill {
    /// Bytes of events, padded.
    pub(crate) used: usize,
    /// The time of the last event.
    pub(crate) last: i64,
    /// Whether one of the events has a time of its own.
    has_time: bool,
}

impl Fill {
    /// Returns whether an event begins another buffer, if this one has room for so many bytes.
    pub(crate) const fn ends_before(&self, event: &EventBytes<'_>, room: usize) -> bool {
        // An event without a time stays after the one whose time it has.
        let is_full = event.has_time && self.used + padded(event) > room;
        self.used > 0 && (is_full || !self.keeps_times(event))
    }

    /// Adds an event.
    pub(crate) const fn add(&mut self, event: &EventBytes<'_>) {
        self.used += padded(event);
        self.last = event.time.0;
        self.has_time |= event.has_time;
    }

    /// Returns whether an event keeps its time, and those before it theirs, if it is appended.
    const fn keeps_times(&self, event: &EventBytes<'_>) -> bool {
        // Between two events with times of their own there is nothing to take.
        self.last == event.time.0 || (self.has_time && event.has_time)
    }
}

/// Returns the bytes that an event takes in a buffer.
const fn padded(event: &EventBytes<'_>) -> usize {
    event.bytes.len().next_multiple_of(8)
}
