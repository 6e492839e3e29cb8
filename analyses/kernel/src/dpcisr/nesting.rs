//! Time without what interrupted it.

use etwkit_analysis::Excess;

/// What ended on one processor, and may have interrupted what ends later.
#[derive(Clone, Debug, Default)]
pub(super) struct Nesting {
    /// Begin and length in ticks, in the order of their ends. What lies within another one is not listed.
    ended: Vec<(i64, u64)>,
    /// The last begin of those that were forgotten.
    forgotten: Option<i64>,
    excess: Excess,
}

/// Spans that are remembered: at least half as many interrupts within one DPC are subtracted.
const MOST: usize = 4096;

impl Nesting {
    /// Returns how many spans had others within them that were forgotten, and are not subtracted.
    pub(super) const fn excess(&self) -> u64 {
        self.excess.count()
    }

    /// Returns the ticks of a span, which ends after all others so far, without those of the spans within it.
    pub(super) fn exclusive(&mut self, start: i64, end: i64) -> u64 {
        let length = end.saturating_sub(start).max(0) as u64;
        let mut inner = 0_u64;
        while let Some((_, ticks)) = self.ended.pop_if(|(begin, _)| *begin >= start) {
            inner = inner.saturating_add(ticks);
        }
        if self.forgotten.is_some_and(|begin| begin >= start) {
            self.excess.add(1);
        }
        // Those that began first are not within a later one unless it is very long.
        if self.ended.len() >= MOST {
            self.forgotten = self.ended.drain(..MOST / 2).next_back().map(|(begin, _)| begin);
        }
        self.ended.push((start, length));
        length.saturating_sub(inner)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn interrupts_within_a_dpc_are_not_its_time() {
        let mut nesting = Nesting::default();
        assert_eq!(nesting.exclusive(0, 5), 5);
        assert_eq!(nesting.exclusive(12, 13), 1);
        assert_eq!(nesting.exclusive(15, 18), 3);
        assert_eq!(nesting.exclusive(16, 20), 4); // begins within the one before: no nesting
        assert_eq!(nesting.exclusive(10, 30), 30 - 10 - 1 - 3 - 4);
        assert_eq!(nesting.exclusive(30, 40), 10);
    }

    #[test]
    fn spans_are_forgotten_without_a_loss_unless_a_later_one_has_them_within() {
        let mut nesting = Nesting::default();
        let spans = 3 * i64::try_from(MOST).unwrap();
        for at in 0..spans {
            assert_eq!(nesting.exclusive(10 * at, 10 * at + 4), 4);
        }
        assert_eq!(nesting.excess(), 0);
        // The last 100 are known.
        assert_eq!(nesting.exclusive(10 * (spans - 100), 10 * spans), 1000 - 400);
        assert_eq!(nesting.excess(), 0);
        nesting.exclusive(0, 10 * spans + 1);
        assert_eq!(nesting.excess(), 1);
    }

    proptest! {
        #[test]
        fn exclusive_times_add_up_to_what_is_covered(inner in prop::collection::vec((0_i64..10, 1_i64..10), 0..50)) {
            // Spans one after the other, all within a last one.
            let (mut nesting, mut at, mut sum) = (Nesting::default(), 0, 0);
            for (gap, length) in inner {
                sum += nesting.exclusive(at + gap, at + gap + length);
                at += gap + length;
            }
            prop_assert_eq!(sum + nesting.exclusive(0, at + 1), (at + 1) as u64);
        }
    }
}
