//! Where the ticks of a sorted list are.

use std::ops::Range;

/// Divides the time of a list that is in order of ticks into equal parts, and has the place at which each begins: a few
/// entries are left to search.
#[derive(Clone, Debug, Default)]
pub(super) struct TickIndex {
    first: i64,
    /// The length of a part, as a power of two.
    shift: u32,
    /// The place of the first entry of each part, and the end of the list.
    starts: Vec<u32>,
}

/// Entries of a part, if they are evenly distributed.
const ENTRIES: usize = 4;

impl TickIndex {
    /// Indexes the ticks of a list, which are in order.
    pub(super) fn new(ticks: impl ExactSizeIterator<Item = i64> + DoubleEndedIterator + Clone) -> Self {
        let len = ticks.len();
        let (Some(first), Some(last)) = (ticks.clone().next(), ticks.clone().next_back()) else {
            return Self::default();
        };
        let most = (len / ENTRIES).max(1) as u64;
        let span = last.abs_diff(first);
        let shift = (u64::BITS - (span / most).leading_zeros()).min(u64::BITS - 1);
        let mut starts = vec![0; (span >> shift) as usize + 2];
        for tick in ticks {
            if let Some(next) = starts.get_mut((tick.abs_diff(first) >> shift) as usize + 1) {
                *next += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        Self { first, shift, starts }
    }

    /// Returns the places that all entries of a tick are among.
    #[inline]
    pub(super) fn near(&self, tick: i64) -> Range<usize> {
        if tick < self.first {
            return 0..0;
        }
        let part = (tick.abs_diff(self.first) >> self.shift) as usize;
        match self.starts.get(part..).and_then(<[u32]>::first_chunk) {
            Some([start, end]) => *start as usize..*end as usize,
            None => 0..0,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn all_entries_of_a_tick_are_near(
            mut ticks in prop::collection::vec(prop_oneof![-20_i64..20, any::<i64>()], 0..60),
            other in any::<i64>(),
        ) {
            ticks.sort_unstable();
            let index = TickIndex::new(ticks.iter().copied());
            for tick in ticks.iter().copied().chain([other, i64::MIN, i64::MAX]) {
                let near = index.near(tick);
                for (place, found) in ticks.iter().enumerate() {
                    prop_assert!(*found != tick || near.contains(&place), "{} at {} of {:?}", tick, place, near);
                }
                prop_assert!(near.end <= ticks.len());
            }
        }
    }

    #[test]
    fn a_part_has_few_entries() {
        let ticks: Vec<i64> = (0..100_000).map(|tick| tick * 1000).collect();
        let index = TickIndex::new(ticks.iter().copied());
        assert!((0..100_000).all(|tick| index.near(tick * 1000).len() <= 2 * ENTRIES));
        assert!(index.starts.len() <= 100_000 / ENTRIES + 2);
    }
}
