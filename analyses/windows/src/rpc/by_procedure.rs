//! Calls of each process and procedure.

use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Measures, greatest_first};
use etwkit_kernel_analyses::{ProcessSum, ProcessTable, Subject};

use super::state::{Call, INTEREST, RpcFact, Side, State};

etwkit_analysis::row! {
    /// Calls of a procedure that a process made or served.
    pub struct RpcRow {
        /// `client` of calls that the process made, `server` of those that it served.
        side: &'static str as Text,
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of its image.
        process: Option<String> as Text,
        /// Id of the interface.
        interface: String as Text,
        /// Number of the procedure.
        procedure: u32 as Id,
        /// Calls.
        calls: u64 as Count,
        /// Calls that ended with an error.
        failures: u64 as Count,
        /// Calls whose end is not in the trace.
        open: u64 as Count,
        /// Milliseconds of the calls that ended.
        elapsed_ms_sum: Option<f64> as Milliseconds,
        /// Milliseconds of the longest.
        elapsed_ms_max: Option<f64> as Milliseconds,
    }
}

/// Adds up the calls of each process and procedure.
#[derive(Debug, Default)]
pub struct RpcByProcedure {
    state: State,
    table: ProcessTable<Procedure, Sum>,
}

/// A procedure, as one side sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Procedure {
    side: Side,
    interface: Guid,
    number: u32,
}

impl Subject for Procedure {
    fn others() -> Self {
        Self { side: Side::Client, interface: Guid::from_u128(0), number: 0 }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    calls: u64,
    failures: u64,
    open: u64,
    elapsed: Measures,
}

impl Analysis for RpcByProcedure {
    type Fact = RpcFact;
    type Row = RpcRow;

    const JOINS_EVENTS: bool = true;

    fn interest() -> Interest {
        INTEREST
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self::default())
    }

    fn fact(event: &Event<'_>) -> Option<RpcFact> {
        RpcFact::of(event)
    }

    fn step(&mut self, fact: RpcFact, _: &Trace) {
        self.take(fact, true);
    }

    fn follow(&mut self, fact: RpcFact, _: &Trace) {
        self.take(fact, false);
    }

    fn end(&mut self, _: &Trace) {
        for call in self.state.take_open() {
            add(&mut self.table, call);
        }
    }

    fn excess(&self) -> u64 {
        self.state.excess() + self.table.excess()
    }

    fn finish(self, _: &Trace) -> Vec<RpcRow> {
        let mut rows: Vec<RpcRow> = self.table.into_sums().into_iter().map(row).collect();
        rows.sort_by(|a, b| greatest_first(a.elapsed_ms_sum, b.elapsed_ms_sum).then_with(|| b.calls.cmp(&a.calls)));
        rows
    }
}

impl RpcByProcedure {
    fn take(&mut self, fact: RpcFact, is_chosen: bool) {
        if let Some(call) = self.state.take(fact, is_chosen) {
            add(&mut self.table, call);
        }
    }
}

fn add(table: &mut ProcessTable<Procedure, Sum>, Call { side, begin, end, .. }: Call) {
    let procedure = Procedure { side, interface: begin.interface, number: begin.procedure };
    let sum = table.sum(begin.process, procedure);
    sum.calls += 1;
    sum.failures += u64::from(end.is_some_and(|(_, status)| status != 0));
    sum.open += u64::from(end.is_none());
    sum.elapsed.add(end.map(|(elapsed, _)| elapsed));
}

fn row(ProcessSum { key, process, subject, sum }: ProcessSum<Procedure, Sum>) -> RpcRow {
    RpcRow {
        side: subject.side.name(),
        pid: key.pid,
        process,
        interface: subject.interface.to_string(),
        procedure: subject.number,
        calls: sum.calls,
        failures: sum.failures,
        open: sum.open,
        elapsed_ms_sum: sum.elapsed.sum(),
        elapsed_ms_max: sum.elapsed.max(),
    }
}
