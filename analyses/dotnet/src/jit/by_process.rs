//! Compiled methods of each process.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest};
use etwkit_kernel_analyses::ProcessKey;

use super::state::{INTEREST, JitFact, Processes, State, take};

etwkit_analysis::row! {
    /// Compiled methods of a process.
    pub struct JitRow {
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of its image.
        process: Option<String> as Text,
        /// Methods that were compiled while the trace was recorded.
        methods: u64 as Count,
        /// Milliseconds of all compilations; that of a method has those of methods that were compiled for it.
        time_ms_sum: f64 as Real,
        /// Milliseconds of the longest compilation.
        time_ms_max: f64 as Real,
        /// Bytes of intermediate language.
        il_bytes: u64 as Count,
        /// Bytes of machine code.
        native_bytes: u64 as Count,
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

    fn interest() -> Interest {
        INTEREST
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self::default())
    }

    fn fact(event: &Event<'_>) -> Option<JitFact> {
        JitFact::of(event)
    }

    fn step(&mut self, fact: JitFact, _: &Trace) {
        take(&mut self.processes, fact);
    }

    fn finish(self, _: &Trace) -> Vec<JitRow> {
        let mut rows: Vec<JitRow> = self.processes.into_iter().map(row).filter(|row| row.methods > 0).collect();
        rows.sort_by(|a, b| b.time_ms_sum.total_cmp(&a.time_ms_sum));
        rows
    }
}

fn row((key, (name, state)): (ProcessKey, (Option<Box<str>>, State))) -> JitRow {
    let list = &state.list;
    JitRow {
        pid: key.pid,
        process: name.map(String::from),
        methods: list.len() as u64,
        time_ms_sum: list.iter().map(|method| method.time).sum(),
        time_ms_max: list.iter().map(|method| method.time).fold(0.0, f64::max),
        il_bytes: list.iter().map(|method| u64::from(method.il_bytes)).sum(),
        native_bytes: list.iter().map(|method| u64::from(method.native_bytes)).sum(),
    }
}
