//! The sums and durations of a family.

use crate::limits::DURATIONS;

/// The spans of a family.
#[derive(Clone, Debug, Default)]
pub(crate) struct Total {
    /// Of each complete span, in units of 100 ns.
    durations: Vec<u64>,
    pub(crate) count: u64,
    pub(crate) open: u64,
    pub(crate) orphaned: u64,
    pub(crate) sum: u64,
    pub(crate) max: u64,
}

impl Total {
    /// Adds a complete span; returns whether its duration is kept.
    pub(crate) fn add(&mut self, duration: u64, kept: &mut usize) -> bool {
        self.count += 1;
        self.sum = self.sum.saturating_add(duration);
        self.max = self.max.max(duration);
        let has_room = *kept < DURATIONS;
        if has_room {
            *kept += 1;
            self.durations.push(duration);
        }
        has_room
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.count == 0 && self.open == 0 && self.orphaned == 0
    }

    /// Returns the durations, the shortest first.
    pub(crate) fn sorted(&self) -> Vec<u64> {
        let mut sorted = self.durations.clone();
        sorted.sort_unstable();
        sorted
    }
}
