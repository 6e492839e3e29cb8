//! From when until when something was there.

#[cfg(feature = "output")]
use std::ops::RangeInclusive;

use super::timeline::Ticks;

/// A span of ticks; both ends belong to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lifetime {
    /// `None` if it was there from the beginning of the trace.
    pub(super) start: Option<i64>,
    /// `None` if it was there until the end of the trace.
    pub(super) end: Option<i64>,
}

impl Lifetime {
    /// Returns from when something was there whose beginning no event states: since what was there before it ended, else
    /// from the beginning of the trace.
    pub(super) fn start_after(ended: Option<i64>) -> Option<i64> {
        ended.map(|end| end.saturating_add(1))
    }

    /// Lets it not begin before, or end after, another one. Returns whether its end has changed.
    pub(super) fn cut(&mut self, during: Self) -> bool {
        self.start = self.start.max(during.start);
        let is_longer = during.end.is_some_and(|last| self.end.is_none_or(|end| end > last));
        if is_longer {
            self.end = during.end;
        }
        is_longer
    }

    /// Returns those of the ticks around `tick` at which it was there, or was not, as at that one.
    #[cfg(feature = "output")]
    pub(super) fn same_as_at(self, tick: i64, ticks: RangeInclusive<i64>) -> RangeInclusive<i64> {
        let (mut first, mut last) = ticks.into_inner();
        match self.start {
            Some(start) if start <= tick => first = first.max(start),
            Some(start) => last = last.min(start - 1),
            None => {}
        }
        match self.end {
            Some(end) if end >= tick => last = last.min(end),
            Some(end) => first = first.max(end + 1),
            None => {}
        }
        first..=last
    }

    /// Returns whether both were there at one time.
    pub(super) fn overlaps(self, other: Self) -> bool {
        let is_over = |before: Self, next: Self| before.end.zip(next.start).is_some_and(|(end, start)| end < start);
        !is_over(self, other) && !is_over(other, self)
    }

    /// Returns whether no event states that it was there already when another one ended: `first` is when the first event
    /// stated it.
    pub(super) fn may_follow(self, before: Self, first: i64) -> bool {
        let is_after = |ended: i64| ended < first && self.end.is_none_or(|end| ended < end);
        self.start.is_none() && before.end.is_some_and(is_after)
    }

    /// Returns whether it was there at one of these ticks.
    pub(super) fn holds(self, at: Ticks) -> bool {
        self.start.is_none_or(|start| start <= at.last) && self.end.is_none_or(|end| at.first <= end)
    }
}
