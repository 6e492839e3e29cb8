//! Blocks of heaps from their allocation to their release.

use std::collections::BTreeMap;

use etwkit_analysis::Excess;

use super::fact::Block;
use crate::limits::MOST_OPEN;

/// The heaps of one process.
#[derive(Clone, Debug, Default)]
pub(super) struct Heaps {
    /// Bytes of blocks that are there, and whether the event of their allocation counts. Sorted, so that those of a heap are
    /// together.
    blocks: BTreeMap<Block, (u64, bool)>,
    pub(super) allocations: u64,
    pub(super) bytes: u64,
    pub(super) frees: u64,
    /// Bytes of those that count.
    live: u64,
    peak: u64,
    excess: Excess,
}

impl Heaps {
    pub(super) fn allocated(&mut self, block: Block, bytes: u64, is_counted: bool) {
        self.forget(block);
        if is_counted {
            self.allocations += 1;
            self.bytes = self.bytes.saturating_add(bytes);
        }
        if self.excess.admits(self.blocks.len(), MOST_OPEN) {
            self.blocks.insert(block, (bytes, is_counted));
            self.live = self.live.saturating_add(if is_counted { bytes } else { 0 });
            self.peak = self.peak.max(self.live);
        }
    }

    /// A block is elsewhere now: what it is there is another block.
    pub(super) fn forget(&mut self, block: Block) {
        if let Some((bytes, true)) = self.blocks.remove(&block) {
            self.live = self.live.saturating_sub(bytes);
        }
    }

    pub(super) fn freed(&mut self, block: Block, is_counted: bool) {
        self.frees += u64::from(is_counted);
        self.forget(block);
    }

    /// A heap is gone. Nobody freed its blocks one by one.
    pub(super) fn destroyed(&mut self, heap: u64) {
        while let Some((block, _)) = self.blocks.range((heap, 0)..=(heap, u64::MAX)).next() {
            self.forget(*block);
        }
    }

    /// Returns how many blocks had no room.
    pub(super) const fn excess(&self) -> u64 {
        self.excess.count()
    }

    /// Returns whether any event counts.
    pub(super) const fn is_counted(&self) -> bool {
        self.allocations + self.frees > 0
    }

    /// Returns the bytes of blocks that count and were not freed, and the most of them at once.
    pub(super) fn net_and_peak(&self) -> Option<(u64, u64)> {
        self.is_counted().then_some((self.live, self.peak))
    }
}
