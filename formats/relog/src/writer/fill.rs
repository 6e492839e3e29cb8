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
        let is_full = self.bytes_with(event) > room;
        self.may_end_before(event) && (is_full || !self.keeps_times(event))
    }

    /// Returns whether an event may begin another buffer, and keep its time.
    pub(crate) const fn may_end_before(&self, event: &EventBytes<'_>) -> bool {
        self.used > 0 && !self.shares_time(event)
    }

    /// Returns the bytes of events with one more.
    pub(crate) const fn bytes_with(&self, event: &EventBytes<'_>) -> usize {
        self.used + padded(event)
    }

    /// Adds an event.
    pub(crate) const fn add(&mut self, event: &EventBytes<'_>) {
        self.used = self.bytes_with(event);
        self.last = event.time.0;
        self.has_time |= event.has_time;
    }

    /// Returns whether an event takes its time from those before it, or gives them theirs. The time 0 is that of events
    /// for which there is none: nothing gives it.
    const fn shares_time(&self, event: &EventBytes<'_>) -> bool {
        let gives_or_takes = !event.has_time || !self.has_time;
        self.last == event.time.0 && event.time.0 != 0 && gives_or_takes
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

#[cfg(test)]
mod tests {
    use etwkit::RawTime;

    use super::*;

    /// Returns whether an event of a time, stated or not, begins another buffer after these, which leave no room.
    fn ends(before: &[(i64, bool)], (time, has_time): (i64, bool)) -> bool {
        let event = |(time, has_time)| EventBytes { processor: 0, time: RawTime(time), has_time, bytes: &[0; 8] };
        let mut fill = Fill::default();
        for before in before {
            fill.add(&event(*before));
        }
        fill.ends_before(&event((time, has_time)), fill.used)
    }

    #[test]
    fn a_full_buffer_ends_unless_events_take_a_time_from_each_other() {
        assert!(ends(&[(5, true)], (5, true)));
        assert!(!ends(&[(5, true)], (5, false)));
        assert!(!ends(&[(5, false)], (5, false)));
        assert!(!ends(&[(5, false)], (5, true)));
        assert!(ends(&[(0, false)], (0, false)));
        assert!(ends(&[(0, false)], (5, true)));
    }
}
