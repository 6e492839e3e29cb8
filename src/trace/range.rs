//! The first or last events of a run, by number.

use std::ops::ControlFlow;

use crate::error::Result;

use super::Trace;
use super::filter::{Accept, TimeRange};
use super::open::TraceFile;
use super::ordered::ordered;
use super::run::RunOptions;
use super::slices::SliceReader;

/// Which of a slice's events are delivered: some are skipped, then some taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) skip: u64,
    pub(super) take: u64,
}

impl Range {
    /// All.
    pub(super) const ALL: Self = Self { skip: 0, take: u64::MAX };
    const NONE: Self = Self { skip: 0, take: 0 };

    /// Returns whether only the first or last events are wanted.
    pub(super) const fn is_wanted(options: &RunOptions) -> bool {
        options.first.is_some() || options.last.is_some()
    }

    /// Returns the range of each slice, if only some events are wanted: counts all slices before the run, and reports
    /// how many bytes were read for that.
    pub(super) fn plan(
        trace: &Trace,
        options: &RunOptions,
        accept: &Accept,
        read: &mut dyn FnMut(u64) -> Result<()>,
    ) -> Result<Option<Vec<Self>>> {
        if !Self::is_wanted(options) {
            return Ok(None);
        }
        let counts = count(trace, options, accept, read)?;
        let total: u64 = counts.iter().sum();
        let end = options.first.map_or(total, |first| first.min(total));
        // With both options, the last events of the first ones.
        let start = options.last.map_or(0, |last| end.saturating_sub(last));
        let mut before = 0;
        let range = |count: u64| {
            let (from, to) = (start.clamp(before, before + count), end.clamp(before, before + count));
            let skip = from - before;
            before += count;
            Self { skip, take: to - from }
        };
        Ok(Some(counts.into_iter().map(range).collect()))
    }

    /// The range of one slice.
    pub(super) fn of(all: &[Self], slice: usize) -> Self {
        all.get(slice).copied().unwrap_or(Self::NONE)
    }

    /// Returns how many of `len` events to pass over now.
    pub(super) fn skip(&mut self, len: usize) -> usize {
        let now = self.skip.min(len as u64);
        self.skip -= now;
        now as usize
    }

    /// Returns whether one event more is taken.
    #[inline]
    pub(super) const fn one(&mut self) -> bool {
        let more = self.take > 0;
        self.take -= more as u64;
        more
    }
}

/// Wanted events of each slice.
fn count(
    trace: &Trace,
    options: &RunOptions,
    accept: &Accept,
    read: &mut dyn FnMut(u64) -> Result<()>,
) -> Result<Vec<u64>> {
    let mut counts = Vec::new();
    ordered(
        options.threads,
        trace.run_slices(options),
        SliceReader::default,
        |reader, slice| {
            let (mut count, bytes) = (0, slice.bytes_done());
            reader.push([slice].into_iter());
            while reader.load(trace, accept)? {
                count += reader.memory.len() as u64;
            }
            Ok((count, bytes))
        },
        |(count, bytes)| {
            read(bytes)?;
            counts.push(count);
            Ok(ControlFlow::Continue(()))
        },
    )?;
    Ok(counts)
}

impl Trace {
    /// Returns whether events have the local time of the machine that recorded them
    /// ([`crate::schema::Names::is_local_time`]).
    pub fn has_local_times(&self) -> bool {
        let mut schemas = self.types().iter().filter_map(crate::decode::EventType::schema);
        schemas.any(|schema| schema.names().is_local_time())
    }

    /// What relative times count from: the session's start. Of several files, the earliest: the order in which they
    /// were given does not matter. Where events have local times, the first of them, since the start is UTC.
    fn start(&self) -> Option<i64> {
        let is_local = self.has_local_times();
        let start = |(number, file): (usize, &TraceFile)| {
            let clock = &file.head.clock;
            let first = self.counts(number).and_then(|counts| counts.first_time).filter(|_| is_local);
            clock.filetime(first.unwrap_or_else(|| clock.zero()))
        };
        self.files().iter().enumerate().filter_map(start).min()
    }

    /// Returns a time window in the terms that events are sorted by, both ends inclusive.
    pub(super) fn window(&self, time: &TimeRange) -> (i64, i64) {
        use super::slices::SortClock;
        let Some(file) = self.files().first() else { return (i64::MIN, i64::MAX) };
        let clock = &file.head.clock;
        let start = self.start();
        let absolute = |relative: Option<i64>| Some(start?.saturating_add(relative?));
        let to_key = |filetime: i64| match self.sort_clock() {
            SortClock::Raw => clock.raw(filetime),
            SortClock::Utc(_) => Some(filetime),
        };
        let lower = [time.since, absolute(time.from_start)].into_iter().flatten().max();
        let upper = [time.until, absolute(time.to_start)].into_iter().flatten().min();
        // The raw clock may be finer than 100 ns: the first tick whose time is not before, the last that is not after.
        let from = lower.and_then(|t| to_key(t.saturating_sub(1))).map_or(i64::MIN, |raw| raw.saturating_add(1));
        let to = upper.and_then(|t| to_key(t.saturating_add(1))).map_or(i64::MAX, |raw| raw.saturating_sub(1));
        match self.sort_clock() {
            SortClock::Raw => (
                lower.map_or(i64::MIN, |t| adjust(clock, from, t, true)),
                upper.map_or(i64::MAX, |t| adjust(clock, to, t, false)),
            ),
            SortClock::Utc(_) => (from, to),
        }
    }
}

/// Moves a raw time to the exact edge of a FILETIME: the first tick not before it, or the last not after it.
fn adjust(clock: &crate::clock::Clock, mut raw: i64, filetime: i64, lower: bool) -> i64 {
    for _ in 0..1000 {
        let Some(at) = clock.filetime(raw) else { return raw };
        raw = match lower {
            true if at < filetime => raw.saturating_add(1),
            true if clock.filetime(raw.saturating_sub(1)).is_some_and(|before| before >= filetime) => raw - 1,
            false if at > filetime => raw.saturating_sub(1),
            false if clock.filetime(raw.saturating_add(1)).is_some_and(|after| after <= filetime) => raw + 1,
            _ => return raw,
        };
    }
    raw
}
