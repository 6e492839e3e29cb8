//! Ranges of addresses.

use std::collections::BTreeMap;

use etwkit_analysis::Excess;

/// Ranges that do not touch, by their first address, with the address after them; and how many bytes they have.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranges {
    list: BTreeMap<u64, u64>,
    bytes: u64,
    excess: Excess,
}

/// Ranges that are kept of a process.
const MOST: usize = 1 << 18;

impl Ranges {
    /// Returns how many bytes all ranges have.
    pub(super) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns how many ranges had no room.
    pub(super) const fn excess(&self) -> u64 {
        self.excess.count()
    }

    /// Adds a range. What is there already is not added again.
    pub(super) fn add(&mut self, start: u64, len: u64) {
        if len == 0 || !self.excess.admits(self.list.len(), MOST) {
            return;
        }
        let (mut first, mut end) = (start, start.saturating_add(len));
        while let Some((&before, &before_end)) = self.list.range(..=end).next_back() {
            if before_end < first {
                break;
            }
            (first, end) = (first.min(before), end.max(before_end));
            self.list.remove(&before);
            self.bytes -= before_end - before;
        }
        self.list.insert(first, end);
        self.bytes += end - first;
    }

    /// Adds the parts of a range that other ranges do not have.
    pub(super) fn add_without(&mut self, (start, len): (u64, u64), others: &Self) {
        let end = start.saturating_add(len);
        let from = others.list.range(..=start).next_back().map_or(start, |(first, _)| *first);
        let mut at = start;
        for (&first, &last) in others.list.range(from..end.max(from)) {
            self.add(at, first.saturating_sub(at));
            at = at.max(last);
        }
        self.add(at, end.saturating_sub(at));
    }

    /// Removes a range, as far as it is there.
    pub(super) fn remove(&mut self, start: u64, len: u64) {
        let end = start.saturating_add(len);
        while let Some((&first, &last)) = self.list.range(..end).next_back() {
            if last <= start {
                break;
            }
            self.list.remove(&first);
            self.bytes -= last - first;
            for (first, last) in [(first, start), (end, last)] {
                if first < last {
                    self.list.insert(first, last);
                    self.bytes += last - first;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_single_bytes() {
        let (mut ranges, mut bytes) = (Ranges::default(), [false; 64]);
        let mut number = 12_345_u64;
        for _ in 0..2_000 {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (start, len, is_added) = (number >> 58, number >> 50 & 7, number >> 40 & 1 == 1);
            if is_added {
                ranges.add(start, len);
            } else {
                ranges.remove(start, len);
            }
            let range = start as usize..64.min((start + len) as usize);
            bytes.get_mut(range).unwrap().fill(is_added);
            ranges.remove(64, 99);
            assert_eq!(ranges.bytes(), bytes.iter().filter(|byte| **byte).count() as u64);
        }
    }

    #[test]
    fn ranges_of_others_are_left_out() {
        let (mut others, mut ranges) = (Ranges::default(), Ranges::default());
        for (start, len) in [(0, 10), (20, 5), (30, 5), (50, 9)] {
            others.add(start, len);
        }
        ranges.add_without((5, 28), &others);
        // 10 to 20 and 25 to 30.
        assert_eq!(ranges.bytes(), 15);
        ranges.add_without((0, 60), &others);
        assert_eq!(ranges.bytes() + others.bytes(), 60);
        ranges.add_without((52, 3), &others);
        ranges.add_without((u64::MAX, 3), &others);
        assert_eq!(ranges.bytes() + others.bytes(), 60);
    }

    #[test]
    fn the_end_of_all_addresses_is_no_overflow() {
        let mut ranges = Ranges::default();
        ranges.add(u64::MAX - 1, 99);
        ranges.remove(u64::MAX, u64::MAX);
        assert_eq!(ranges.bytes(), 1);
    }
}
