//! Addresses from their allocation to their release.

use super::fact::Range;
use super::ranges::Ranges;

/// Ranges of addresses that are there. Each address belongs to the event that added it.
#[derive(Clone, Debug, Default)]
pub(super) struct Followed {
    /// Those of events that count.
    counted: Ranges,
    /// Those of all others.
    others: Ranges,
    /// Bytes of those that count and were there when the trace began.
    before: u64,
    peak: u64,
}

impl Followed {
    /// Adds what is not there of a range.
    pub(super) fn add(&mut self, Range { start, len }: Range, is_counted: bool) {
        if is_counted {
            self.counted.add_without((start, len), &self.others);
            self.peak = self.peak.max(self.counted.bytes());
        } else {
            self.others.add_without((start, len), &self.counted);
        }
    }

    /// Adds a range that was there when the trace began.
    pub(super) fn add_old(&mut self, range: Range, is_counted: bool) {
        let before = self.counted.bytes();
        self.add(range, is_counted);
        self.before += self.counted.bytes() - before;
    }

    pub(super) fn remove(&mut self, Range { start, len }: Range) {
        self.counted.remove(start, len);
        self.others.remove(start, len);
    }

    /// Returns how many ranges had no room.
    pub(super) const fn excess(&self) -> u64 {
        self.counted.excess() + self.others.excess()
    }

    /// Returns the bytes that count and are there, less those that were there when the trace began.
    pub(super) fn net(&self) -> i64 {
        self.counted.bytes().cast_signed().saturating_sub_unsigned(self.before)
    }

    /// Returns the most bytes that counted at once.
    pub(super) const fn peak(&self) -> u64 {
        self.peak
    }
}
