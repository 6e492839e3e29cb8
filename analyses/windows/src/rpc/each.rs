//! Each call.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Excess, Interest, Time};

use super::state::{Call, INTEREST, RpcFact, State};
use crate::limits::MOST_EACH;

etwkit_analysis::row! {
    /// A remote procedure call.
    pub struct RpcEachRow {
        /// Time at which it began, UTC.
        time: Time as Time,
        /// `client` or `server`.
        side: &'static str as Text,
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Thread.
        tid: Option<u32> as Id,
        /// Id of the interface.
        interface: String as Text,
        /// Number of the procedure.
        procedure: u32 as Id,
        /// Protocol sequence.
        protocol: String as Text,
        /// Endpoint: pipe, port or name.
        endpoint: String as Text,
        /// Win32 error, 0 for success; absent if the end is not in the trace.
        status: Option<u32> as Id,
        /// Milliseconds; absent if the end is not in the trace.
        elapsed_ms: Option<f64> as Milliseconds,
    }
}

/// Lists the calls in order of time.
#[derive(Debug, Default)]
pub struct RpcEach {
    state: State,
    list: Vec<Call>,
    excess: Excess,
}

impl Analysis for RpcEach {
    type Fact = RpcFact;
    type Row = RpcEachRow;

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

    fn excess(&self) -> u64 {
        self.state.excess() + self.excess.count()
    }

    fn finish(self, _: &Trace) -> Vec<RpcEachRow> {
        let Self { mut state, list, .. } = self;
        let mut rows: Vec<RpcEachRow> = list.into_iter().chain(state.take_open()).map(row).collect();
        rows.sort_by_key(|row| row.time);
        rows
    }
}

impl RpcEach {
    fn take(&mut self, fact: RpcFact, is_chosen: bool) {
        let call = self.state.take(fact, is_chosen);
        self.list.extend(call.filter(|_| self.excess.admits(self.list.len(), MOST_EACH)));
    }
}

fn row(Call { time, side, begin, end }: Call) -> RpcEachRow {
    RpcEachRow {
        time: Time(time),
        side: side.name(),
        pid: begin.process.key.pid,
        process: begin.process.name.as_deref().map(str::to_owned),
        tid: begin.tid,
        interface: begin.interface.to_string(),
        procedure: begin.procedure,
        protocol: begin.protocol_name(),
        endpoint: begin.endpoint.to_string(),
        status: end.map(|(_, status)| status),
        elapsed_ms: end.map(|(elapsed, _)| elapsed),
    }
}
