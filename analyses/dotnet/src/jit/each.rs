//! Each compilation.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Time, greatest_first};

use super::fact::{INTEREST, JitFact, is_answerable};
use super::state::{Compilation, Processes, excess, take};

etwkit_analysis::row! {
    /// The compilation of a method.
    pub struct JitEachRow {
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Namespace, type and name.
        method: String as Text,
        /// Thread that compiled it.
        tid: u32 as Id,
        /// Time at which its code was there, UTC.
        end: Time as Time,
        /// Milliseconds, with those of methods that were compiled for it; absent if the start is not in the trace.
        time_ms: Option<f64> as Milliseconds,
        /// Bytes of intermediate language; absent if the start is not in the trace.
        il_bytes: Option<u32> as Count,
        /// Bytes of machine code.
        native_bytes: u32 as Count,
        /// Bytes that were allocated for it; absent if no event states them.
        allocated_bytes: Option<u64> as Count,
        /// What it was for: `foreground`, `multicore` (in advance) or `tiered` (better code for a method that has some).
        kind: &'static str as Text,
        /// Tier of its code; absent in runtimes that do not state it.
        tier: Option<&'static str> as Text,
    }
}

/// Lists the compilations, those that took longest first.
#[derive(Debug, Default)]
pub struct JitEach {
    processes: Processes,
}

impl Analysis for JitEach {
    type Fact = JitFact;
    type Row = JitEachRow;

    const JOINS_EVENTS: bool = true;

    fn interest() -> Interest {
        INTEREST
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self::default())
    }

    fn is_answerable(trace: &Trace) -> bool {
        is_answerable(trace)
    }

    fn fact(event: &Event<'_>) -> Option<JitFact> {
        JitFact::of(event)
    }

    fn step(&mut self, fact: JitFact, _: &Trace) {
        take(&mut self.processes, fact, true);
    }

    fn follow(&mut self, fact: JitFact, _: &Trace) {
        take(&mut self.processes, fact, false);
    }

    fn excess(&self) -> u64 {
        excess(&self.processes)
    }

    fn finish(self, trace: &Trace) -> Vec<JitEachRow> {
        self.finish_by_row(trace).collect()
    }

    fn finish_by_row(self, _: &Trace) -> impl Iterator<Item = JitEachRow> {
        rows(self.processes)
    }
}

/// Returns the rows of the compilations of all processes, those that took longest first.
pub(super) fn rows(processes: Processes) -> impl Iterator<Item = JitEachRow> {
    let lists: Vec<_> = processes.into_iter().map(|(key, (name, state))| (key.pid, name, state.list)).collect();
    let mut order: Vec<(Option<f64>, usize, usize)> = Vec::new();
    for (process, (_, _, list)) in lists.iter().enumerate() {
        order.extend(list.iter().enumerate().map(|(place, method)| (method.time, process, place)));
    }
    order.sort_by(|(a, ..), (b, ..)| greatest_first(*a, *b));
    order.into_iter().filter_map(move |(_, process, place)| {
        let (pid, name, list) = lists.get(process)?;
        Some(row(*pid, name.as_deref(), list.get(place)?))
    })
}

fn row(pid: Option<u32>, process: Option<&str>, method: &Compilation) -> JitEachRow {
    JitEachRow {
        pid,
        process: process.map(str::to_owned),
        method: method.name.to_string(),
        tid: method.tid,
        end: Time(method.end),
        time_ms: method.time,
        il_bytes: method.il_bytes,
        native_bytes: method.native_bytes,
        allocated_bytes: method.allocated,
        kind: method.kind.name(),
        tier: method.tier.name(),
    }
}
