//! Time windows in the terms by which events are sorted.

use crate::FileId;
use crate::clock::Clock;
use crate::time::{FileTime, RawTime};

use super::Trace;
use super::open::TraceFile;
use super::slices::SortClock;
use super::time_range::TimeRange;

impl Trace {
    /// Returns whether events have the local time of the machine that recorded them ([`crate::schema::Names::is_local_time`]).
    pub fn has_local_times(&self) -> bool {
        let mut schemas = self.types().iter().filter_map(crate::decode::EventType::schema);
        schemas.any(|schema| schema.names().is_local_time())
    }

    /// Returns what relative times count from: the session's start. Of several files, the earliest: the order in which
    /// they were given does not matter. Where events have local times, the first of them, since the start is UTC.
    pub fn start(&self) -> Option<FileTime> {
        let is_local = self.has_local_times();
        let start = |(id, file): (FileId, &TraceFile)| {
            let clock = &file.head.clock;
            let first = self.counts(id).and_then(|counts| counts.first_time).filter(|_| is_local);
            clock.filetime(first.unwrap_or_else(|| clock.zero()))
        };
        self.files_with_ids().filter_map(start).min()
    }

    /// Returns the times of the earliest and the latest event of all files whose clock is known.
    pub fn first_and_last(&self) -> Option<(FileTime, FileTime)> {
        let times = |(id, file): (FileId, &TraceFile)| {
            let counts = self.counts(id)?;
            Some((file.head.clock.filetime(counts.first_time?)?, file.head.clock.filetime(counts.last_time?)?))
        };
        let join = |a: (FileTime, FileTime), b: (FileTime, FileTime)| (a.0.min(b.0), a.1.max(b.1));
        self.files_with_ids().filter_map(times).reduce(join)
    }

    /// Returns a time window in the terms that events are sorted by, both ends inclusive. It holds the windows of all
    /// files, see [`Trace::file_windows`].
    pub(super) fn window(&self, range: &TimeRange) -> (i64, i64) {
        let key = |file: FileId, raw: RawTime| match raw.0 {
            i64::MIN | i64::MAX => raw.0,
            _ => self.sort_clock().key(file, raw),
        };
        let keys =
            FileId::all().zip(self.raw_windows(range)).map(|(file, (from, to))| (key(file, from), key(file, to)));
        keys.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((i64::MIN, i64::MAX))
    }

    /// Returns the window of each file by its own clock, both ends inclusive, if files of one trace have different
    /// windows: the clocks of files that are sorted by raw times differ by what their headers round.
    pub(super) fn file_windows(&self, range: &TimeRange) -> Option<Box<[(RawTime, RawTime)]>> {
        let windows: Box<[_]> = self.raw_windows(range).collect();
        windows.windows(2).any(|pair| pair.first() != pair.last()).then_some(windows)
    }

    fn raw_windows(&self, range: &TimeRange) -> impl Iterator<Item = (RawTime, RawTime)> {
        let (lower, upper) = range.bounds(self.start());
        let unknown = |time: FileTime| match self.sort_clock() {
            SortClock::Shared => None,
            // Raw times of an unknown clock are sorted as if they were calendar time.
            SortClock::Utc(_) => Some(RawTime(time.0)),
        };
        self.files().iter().map(move |file| {
            let raw = |time: FileTime, edge: fn(&Clock, FileTime) -> Option<RawTime>| {
                edge(&file.head.clock, time).or_else(|| unknown(time))
            };
            let from = lower.and_then(|time| raw(time, Clock::first_at)).unwrap_or(RawTime(i64::MIN));
            let to = upper.and_then(|time| raw(time, Clock::last_at)).unwrap_or(RawTime(i64::MAX));
            (from, to)
        })
    }
}
