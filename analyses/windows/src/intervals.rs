//! Intervals between one event and the next.

use etwkit::FileTime;
use etwkit_analysis::milliseconds;

use crate::limits::MOST_INTERVALS;

/// Milliseconds of a second.
const SECOND: f64 = 1000.0;

/// Points in time, and the intervals between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Intervals {
    pub(crate) count: u64,
    /// The first and the last one.
    pub(crate) span: Option<(FileTime, FileTime)>,
    /// Milliseconds.
    list: Vec<f64>,
    /// Milliseconds.
    pub(crate) longest: Option<f64>,
}

impl Intervals {
    /// Takes a point in time. `kept` counts the intervals of all lists that share their limit.
    pub(crate) fn push(&mut self, time: FileTime, kept: &mut usize) {
        self.count += 1;
        let interval = self.span.map(|(_, last)| milliseconds(last, time));
        self.span = Some((self.span.map_or(time, |(first, _)| first), time));
        let Some(interval) = interval else { return };
        self.longest = Some(self.longest.map_or(interval, |longest| longest.max(interval)));
        if *kept < MOST_INTERVALS {
            *kept += 1;
            self.list.push(interval);
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
        let seconds = milliseconds(first, last) / SECOND;
        #[expect(clippy::cast_precision_loss, reason = "counts of a trace are below 2^53")]
        let intervals = self.count.saturating_sub(1) as f64;
        (seconds > 0.0).then_some(intervals / seconds)
    }

    /// Returns the interval that some per cent of all do not exceed: the nearest rank. They must be sorted.
    pub(crate) fn percentile(&self, percent: usize) -> Option<f64> {
        let rank = (self.list.len() * percent).div_ceil(100);
        self.list.get(rank.checked_sub(1)?).copied()
    }
}
