//! Each garbage collection.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Time};

use crate::origin::milliseconds;

use super::by_process::{Processes, take};
use super::fact::{GcFact, INTEREST};
use super::heap::HeapStats;
use super::names::{kind_name, reason_name};
use super::state::Collection;

etwkit_analysis::row! {
    /// A garbage collection.
    pub struct GcEachRow {
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Number that the runtime gave it.
        number: u32 as Id,
        /// Time of its start, UTC.
        start: Time as Time,
        /// The oldest generation that it collected.
        generation: u32 as Id,
        /// Blocking, background, or foreground: blocking during a background one.
        kind: String as Text,
        /// Number of the reason, as the runtime numbers it.
        reason: u32 as Id,
        /// Milliseconds in which the program was suspended for it.
        pause_ms: f64 as Real,
        /// Milliseconds until the program was suspended.
        suspend_ms: f64 as Real,
        /// Milliseconds from its start to its end.
        duration_ms: Option<f64> as Real,
        /// Bytes that it promoted.
        promoted_bytes: u64 as Count,
        /// Bytes of all generations after it.
        heap_bytes: Option<u64> as Count,
        /// Name of the reason.
        reason_name: Option<&'static str> as Text,
        /// Bytes that were allocated since the collection before, by the ticks of about 100 KB.
        alloc_bytes: u64 as Count,
        /// Megabytes (10^6 bytes) that were allocated a second since the collection before.
        alloc_mb_s: Option<f64> as Real,
        /// The pause as a share of the time since the collection before, in per cent.
        pause_percent: Option<f64> as Real,
        /// Bytes of generation 0 after it.
        gen0_bytes: Option<u64> as Count,
        /// Bytes of generation 1 after it.
        gen1_bytes: Option<u64> as Count,
        /// Bytes of generation 2 after it.
        gen2_bytes: Option<u64> as Count,
        /// Bytes of large objects after it.
        loh_bytes: Option<u64> as Count,
        /// Bytes of the heap of pinned objects after it.
        poh_bytes: Option<u64> as Count,
        /// Bytes of generation 0 that survived.
        gen0_promoted_bytes: Option<u64> as Count,
        /// Bytes of generation 1 that survived.
        gen1_promoted_bytes: Option<u64> as Count,
        /// Bytes of generation 2 that survived.
        gen2_promoted_bytes: Option<u64> as Count,
        /// Bytes of large objects that survived.
        loh_promoted_bytes: Option<u64> as Count,
        /// Bytes of the heap of pinned objects that survived.
        poh_promoted_bytes: Option<u64> as Count,
        /// Bytes that are kept for finalizers.
        finalization_bytes: Option<u64> as Count,
        /// Pinned objects that it met.
        pinned_objects: Option<u32> as Count,
        /// Handles after it.
        gc_handles: Option<u32> as Count,
        /// Milliseconds of marking what stacks keep.
        mark_stack_ms: Option<f64> as Real,
        /// Milliseconds of marking what finalizers keep.
        mark_finalizer_ms: Option<f64> as Real,
        /// Milliseconds of marking what handles keep.
        mark_handles_ms: Option<f64> as Real,
        /// Milliseconds of marking what older generations keep.
        mark_older_ms: Option<f64> as Real,
    }
}

/// Lists the garbage collections of which all events are in the trace.
#[derive(Debug, Default)]
pub struct GcEach {
    processes: Processes,
}

impl Analysis for GcEach {
    type Fact = GcFact;
    type Row = GcEachRow;

    fn interest() -> Interest {
        INTEREST
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self::default())
    }

    fn fact(event: &Event<'_>) -> Option<GcFact> {
        GcFact::of(event)
    }

    fn step(&mut self, fact: GcFact, _: &Trace) {
        take(&mut self.processes, fact);
    }

    fn finish(self, _: &Trace) -> Vec<GcEachRow> {
        let mut rows = Vec::new();
        for (key, (name, state)) in &self.processes {
            let complete = state.list.iter().filter(|gc| gc.is_complete());
            rows.extend(complete.map(|gc| (gc.start, row(key.pid, name.as_deref(), gc))));
        }
        rows.sort_by_key(|(start, _)| *start);
        rows.into_iter().map(|(_, row)| row).collect()
    }
}

fn row(pid: Option<u32>, process: Option<&str>, gc: &Collection) -> GcEachRow {
    let HeapStats { sizes, promoted, for_finalizers, pinned_objects, handles } = gc.stats.unwrap_or_default();
    let [gen0_bytes, gen1_bytes, gen2_bytes, loh_bytes, poh_bytes] = sizes;
    let [gen0_promoted_bytes, gen1_promoted_bytes, gen2_promoted_bytes, loh_promoted_bytes, poh_promoted_bytes] =
        promoted;
    let [mark_stack_ms, mark_finalizer_ms, mark_handles_ms, mark_older_ms] = gc.marks;
    GcEachRow {
        pid,
        process: process.map(str::to_owned),
        number: gc.number,
        start: Time(gc.start),
        generation: gc.generation,
        kind: kind_name(gc.kind).to_owned(),
        reason: gc.reason,
        pause_ms: gc.pause,
        suspend_ms: gc.suspend,
        duration_ms: gc.stop.map(|stop| milliseconds(gc.start, stop)),
        promoted_bytes: gc.stats.map_or(0, |stats| stats.promoted()),
        heap_bytes: gc.stats.map(|stats| stats.size()),
        reason_name: reason_name(gc.reason),
        alloc_bytes: gc.allocated,
        alloc_mb_s: gc.allocation_rate(),
        pause_percent: gc.pause_percent(),
        gen0_bytes,
        gen1_bytes,
        gen2_bytes,
        loh_bytes,
        poh_bytes,
        gen0_promoted_bytes,
        gen1_promoted_bytes,
        gen2_promoted_bytes,
        loh_promoted_bytes,
        poh_promoted_bytes,
        finalization_bytes: for_finalizers,
        pinned_objects,
        gc_handles: handles,
        mark_stack_ms,
        mark_finalizer_ms,
        mark_handles_ms,
        mark_older_ms,
    }
}
