//! Garbage collections of each process.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Twofold};
use etwkit_kernel_analyses::ProcessKey;

use crate::origin::milliseconds;

use super::each::{GcEach, GcEachRow, rows};
use super::fact::{GcFact, INTEREST, events_of_collections};
use super::processes::Processes;
use super::state::State;

etwkit_analysis::row! {
    /// Garbage collections of a process.
    pub struct GcRow {
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of its image.
        process: Option<String> as Text,
        /// Collections of which all events are in the trace.
        gcs: u64 as Count,
        /// Those of generation 0.
        gen0: u64 as Count,
        /// Those of generation 1.
        gen1: u64 as Count,
        /// Those of generation 2.
        gen2: u64 as Count,
        /// Milliseconds of all pauses: from the begin of the suspension until all threads run again.
        pause_ms_sum: f64 as Milliseconds,
        /// Milliseconds of a pause on average.
        pause_ms_mean: Option<f64> as Milliseconds,
        /// Milliseconds of the longest pause.
        pause_ms_max: Option<f64> as Milliseconds,
        /// Bytes that were allocated, by the ticks of about 100 KB.
        alloc_bytes: u64 as Count,
        /// The most bytes of all generations after a collection.
        heap_bytes_max: Option<u64> as Count,
        /// Collections that ran beside the program.
        background: u64 as Count,
        /// Collections that the program asked for.
        induced: u64 as Count,
        /// Share of pauses in the time from the first to the last of two or more collections, in per cent; else absent.
        pause_percent: Option<f64> as Real,
        /// The most megabytes (10^6 bytes) that were allocated per second between two collections.
        alloc_mb_s_max: Option<f64> as Real,
        /// Bytes that survived collections.
        promoted_bytes: u64 as Count,
        /// The most pinned objects that a collection met.
        pinned_objects_max: Option<u32> as Count,
        /// The most handles after a collection.
        gc_handles_max: Option<u32> as Count,
        /// The most bytes of all generations before a collection.
        before_bytes_max: Option<u64> as Count,
        /// Milliseconds of CPU time of the threads that collected, by samples; absent without samples.
        gc_cpu_ms: Option<f64> as Milliseconds,
        /// That time as a share of the CPU time of the process, in per cent.
        gc_cpu_percent: Option<f64> as Real,
    }
}

/// Adds up the garbage collections of each process.
#[derive(Debug, Default)]
pub struct GcByProcess {
    processes: Processes,
}

impl Analysis for GcByProcess {
    type Fact = GcFact;
    type Row = GcRow;

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

    fn finish(self, _: &Trace) -> Vec<GcRow> {
        own_rows(&self.processes)
    }
}

/// Returns the rows of all processes, those with the longest pauses first.
fn own_rows(processes: &Processes) -> Vec<GcRow> {
    let mut rows: Vec<GcRow> = processes.iter().map(row).collect();
    rows.sort_by(|a, b| b.pause_ms_sum.total_cmp(&a.pause_ms_sum));
    rows
}

impl Twofold for GcByProcess {
    type Other = GcEach;

    fn finish_both(self, _: &Trace) -> (Vec<GcRow>, impl Iterator<Item = GcEachRow>) {
        (own_rows(&self.processes), rows(self.processes))
    }
}

fn row((key, name, state): (ProcessKey, Option<&str>, &State)) -> GcRow {
    let sums = &state.sums;
    let (gcs, pause_ms_sum) = (sums.pauses.measured(), sums.pauses.sum().unwrap_or(0.0));
    let duration = sums.first.zip(state.last).map(|(first, last)| milliseconds(first, last));
    // That of a single collection is its own pause: a share of 100 per cent means nothing.
    let duration = duration.filter(|duration| *duration > 0.0 && gcs > 1);
    let [gen0, gen1, gen2] = sums.of_generation;
    GcRow {
        pid: key.pid,
        process: name.map(str::to_owned),
        gcs,
        gen0,
        gen1,
        gen2,
        pause_ms_sum,
        pause_ms_mean: sums.pauses.mean(),
        pause_ms_max: sums.pauses.max(),
        alloc_bytes: state.allocated,
        heap_bytes_max: sums.heap_bytes_max,
        background: sums.background,
        induced: sums.induced,
        pause_percent: duration.map(|duration| pause_ms_sum * 100.0 / duration),
        alloc_mb_s_max: sums.alloc_mb_s_max,
        promoted_bytes: sums.promoted_bytes,
        pinned_objects_max: sums.pinned_objects_max,
        gc_handles_max: sums.gc_handles_max,
        before_bytes_max: sums.before_bytes_max,
        gc_cpu_ms: (state.cpu.counted > 0.0).then_some(state.cpu.collecting),
        gc_cpu_percent: (state.cpu.counted > 0.0).then(|| state.cpu.collecting * 100.0 / state.cpu.counted),
    }
}
