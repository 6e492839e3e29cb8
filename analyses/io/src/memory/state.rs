//! The memory of one process.

use std::collections::HashMap;

use etwkit_analysis::Excess;

use super::fact::{Block, Flags, Range, What};
use super::ranges::Ranges;
use super::working_sets::Sizes;
use crate::limits::MOST_OPEN;

/// The memory of one process.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) allocations: u64,
    pub(super) reserved_bytes: u64,
    pub(super) committed_bytes: u64,
    pub(super) frees: u64,
    /// Ranges that are reserved and committed, as far as events say.
    pub(super) reserved: Ranges,
    pub(super) committed: Ranges,
    /// Bytes of ranges that were committed when the trace began.
    pub(super) committed_before: u64,
    pub(super) reserved_before: u64,
    pub(super) committed_peak: u64,
    pub(super) heap_allocations: u64,
    pub(super) heap_bytes: u64,
    pub(super) heap_frees: u64,
    /// Bytes of blocks that are there.
    blocks: HashMap<Block, u64>,
    pub(super) heap_live: u64,
    pub(super) heap_peak: u64,
    /// The greatest of each size.
    pub(super) greatest: Option<Sizes>,
    /// Blocks that have no room.
    excess: Excess,
}

impl State {
    pub(super) fn take(&mut self, what: What) {
        match what {
            What::Allocated(range, flags) => self.allocated(range, flags),
            What::Freed(range, flags) => self.freed(range, flags),
            What::Existed(range, flags) => self.existed(range, flags),
            What::HeapAllocated(block, bytes) => self.heap_allocated(block, bytes),
            What::HeapReallocated(old, new, bytes) => {
                self.forget(old);
                self.heap_allocated(new, bytes);
            }
            What::HeapFreed(block) => {
                self.heap_frees += 1;
                self.forget(block);
            }
            What::Sizes(set) => {
                let greatest = self.greatest.get_or_insert_default();
                greatest.working_set = greatest.working_set.max(set.working_set);
                greatest.private_working_set = greatest.private_working_set.max(set.private_working_set);
                greatest.commit = greatest.commit.max(set.commit);
            }
        }
    }

    pub(super) const fn excess(&self) -> u64 {
        self.excess.count() + self.reserved.excess() + self.committed.excess()
    }

    fn allocated(&mut self, Range { start, len }: Range, flags: Flags) {
        self.allocations += 1;
        if flags.reserves() {
            self.reserved_bytes = self.reserved_bytes.saturating_add(len);
            self.reserved.add(start, len);
        }
        if flags.commits() {
            self.committed_bytes = self.committed_bytes.saturating_add(len);
            self.committed.add(start, len);
        }
        self.committed_peak = self.committed_peak.max(self.committed.bytes());
    }

    fn freed(&mut self, Range { start, len }: Range, flags: Flags) {
        self.frees += 1;
        self.committed.remove(start, len);
        if flags.releases() {
            self.reserved.remove(start, len);
        }
    }

    fn existed(&mut self, range: Range, flags: Flags) {
        if flags.reserves() {
            self.reserved_before += added(&mut self.reserved, &range);
        }
        if flags.commits() {
            self.committed_before += added(&mut self.committed, &range);
        }
        self.committed_peak = self.committed_peak.max(self.committed.bytes());
    }

    fn heap_allocated(&mut self, block: Block, bytes: u64) {
        self.heap_allocations += 1;
        self.heap_bytes = self.heap_bytes.saturating_add(bytes);
        self.forget(block);
        if self.excess.admits(self.blocks.len(), MOST_OPEN) {
            self.blocks.insert(block, bytes);
            self.heap_live = self.heap_live.saturating_add(bytes);
            self.heap_peak = self.heap_peak.max(self.heap_live);
        }
    }

    fn forget(&mut self, block: Block) {
        self.heap_live = self.heap_live.saturating_sub(self.blocks.remove(&block).unwrap_or(0));
    }
}

/// Adds a range and returns by how many bytes there are more.
fn added(ranges: &mut Ranges, range: &Range) -> u64 {
    let before = ranges.bytes();
    ranges.add(range.start, range.len);
    ranges.bytes() - before
}
