//! Intervals between one event and the next.

use etwkit::FileTime;
use etwkit_analysis::{Excess, milliseconds, percentile};

use crate::limits::MOST_INTERVALS;

/// How many intervals several lists may keep together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Room {
    kept: usize,
    /// Intervals that no percentile considers.
    excess: Excess,
}

impl Room {
    /// Returns how many intervals had no room.
    pub(crate) const fn excess(&self) -> u64 {
        self.excess.count()
    }
}

/// Points in time that count, and the intervals from each of them to the next point, which need not count.
#[derive(Clone, Debug, Default)]
pub(crate) struct Intervals {
    pub(crate) count: u64,
    /// The first and the last one that count.
    pub(crate) span: Option<(FileTime, FileTime)>,
    /// The last one, and whether it counts.
    last: Option<(FileTime, bool)>,
    /// Milliseconds.
    list: Vec<f64>,
    /// Milliseconds.
    pub(crate) longest: Option<f64>,
}

impl Intervals {
    /// Takes a point in time.
    pub(crate) fn push(&mut self, time: FileTime, is_counted: bool, room: &mut Room) {
        if let Some((last, true)) = self.last.replace((time, is_counted)) {
            let interval = milliseconds(last, time);
            self.longest = Some(self.longest.map_or(interval, |longest| longest.max(interval)));
            if room.excess.admits(room.kept, MOST_INTERVALS) {
                room.kept += 1;
                self.list.push(interval);
            }
        }
        if is_counted {
            self.count += 1;
            self.span = Some((self.span.map_or(time, |(first, _)| first), time));
        }
    }

    /// Sorts the intervals, for percentiles.
    pub(crate) fn sorted(mut self) -> Self {
        self.list.sort_by(f64::total_cmp);
        self
    }

    /// Returns how many there are in a second, from the first to the last.
    pub(crate) fn rate(&self) -> Option<f64> {
        let (first, last) = self.span?;
        let seconds = milliseconds(first, last) / MILLISECONDS_PER_SECOND;
        #[expect(clippy::cast_precision_loss, reason = "counts of a trace are below 2^53")]
        let intervals = self.count.saturating_sub(1) as f64;
        (seconds > 0.0).then_some(intervals / seconds)
    }

    /// Returns the interval that some per cent of all do not exceed: the nearest rank. They must be sorted.
    pub(crate) fn percentile(&self, percent: usize) -> Option<f64> {
        percentile(&self.list, percent)
    }
}

const MILLISECONDS_PER_SECOND: f64 = 1000.0;
