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
        /// Bytes that are reserved at the end, less those at the begin.
        net_reserved_bytes: i64 as Count,
        /// Bytes that are committed at the end, less those at the begin.
        net_committed_bytes: i64 as Count,
        /// Most bytes that were committed at once, as far as events say.
        peak_committed_bytes: u64 as Count,
        /// Blocks of heaps that were allocated, also to grow or shrink one.
        heap_allocs: u64 as Count,
        /// Bytes of these.
        heap_bytes: u64 as Count,
        /// Blocks of heaps that were freed.
        heap_frees: u64 as Count,
        /// Bytes of blocks that were allocated and are not freed.
        heap_net_bytes: u64 as Count,
        /// Most bytes of such blocks at once.
        heap_peak_bytes: u64 as Count,
        /// Bytes of the greatest working set; absent if no event has it.
        working_set_bytes_max: Option<u64> as Count,
        /// Bytes of the greatest private working set; absent if no event has it.
        private_working_set_bytes_max: Option<u64> as Count,
        /// Most bytes that were committed, by the events of working sets.
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

    fn interest() -> Interest {
        INTEREST
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self::default())
    }

    fn fact(event: &Event<'_>) -> Option<MemoryFact> {
        MemoryFact::of(event)
    }

    fn step(&mut self, MemoryFact(list): MemoryFact, _: &Trace) {
        for (process, what) in list {
            self.table.sum(process, ()).take(what);
        }
    }

    fn excess(&self) -> u64 {
        self.table.excess() + self.table.sums().map(State::excess).sum::<u64>()
    }

    fn finish(self, _: &Trace) -> Vec<MemoryRow> {
        let mut rows: Vec<MemoryRow> = self.table.into_sums().into_iter().map(row).collect();
        rows.sort_by_key(|row| Reverse((row.peak_committed_bytes, row.heap_peak_bytes, row.commit_bytes_max)));
        rows
    }
}

fn row(ProcessSum { key, process, sum: state, .. }: ProcessSum<(), State>) -> MemoryRow {
    let net = |now: u64, before: u64| now.cast_signed().saturating_sub_unsigned(before);
    let bytes = |pages: u64| pages.saturating_mul(PAGE);
    MemoryRow {
        pid: key.pid,
        process,
        allocs: state.allocations,
        reserved_bytes: state.reserved_bytes,
        committed_bytes: state.committed_bytes,
        frees: state.frees,
        net_reserved_bytes: net(state.reserved.bytes(), state.reserved_before),
        net_committed_bytes: net(state.committed.bytes(), state.committed_before),
        peak_committed_bytes: state.committed_peak,
        heap_allocs: state.heap_allocations,
        heap_bytes: state.heap_bytes,
        heap_frees: state.heap_frees,
        heap_net_bytes: state.heap_live,
        heap_peak_bytes: state.heap_peak,
        working_set_bytes_max: state.greatest.map(|set| bytes(set.working_set)),
        private_working_set_bytes_max: state.greatest.map(|set| bytes(set.private_working_set)),
        commit_bytes_max: state.greatest.map(|set| bytes(set.commit)),
    }
}
