//! Windows of time.

use std::time::Duration;

use crate::time::FileTime;

/// A window of time, absolute or from the trace's start; both ends belong to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TimeRange {
    /// Not before this time.
    pub since: Option<FileTime>,
    /// Not after this time.
    pub until: Option<FileTime>,
    /// Not before this long after the start.
    pub since_offset: Option<Duration>,
    /// Not after this long after the start.
    pub until_offset: Option<Duration>,
}

impl TimeRange {
    /// Sets [`TimeRange::since`](field@TimeRange::since).
    #[must_use]
    pub fn since(mut self, since: impl Into<Option<FileTime>>) -> Self {
        self.since = since.into();
        self
    }

    /// Sets [`TimeRange::until`](field@TimeRange::until).
    #[must_use]
    pub fn until(mut self, until: impl Into<Option<FileTime>>) -> Self {
        self.until = until.into();
        self
    }

    /// Sets [`TimeRange::since_offset`](field@TimeRange::since_offset).
    #[must_use]
    pub fn since_offset(mut self, since_offset: impl Into<Option<Duration>>) -> Self {
        self.since_offset = since_offset.into();
        self
    }

    /// Sets [`TimeRange::until_offset`](field@TimeRange::until_offset).
    #[must_use]
    pub fn until_offset(mut self, until_offset: impl Into<Option<Duration>>) -> Self {
        self.until_offset = until_offset.into();
        self
    }

    /// Returns the first and the last time of the window in a trace with this [`Trace::start`](super::Trace::start), both
    /// in the window; `None` for an end that is open.
    pub fn bounds(&self, start: Option<FileTime>) -> (Option<FileTime>, Option<FileTime>) {
        let after_start = |span: Duration, round: u128| {
            let units = i64::try_from((span.as_nanos() + round) / 100).unwrap_or(i64::MAX);
            start.map(|start| FileTime(start.0.saturating_add(units)))
        };
        // What begins within 100 ns is not before them.
        let since_offset = self.since_offset.and_then(|span| after_start(span, 99));
        let until_offset = self.until_offset.and_then(|span| after_start(span, 0));
        let first = [self.since, since_offset].into_iter().flatten().max();
        (first, [self.until, until_offset].into_iter().flatten().min())
    }
}
