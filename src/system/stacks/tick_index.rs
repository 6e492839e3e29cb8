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
    /// Begins the index of a list of so many ticks, from the first one to the last one.
    pub(super) fn between(first: i64, last: i64, len: usize) -> Self {
        let most = (len / ENTRIES).max(1) as u64;
        let span = last.abs_diff(first);
        let shift = (u64::BITS - (span / most).leading_zeros()).min(u64::BITS - 1);
        Self { first, shift, starts: vec![0; (span >> shift) as usize + 2] }
    }

    /// Counts a tick of the list. Returns its offset.
    pub(super) fn count(&mut self, tick: i64) -> u64 {
        let offset = self.offset(tick);
        if let Some(next) = self.starts.get_mut((offset >> self.shift) as usize + 1) {
            *next += 1;
        }
        offset
    }

    /// Makes it ready for lookups, when all are counted.
    pub(super) fn freeze(&mut self) {
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
    }

    /// Returns whether the ticks of a part differ in their low 32 bits.
    pub(super) const fn is_fine(&self) -> bool {
        self.shift <= u32::BITS
    }

    /// Returns how many ticks one is after the first one.
    #[inline]
    pub(super) const fn offset(&self, tick: i64) -> u64 {
        tick.abs_diff(self.first)
    }

    /// Returns the parts: number, and places of the entries.
    pub(super) fn parts(&self) -> impl Iterator<Item = (u64, Range<usize>)> {
        let starts = self.starts.iter().zip(self.starts.iter().skip(1));
        (0..).zip(starts).map(|(part, (start, end))| (part, *start as usize..*end as usize))
    }

    /// Returns the tick of an entry of a part, by the bits of its offset that the parts do not give.
    pub(super) const fn tick(&self, part: u64, low: u64) -> i64 {
        let offset = part << self.shift | low & ((1 << self.shift) - 1);
        self.first.wrapping_add_unsigned(offset)
    }

    /// Returns the places that all entries of a tick are among.
    #[inline]
    pub(super) fn near(&self, tick: i64) -> Range<usize> {
        if tick < self.first {
            return 0..0;
        }
        let part = (self.offset(tick) >> self.shift) as usize;
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

    fn index(ticks: &[i64]) -> TickIndex {
        let Some((first, last)) = ticks.first().zip(ticks.last()) else { return TickIndex::default() };
        let mut index = TickIndex::between(*first, *last, ticks.len());
        for tick in ticks {
            assert_eq!(index.count(*tick), tick.abs_diff(*first));
        }
        index.freeze();
        index
    }

    proptest! {
        #[test]
        fn all_entries_of_a_tick_are_near(
            mut ticks in prop::collection::vec(prop_oneof![-20_i64..20, any::<i64>()], 0..60),
            other in any::<i64>(),
        ) {
            ticks.sort_unstable();
            let index = index(&ticks);
            let again: Vec<i64> = index
                .parts()
                .flat_map(|(part, places)| places.map(move |place| (part, place)))
                .map(|(part, place)| index.tick(part, index.offset(ticks[place])))
                .collect();
            prop_assert_eq!(&again, &ticks);
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
        let index = index(&ticks);
        assert!((0..100_000).all(|tick| index.near(tick * 1000).len() <= 2 * ENTRIES));
        assert!(index.starts.len() <= 100_000 / ENTRIES + 2);
    }
}
