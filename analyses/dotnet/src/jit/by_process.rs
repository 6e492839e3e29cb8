//! Compiled methods of each process.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Measures, Twofold};
use etwkit_kernel_analyses::ProcessKey;

use super::each::{JitEach, JitEachRow, rows};
use super::fact::{INTEREST, JitFact, is_answerable};
use super::kind::Kind;
use super::state::{Processes, State, excess, take};

etwkit_analysis::row! {
    /// Compiled methods of a process.
    pub struct JitRow {
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of its image.
        process: Option<String> as Text,
        /// Methods that were compiled while the trace was recorded.
        methods: u64 as Count,
        /// Milliseconds of all compilations of which the start is in the trace, each with those of methods that were compiled for it.
        time_ms_sum: f64 as Milliseconds,
        /// Milliseconds of the longest compilation.
        time_ms_max: Option<f64> as Milliseconds,
        /// Bytes of intermediate language.
        il_bytes: Option<u64> as Count,
        /// Bytes of machine code.
        native_bytes: u64 as Count,
        /// Bytes that were allocated for it; absent if no event states them.
        allocated_bytes: Option<u64> as Count,
        /// Methods that a thread of the program needed at once.
        foreground: u64 as Count,
        /// Milliseconds of these.
        foreground_ms: Option<f64> as Milliseconds,
        /// Methods that were compiled in advance, as earlier runs of the program needed them.
        multicore: u64 as Count,
        /// Milliseconds of these.
        multicore_ms: Option<f64> as Milliseconds,
        /// Methods that got better code.
        tiered: u64 as Count,
        /// Milliseconds of these.
        tiered_ms: Option<f64> as Milliseconds,
    }
}

/// Adds up the compilations of each process.
#[derive(Debug, Default)]
pub struct JitByProcess {
    processes: Processes,
}

impl Analysis for JitByProcess {
    type Fact = JitFact;
    type Row = JitRow;

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

    fn finish(self, _: &Trace) -> Vec<JitRow> {
        own_rows(&self.processes)
    }
}

/// Returns the rows of all processes, those whose compilations took longest first.
fn own_rows(processes: &Processes) -> Vec<JitRow> {
    let mut rows: Vec<JitRow> = processes.iter().map(row).filter(|row| row.methods > 0).collect();
    rows.sort_by(|a, b| b.time_ms_sum.total_cmp(&a.time_ms_sum));
    rows
}

impl Twofold for JitByProcess {
    type Other = JitEach;

    fn finish_both(self, _: &Trace) -> (Vec<JitRow>, impl Iterator<Item = JitEachRow>) {
        (own_rows(&self.processes), rows(self.processes))
    }
}

fn row((key, (name, state)): (&ProcessKey, &(Option<Box<str>>, State))) -> JitRow {
    let list = &state.list;
    let of = |kind| {
        let own = || list.iter().filter(move |method| method.kind == kind);
        (own().count() as u64, own().map(|method| method.time).collect::<Measures>().sum())
    };
    let times: Measures = list.iter().map(|method| method.time).collect();
    let (foreground, foreground_ms) = of(Kind::Foreground);
    let (multicore, multicore_ms) = of(Kind::Multicore);
    let (tiered, tiered_ms) = of(Kind::Tiered);
    JitRow {
        pid: key.pid,
        process: name.as_deref().map(str::to_owned),
        methods: list.len() as u64,
        time_ms_sum: times.sum().unwrap_or(0.0),
        time_ms_max: times.max(),
        il_bytes: list.iter().filter_map(|method| method.il_bytes.map(u64::from)).reduce(u64::saturating_add),
        native_bytes: list.iter().map(|method| u64::from(method.native_bytes)).sum(),
        allocated_bytes: list.iter().filter_map(|method| method.allocated).reduce(u64::saturating_add),
        foreground,
        foreground_ms,
        multicore,
        multicore_ms,
        tiered,
        tiered_ms,
    }
}
