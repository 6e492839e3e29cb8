//! The axis of time that lanes and histograms share: units from where it begins, and the dead time that is folded.

use etwkit::FileTime;
use etwkit::trace::Trace;

/// The time of 0, and the last event.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The time of 0.
    pub base: FileTime,
    /// The time of the last event.
    pub end: FileTime,
    /// Whether it begins with the session, before its first event.
    pub is_from_session: bool,
}

impl Extent {
    /// From the start of the session, or the first event if that is before, to the last event.
    #[must_use]
    pub fn of(trace: &Trace) -> Self {
        let (first, last) =
            trace.first_and_last().or_else(|| Some((trace.start()?, trace.start()?))).unwrap_or_default();
        // A session's start that lies years away is one that was never set.
        let near = |start: &FileTime| start.0 > 0 && first.0.abs_diff(start.0) < YEAR;
        let base = trace.start().filter(near).map_or(first, |start| start.min(first));
        Self { base, end: last.max(base), is_from_session: base < first }
    }

    /// Units from 0 to a time.
    #[must_use]
    pub const fn units(self, time: FileTime) -> i64 {
        time.0.saturating_sub(self.base.0)
    }

    /// Units from 0 to the last event.
    #[must_use]
    pub const fn span(self) -> i64 {
        self.units(self.end)
    }
}

/// Units of 100 ns in a year.
const YEAR: u64 = 366 * 24 * 3600 * 10_000_000;

/// Returns the stretches without events that are folded: the longest ones, as long as each is longer than a part of all
/// that is left. `busy` has the stretches with events, in order.
#[must_use]
pub fn folds(busy: &[(i64, i64)], span: i64) -> Vec<(i64, i64)> {
    let ends = busy.iter().map(|(_, end)| *end);
    let gaps = std::iter::once(0).chain(ends).zip(busy.iter().map(|(start, _)| *start));
    let mut gaps: Vec<(i64, i64)> = gaps.filter(|(from, to)| from < to).collect();
    // The longest ones first; no more than can be folded are looked at.
    let order = |(from, to): &(i64, i64)| (from - to, *from);
    if gaps.len() > MOST_FOLDS {
        gaps.select_nth_unstable_by_key(MOST_FOLDS, order);
        gaps.truncate(MOST_FOLDS);
    }
    gaps.sort_unstable_by_key(order);
    let mut left = span;
    let mut folds = Vec::new();
    for (from, to) in gaps {
        let rest = left - (to - from);
        if rest <= 0 || (to - from) / 2 < rest / PART {
            break;
        }
        left = rest;
        folds.push((from, to));
    }
    folds.sort_unstable();
    folds
}

/// Folds of an axis.
const MOST_FOLDS: usize = 12;
/// A gap is folded if two of them are longer than this part of what is left.
const PART: i64 = 6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_time_is_folded_and_short_gaps_are_not() {
        // A header hours before the rest.
        assert_eq!(folds(&[(0, 1), (36_000, 36_010), (36_012, 36_100)], 36_100), [(1, 36_000)]);
        assert_eq!(folds(&[(0, 10), (11, 20), (22, 30)], 30), []);
        // Two bursts far from each other.
        assert_eq!(folds(&[(0, 5), (100, 105)], 105), [(5, 100)]);
        // Nothing would be left.
        assert_eq!(folds(&[(0, 0), (100, 100)], 100), []);
        assert_eq!(folds(&[], 0), []);
    }
}
