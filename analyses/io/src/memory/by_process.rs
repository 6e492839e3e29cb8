//! Memory of each process.

use std::cmp::Reverse;

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest};
use etwkit_kernel_analyses::{ProcessSum, ProcessTable};

use super::fact::{INTEREST, MemoryFact};
use super::state::State;

/// Bytes of a page on x86, x64 and ARM64.
const PAGE: u64 = 4096;

etwkit_analysis::row! {
    /// Memory of a process.
    pub struct MemoryRow {
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of its image.
        process: Option<String> as Text,
        /// Calls that reserved or committed memory.
        allocs: u64 as Count,
        /// Bytes that were reserved.
        reserved_bytes: u64 as Count,
        /// Bytes that were committed, some perhaps more than once.
        committed_bytes: u64 as Count,
        /// Calls that decommitted or released memory.
        frees: u64 as Count,
        /// Bytes that are reserved at the end, less those at the begin; absent if no event of a range counts.
        net_reserved_bytes: Option<i64> as Count,
        /// Bytes that are committed at the end, less those at the begin; absent likewise.
        net_committed_bytes: Option<i64> as Count,
        /// The most bytes that were committed at once, as far as events state it; absent likewise.
        peak_committed_bytes: Option<u64> as Count,
        /// Blocks of heaps that were allocated, also to grow or shrink one.
        heap_allocs: u64 as Count,
        /// Bytes of these.
        heap_bytes: u64 as Count,
        /// Blocks of heaps that were freed.
        heap_frees: u64 as Count,
        /// Bytes of blocks that were allocated and are not freed; absent if no event of a heap counts.
        heap_net_bytes: Option<u64> as Count,
        /// The most bytes of such blocks at once; absent likewise.
        heap_peak_bytes: Option<u64> as Count,
        /// Bytes of the greatest working set; absent if no event has it.
        working_set_bytes_max: Option<u64> as Count,
        /// Bytes of the greatest private working set; absent if no event has it.
        private_working_set_bytes_max: Option<u64> as Count,
        /// The most bytes that were committed, by the events of working sets.
        commit_bytes_max: Option<u64> as Count,
    }
}

/// Adds up the memory of each process.
#[derive(Debug, Default)]
pub struct MemoryByProcess {
    table: ProcessTable<(), State>,
}

impl Analysis for MemoryByProcess {
    type Fact = MemoryFact;
    type Row = MemoryRow;

    const JOINS_EVENTS: bool = true;

    fn interest() -> Interest {
        INTEREST
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self::default())
    }

    fn fact(event: &Event<'_>) -> Option<MemoryFact> {
        MemoryFact::of(event)
    }

    fn choose(
        fact: &mut MemoryFact,
        event: &Event<'_>,
        is_chosen: &dyn Fn((Option<u32>, Option<u32>)) -> bool,
    ) -> bool {
        fact.choose(event, is_chosen)
    }

    fn step(&mut self, fact: MemoryFact, _: &Trace) {
        self.take(fact, true);
    }

    fn follow(&mut self, fact: MemoryFact, _: &Trace) {
        self.take(fact, false);
    }

    fn excess(&self) -> u64 {
        self.table.excess() + self.table.sums().map(State::excess).sum::<u64>()
    }

    fn finish(self, _: &Trace) -> Vec<MemoryRow> {
        let counted = self.table.into_sums().into_iter().filter(|sum| sum.sum.is_counted());
        let mut rows: Vec<MemoryRow> = counted.map(row).collect();
        rows.sort_by_key(|row| Reverse((row.peak_committed_bytes, row.heap_peak_bytes, row.commit_bytes_max)));
        rows
    }
}

impl MemoryByProcess {
    fn take(&mut self, MemoryFact(list): MemoryFact, is_chosen: bool) {
        for (process, what) in list {
            self.table.sum(process, ()).take(what, is_chosen);
        }
    }
}

fn row(ProcessSum { key, process, sum: state, .. }: ProcessSum<(), State>) -> MemoryRow {
    let bytes = |pages: u64| pages.saturating_mul(PAGE);
    let (ranges, heap) = (state.ranges(), state.heaps.net_and_peak());
    MemoryRow {
        pid: key.pid,
        process,
        allocs: state.allocations,
        reserved_bytes: state.reserved_bytes,
        committed_bytes: state.committed_bytes,
        frees: state.frees,
        net_reserved_bytes: ranges.map(|(reserved, _)| reserved.net()),
        net_committed_bytes: ranges.map(|(_, committed)| committed.net()),
        peak_committed_bytes: ranges.map(|(_, committed)| committed.peak()),
        heap_allocs: state.heaps.allocations,
        heap_bytes: state.heaps.bytes,
        heap_frees: state.heaps.frees,
        heap_net_bytes: heap.map(|(net, _)| net),
        heap_peak_bytes: heap.map(|(_, peak)| peak),
        working_set_bytes_max: state.greatest.map(|set| bytes(set.working_set)),
        private_working_set_bytes_max: state.greatest.map(|set| bytes(set.private_working_set)),
        commit_bytes_max: state.greatest.map(|set| bytes(set.commit)),
    }
}
