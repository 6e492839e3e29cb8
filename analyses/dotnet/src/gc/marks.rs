//! Times of the phases in which a collection marks what roots keep.

use std::collections::HashMap;

use etwkit::FileTime;
use etwkit_analysis::Excess;

use crate::origin::milliseconds;

/// Kinds of roots: stacks, finalizers, handles, older generations.
pub(super) const ROOTS: usize = 4;
/// Heaps of a process: at most one per processor.
const MOST_HEAPS: usize = 4096;

/// When each heap ended its last phase of the collection that runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    ends: HashMap<u32, FileTime>,
    excess: Excess,
}

impl Marks {
    pub(super) const fn excess(&self) -> u64 {
        self.excess.count()
    }

    /// A collection begins.
    pub(super) fn clear(&mut self) {
        self.ends.clear();
    }

    /// A heap ended a phase: its time is that since the phase before, or the start of the collection. With several
    /// heaps, the longest counts, as they mark at once.
    pub(super) fn end(
        &mut self,
        (heap, root): (u32, u32),
        (start, time): (FileTime, FileTime),
        times: &mut [Option<f64>; ROOTS],
    ) {
        let before = self.ends.get(&heap).copied().unwrap_or(start);
        self.excess.insert(&mut self.ends, (heap, time), MOST_HEAPS);
        if let Some(longest) = times.get_mut(root as usize) {
            let own = milliseconds(before, time);
            *longest = Some(longest.map_or(own, |longest| longest.max(own)));
        }
    }
}
