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

/// Returns a percentile by nearest rank: the smallest of the sorted values that at least that share of them does not
/// exceed. It is always one of the values.
pub(crate) fn percentile(sorted: &[u64], percent: usize) -> Option<u64> {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_by_nearest_rank() {
        // The example of the textbooks: 15, 20, 35, 40, 50.
        let of = |percent| percentile(&[15, 20, 35, 40, 50], percent).unwrap();
        assert_eq!([of(5), of(30), of(40), of(50), of(100)], [15, 20, 20, 35, 50]);
        assert_eq!(percentile(&[], 50), None);
    }
}
