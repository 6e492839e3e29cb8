//! From when until when something was there.

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
    /// Returns whether it was there at one of these ticks.
    pub(super) fn holds(self, at: Ticks) -> bool {
        self.start.is_none_or(|start| start <= at.last) && self.end.is_none_or(|end| at.first <= end)
    }
}
