//! Each garbage collection.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Time};

use crate::origin::milliseconds;

use super::by_process::{Processes, take};
use super::fact::{GcFact, INTEREST};
use super::state::{Collection, kind_name};

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
        promoted_bytes: gc.promoted,
        heap_bytes: gc.heap,
    }
}
