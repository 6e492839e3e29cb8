//! Use of each processor over time, from context switches.

use std::collections::BTreeMap;

use etwkit::FileTime;
use etwkit::trace::Trace;
use etwkit_analysis::{Excess, Time, per_cent, units_to_milliseconds};

use crate::schedule::{OfSlices, Slice, SliceFeed, SliceKind, Sliced};

etwkit_analysis::row! {
    /// The activity of a processor in an interval.
    pub struct CpuUsageRow {
        /// Begin of the interval, UTC.
        start: Time as Time,
        /// Number of the processor.
        processor: u16 as Id,
        /// Milliseconds in which it ran the threads that are chosen: all but the idle one, or those of the filter.
        busy_ms: f64 as Milliseconds,
        /// Milliseconds in which it ran other threads.
        other_ms: f64 as Milliseconds,
        /// Milliseconds in which it was idle.
        idle_ms: f64 as Milliseconds,
        /// Milliseconds of which the events do not state what it did.
        unknown_ms: f64 as Milliseconds,
        /// Busy share of the time that is known, in per cent; absent if nothing is.
        busy: Option<f64> as Real,
    }
}

/// Units of 100 ns in the shortest interval.
const SHORTEST: i64 = 10_000;
/// Intervals that a window is cut into at most.
const MOST: i64 = 100;

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    busy: u64,
    other: u64,
    idle: u64,
    unknown: u64,
}

/// Adds up what each processor did in each interval. The window is cut into at most 100 intervals of 1, 2 or 5 times a
/// power of ten milliseconds.
pub type CpuUsage = Sliced<UsageCells>;

/// The activity of each processor in each interval.
#[derive(Debug, Default)]
pub struct UsageCells {
    begin: FileTime,
    end: FileTime,
    interval: i64,
    /// By interval, machine and processor.
    cells: BTreeMap<(i64, u16, u16), Cell>,
    excess: Excess,
}

/// Cells that are kept.
const MOST_CELLS: usize = 1 << 20;

impl UsageCells {
    fn cut(&mut self, begin: FileTime, end: FileTime) {
        let span = end.0.saturating_sub(begin.0);
        let mut factors = [2, 5, 10].into_iter().cycle();
        let (mut decade, mut interval) = (SHORTEST, SHORTEST);
        while span / interval >= MOST {
            let Some(factor) = factors.next() else { break };
            interval = decade.saturating_mul(factor);
            if factor == 10 {
                decade = interval;
            }
        }
        (self.begin, self.end, self.interval) = (begin, end, interval);
    }

    /// Returns the number of the interval at a time in the window, and the end of the interval, which is after the time.
    fn interval_at(&self, time: i64) -> (i64, i64) {
        let interval = self.interval.max(SHORTEST);
        let number = (time - self.begin.0) / interval;
        (number, self.begin.0.saturating_add((number + 1).saturating_mul(interval)))
    }
}

impl OfSlices for UsageCells {
    type Row = CpuUsageRow;

    fn begin(&mut self, feed: &SliceFeed, trace: &Trace) {
        // Times of a damaged trace may be none that a FILETIME holds.
        let all = || (trace.start().unwrap_or_default(), FileTime(i64::MAX));
        let (first, last) = trace.first_and_last().unwrap_or_else(all);
        let chosen = feed.selection();
        // A span from before 1601 on may have more units than are counted.
        self.cut(chosen.since.max(first).max(FileTime(0)), chosen.until.min(last));
    }

    fn take(&mut self, slices: &[Slice], feed: &SliceFeed) {
        for slice in slices {
            let Some(processor) = slice.processor else { continue };
            let thread = slice.thread.and_then(|id| feed.scheduler().thread(id));
            let is_chosen = thread.is_some_and(|thread| feed.has(thread));
            let (mut start, end) = (slice.start.0.max(self.begin.0), slice.end.0.min(self.end.0));
            while start < end {
                let (number, next) = self.interval_at(start);
                let next = next.min(end);
                let units = (next - start) as u64;
                start = next;
                let place = (number, slice.machine, processor);
                let has_room = self.cells.contains_key(&place) || self.excess.admits(self.cells.len(), MOST_CELLS);
                if !has_room {
                    continue;
                }
                let cell = self.cells.entry(place).or_default();
                match slice.kind {
                    SliceKind::Running if is_chosen => cell.busy += units,
                    SliceKind::Running => cell.other += units,
                    SliceKind::Idle => cell.idle += units,
                    _ => cell.unknown += units,
                }
            }
        }
    }

    fn excess(&self) -> u64 {
        self.excess.count()
    }

    fn rows(self, _: &SliceFeed, _: &Trace) -> Vec<CpuUsageRow> {
        let row = |((number, _, processor), cell): (&(i64, u16, u16), &Cell)| CpuUsageRow {
            start: Time(FileTime(self.begin.0.saturating_add(number.saturating_mul(self.interval)))),
            processor: *processor,
            busy_ms: units_to_milliseconds(cell.busy),
            other_ms: units_to_milliseconds(cell.other),
            idle_ms: units_to_milliseconds(cell.idle),
            unknown_ms: units_to_milliseconds(cell.unknown),
            busy: per_cent(cell.busy, cell.busy + cell.other + cell.idle),
        };
        self.cells.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_round() {
        let mut usage = UsageCells::default();
        let mut interval = |milliseconds: i64| {
            usage.cut(FileTime(7), FileTime(7 + milliseconds * 10_000));
            usage.interval / 10_000
        };
        assert_eq!([0, 99, 100, 200, 499, 500, 1000, 60_000].map(&mut interval), [1, 1, 2, 5, 5, 10, 20, 1000]);
    }

    #[test]
    fn any_window_is_passed_in_at_most_a_hundred_steps() {
        for (begin, end) in [(0, i64::MAX), (0, 1), (5, i64::MAX - 1), (i64::MAX - 3, i64::MAX), (9, 5), (0, 1 << 62)] {
            let mut usage = UsageCells::default();
            usage.cut(FileTime(begin), FileTime(end));
            let (mut start, mut steps) = (begin, 0);
            while start < end {
                let (number, next) = usage.interval_at(start);
                assert_eq!(number, steps, "{begin} to {end}");
                assert!(next.min(end) > start, "{begin} to {end}: {start} leads to {next}");
                (start, steps) = (next.min(end), steps + 1);
            }
            assert!(steps <= MOST, "{begin} to {end}: {steps} steps");
        }
    }
}
