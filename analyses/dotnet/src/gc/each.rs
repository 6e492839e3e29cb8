//! Each garbage collection.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Time};

use crate::origin::milliseconds;

use super::collection::Collection;
use super::fact::{GcFact, INTEREST, events_of_collections};
use super::heap::HeapStats;
use super::history::HeapHistory;
use super::names::{kind_name, reason_name};
use super::processes::Processes;

etwkit_analysis::row! {
    /// A garbage collection.
    #[derive(Default)]
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
        pause_ms: f64 as Milliseconds,
        /// Milliseconds until the program was suspended; absent if that event is not in the trace.
        suspend_ms: Option<f64> as Milliseconds,
        /// Milliseconds from its start to its end.
        duration_ms: Option<f64> as Milliseconds,
        /// Bytes that it promoted.
        promoted_bytes: u64 as Count,
        /// Bytes of all generations after it.
        heap_bytes: Option<u64> as Count,
        /// Name of the reason.
        reason_name: Option<&'static str> as Text,
        /// Bytes that were allocated since the collection before, by the ticks of about 100 KB.
        alloc_bytes: u64 as Count,
        /// Megabytes (10^6 bytes) that were allocated per second since the collection before.
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
        mark_stack_ms: Option<f64> as Milliseconds,
        /// Milliseconds of marking what finalizers keep.
        mark_finalizer_ms: Option<f64> as Milliseconds,
        /// Milliseconds of marking what handles keep.
        mark_handles_ms: Option<f64> as Milliseconds,
        /// Milliseconds of marking what older generations keep.
        mark_older_ms: Option<f64> as Milliseconds,
        /// Bytes of all generations before it.
        before_bytes: Option<u64> as Count,
        /// Survivors as a share of generation 0, in per cent; absent if they were not collected.
        gen0_survival_percent: Option<f64> as Real,
        /// Survivors as a share of generation 1, in per cent; absent if they were not collected.
        gen1_survival_percent: Option<f64> as Real,
        /// Survivors as a share of generation 2, in per cent; absent if they were not collected.
        gen2_survival_percent: Option<f64> as Real,
        /// Survivors as a share of the large objects, in per cent; absent if they were not collected.
        loh_survival_percent: Option<f64> as Real,
        /// Survivors as a share of the pinned objects, in per cent; absent if they were not collected.
        poh_survival_percent: Option<f64> as Real,
        /// Free bytes as a share of generation 0 after it, in per cent.
        gen0_free_percent: Option<f64> as Real,
        /// Free bytes as a share of generation 1 after it, in per cent.
        gen1_free_percent: Option<f64> as Real,
        /// Free bytes as a share of generation 2 after it, in per cent.
        gen2_free_percent: Option<f64> as Real,
        /// Free bytes as a share of the large objects after it, in per cent.
        loh_free_percent: Option<f64> as Real,
        /// Free bytes as a share of the pinned objects after it, in per cent.
        poh_free_percent: Option<f64> as Real,
        /// Milliseconds of CPU time of the threads that collected, by samples; absent without samples.
        gc_cpu_ms: Option<f64> as Milliseconds,
        /// That time as a share of the CPU time of the process since the collection before, in per cent.
        gc_cpu_percent: Option<f64> as Real,
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

    const JOINS_EVENTS: bool = true;

    fn interest() -> Interest {
        INTEREST
    }

    fn begin(trace: &Trace) -> Result<Self> {
        Ok(Self { processes: Processes::begin(trace)? })
    }

    fn events(trace: &Trace) -> u64 {
        events_of_collections(trace)
    }

    fn fact(event: &Event<'_>) -> Option<GcFact> {
        GcFact::of(event)
    }

    fn step(&mut self, fact: GcFact, _: &Trace) {
        self.processes.take(fact, true);
    }

    fn follow(&mut self, fact: GcFact, _: &Trace) {
        self.processes.take(fact, false);
    }

    fn end(&mut self, _: &Trace) {
        self.processes.end();
    }

    fn excess(&self) -> u64 {
        self.processes.excess()
    }

    fn finish(self, trace: &Trace) -> Vec<GcEachRow> {
        self.finish_by_row(trace).collect()
    }

    fn finish_by_row(self, _: &Trace) -> impl Iterator<Item = GcEachRow> {
        rows(self.processes)
    }
}

/// Returns the rows of the collections of all processes, in order of their starts.
pub(super) fn rows(processes: Processes) -> impl Iterator<Item = GcEachRow> {
    let processes: Vec<_> = processes.into_collections().collect();
    let mut places = Vec::new();
    for (process, (_, _, collections)) in processes.iter().enumerate() {
        places.extend(collections.places().iter().map(|place| (process, *place)));
    }
    places.sort_by_key(|(_, (start, _))| *start);
    places.into_iter().filter_map(move |(process, place)| {
        let (key, name, collections) = processes.get(process)?;
        Some(row(key.pid, name.as_deref(), &collections.get(place)))
    })
}

fn row(pid: Option<u32>, process: Option<&str>, gc: &Collection) -> GcEachRow {
    let mut row = GcEachRow {
        pid,
        process: process.map(str::to_owned),
        number: gc.number,
        start: Time(gc.start),
        generation: gc.generation,
        kind: kind_name(gc.kind).to_owned(),
        reason: gc.reason,
        reason_name: reason_name(gc.reason),
        pause_ms: gc.pause,
        suspend_ms: gc.suspend,
        duration_ms: gc.stop.map(|stop| milliseconds(gc.start, stop)),
        alloc_bytes: gc.allocated,
        alloc_mb_s: gc.allocation_rate(),
        pause_percent: gc.pause_percent(),
        gc_cpu_ms: gc.cpu.percent().map(|_| gc.cpu.collecting),
        gc_cpu_percent: gc.cpu.percent(),
        ..GcEachRow::default()
    };
    [row.mark_stack_ms, row.mark_finalizer_ms, row.mark_handles_ms, row.mark_older_ms] = gc.marks;
    if let Some(stats) = &gc.stats {
        row.add_stats(stats);
    }
    if let Some(history) = &gc.history {
        row.add_history(history);
    }
    row
}

impl GcEachRow {
    fn add_stats(&mut self, stats: &HeapStats) {
        self.promoted_bytes = stats.promoted();
        self.heap_bytes = Some(stats.size());
        [self.gen0_bytes, self.gen1_bytes, self.gen2_bytes, self.loh_bytes, self.poh_bytes] = stats.sizes;
        [
            self.gen0_promoted_bytes,
            self.gen1_promoted_bytes,
            self.gen2_promoted_bytes,
            self.loh_promoted_bytes,
            self.poh_promoted_bytes,
        ] = stats.promoted;
        self.finalization_bytes = stats.for_finalizers;
        self.pinned_objects = stats.pinned_objects;
        self.gc_handles = stats.handles;
    }

    fn add_history(&mut self, history: &HeapHistory) {
        self.before_bytes = Some(history.size_before());
        [
            self.gen0_survival_percent,
            self.gen1_survival_percent,
            self.gen2_survival_percent,
            self.loh_survival_percent,
            self.poh_survival_percent,
        ] = history.survival_percent(self.generation);
        [
            self.gen0_free_percent,
            self.gen1_free_percent,
            self.gen2_free_percent,
            self.loh_free_percent,
            self.poh_free_percent,
        ] = history.fragmentation_percent();
    }
}
