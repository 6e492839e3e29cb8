//! The ranges of a file that a search for buffers has passed, so that no byte is searched twice.

use std::collections::BTreeMap;
use std::ops::Range;

/// Ranges of a file in which no buffer begins that another one, or the end, follows.
#[derive(Debug, Default)]
pub(super) struct SearchedRanges {
    /// Their ends, by their starts. They neither overlap nor touch.
    ranges: BTreeMap<u64, u64>,
    /// Bytes of all ranges that were ever noted: how much was searched.
    #[cfg(test)]
    pub(super) total: u64,
}

impl SearchedRanges {
    /// Returns the first place from `at` on that is in no range.
    pub(super) fn skip(&self, at: u64) -> u64 {
        let before = self.ranges.range(..=at).next_back();
        before.map_or(at, |(_, end)| at.max(*end))
    }

    /// Returns where the next range after `at` begins, which is in none itself.
    pub(super) fn next_after(&self, at: u64) -> Option<u64> {
        self.ranges.range(at..).next().map(|(start, _)| *start)
    }

    /// Takes a range that at most touches others.
    pub(super) fn note(&mut self, range: Range<u64>) {
        let Range { mut start, mut end } = range;
        if start >= end {
            return;
        }
        #[cfg(test)]
        {
            self.total += end - start;
        }
        // Adjacent ranges are merged, which keeps their number low.
        if let Some(further) = self.ranges.remove(&end) {
            end = further;
        }
        if let Some((before, _)) = self.ranges.range(..start).next_back().filter(|(_, to)| **to == start) {
            start = *before;
        }
        self.ranges.insert(start, end);
    }

    /// Forgets the ranges before `at`: they are not searched again.
    pub(super) fn forget_before(&mut self, at: u64) {
        while let Some(first) = self.ranges.first_entry().filter(|first| *first.get() <= at) {
            first.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_touch_become_one() {
        let mut searched = SearchedRanges::default();
        searched.note(100..200);
        searched.note(300..400);
        assert_eq!(
            (searched.skip(50), searched.skip(100), searched.skip(199), searched.skip(200)),
            (50, 200, 200, 200)
        );
        assert_eq!((searched.next_after(200), searched.next_after(400)), (Some(300), None));
        searched.note(200..300);
        assert_eq!((searched.ranges.len(), searched.skip(100), searched.total), (1, 400, 300));
        searched.forget_before(399);
        assert_eq!(searched.skip(150), 400);
        searched.forget_before(400);
        assert_eq!(searched.skip(150), 150);
    }
}
