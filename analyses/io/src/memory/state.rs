//! The memory of one process.

use super::fact::{Flags, Range, What};
use super::followed::Followed;
use super::heap::Heaps;
use super::working_sets::Sizes;

/// The memory of one process.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) allocations: u64,
    pub(super) reserved_bytes: u64,
    pub(super) committed_bytes: u64,
    pub(super) frees: u64,
    /// Whether any event of a range counts.
    has_ranges: bool,
    reserved: Followed,
    committed: Followed,
    pub(super) heaps: Heaps,
    /// The greatest of each size.
    pub(super) greatest: Option<Sizes>,
}

impl State {
    /// Takes what an event states, and whether it counts. A range and a block count if the event of their allocation
    /// does.
    pub(super) fn take(&mut self, what: What, is_counted: bool) {
        match what {
            What::Allocated(range, flags) => self.allocated(range, flags, is_counted),
            What::Freed(range, flags) => self.freed(range, flags, is_counted),
            What::Existed(range, flags) => self.existed(range, flags, is_counted),
            What::HeapAllocated(block, bytes) => self.heaps.allocated(block, bytes, is_counted),
            What::HeapReallocated(old, new, bytes) => {
                self.heaps.forget(old);
                self.heaps.allocated(new, bytes, is_counted);
            }
            What::HeapFreed(block) => self.heaps.freed(block, is_counted),
            What::HeapDestroyed(heap) => self.heaps.destroyed(heap),
            What::Sizes(set) if is_counted => {
                let greatest = self.greatest.get_or_insert_default();
                greatest.working_set = greatest.working_set.max(set.working_set);
                greatest.private_working_set = greatest.private_working_set.max(set.private_working_set);
                greatest.commit = greatest.commit.max(set.commit);
            }
            What::Sizes(_) => {}
        }
    }

    /// Returns how many ranges and blocks had no room.
    pub(super) const fn excess(&self) -> u64 {
        self.heaps.excess() + self.reserved.excess() + self.committed.excess()
    }

    /// Returns whether any event of it counts.
    pub(super) const fn is_counted(&self) -> bool {
        self.has_ranges || self.heaps.is_counted() || self.greatest.is_some()
    }

    /// Returns the addresses that are reserved and committed; `None` if no event of a range counts.
    pub(super) fn ranges(&self) -> Option<(&Followed, &Followed)> {
        self.has_ranges.then_some((&self.reserved, &self.committed))
    }

    fn allocated(&mut self, range: Range, flags: Flags, is_counted: bool) {
        let len = if is_counted { range.len } else { 0 };
        self.has_ranges |= is_counted;
        self.allocations += u64::from(is_counted);
        if flags.reserves() {
            self.reserved_bytes = self.reserved_bytes.saturating_add(len);
            self.reserved.add(range, is_counted);
        }
        if flags.commits() {
            self.committed_bytes = self.committed_bytes.saturating_add(len);
            self.committed.add(range, is_counted);
        }
    }

    fn freed(&mut self, range: Range, flags: Flags, is_counted: bool) {
        self.has_ranges |= is_counted;
        self.frees += u64::from(is_counted);
        self.committed.remove(range);
        if flags.releases() {
            self.reserved.remove(range);
        }
    }

    fn existed(&mut self, range: Range, flags: Flags, is_counted: bool) {
        self.has_ranges |= is_counted;
        if flags.reserves() {
            self.reserved.add_old(range, is_counted);
        }
        if flags.commits() {
            self.committed.add_old(range, is_counted);
        }
    }
}
