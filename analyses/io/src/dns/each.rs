//! Each query.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Time};

use super::state::{DnsFact, INTEREST, Query, State};
use crate::list::List;

etwkit_analysis::row! {
    /// A query.
    pub struct DnsEachRow {
        /// Time at which it was asked, UTC; of the answer, if the question is not in the trace.
        time: Time as Time,
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Name that was asked for.
        name: String as Text,
        /// Type of records that were asked for.
        query_type: String as Text,
        /// Win32 error, 0 for success; absent without an answer.
        status: Option<u32> as Id,
        /// Addresses and names of the answer.
        results: Vec<String> as Text,
        /// Milliseconds until the answer; absent if question or answer are not in the trace.
        elapsed_ms: Option<f64> as Milliseconds,
    }
}

/// Lists the queries in order of time.
#[derive(Debug, Default)]
pub struct DnsEach {
    state: State,
    list: List<Query>,
}

impl Analysis for DnsEach {
    type Fact = DnsFact;
    type Row = DnsEachRow;

    const JOINS_EVENTS: bool = true;

    fn interest() -> Interest {
        INTEREST
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self::default())
    }

    fn fact(event: &Event<'_>) -> Option<DnsFact> {
        DnsFact::of(event)
    }

    fn step(&mut self, fact: DnsFact, _: &Trace) {
        self.take(fact, true);
    }

    fn follow(&mut self, fact: DnsFact, _: &Trace) {
        self.take(fact, false);
    }

    fn end(&mut self, _: &Trace) {
        self.state.take_open().into_iter().for_each(|query| self.list.push(query));
    }

    fn excess(&self) -> u64 {
        self.state.excess() + self.list.excess()
    }

    fn finish(self, _: &Trace) -> Vec<DnsEachRow> {
        let mut rows = self.list.into_rows(row);
        rows.sort_by_key(|row| row.time);
        rows
    }
}

impl DnsEach {
    fn take(&mut self, fact: DnsFact, is_chosen: bool) {
        if let Some(query) = self.state.take(fact, is_chosen) {
            self.list.push(query);
        }
    }
}

fn row(query: Query) -> DnsEachRow {
    DnsEachRow {
        query_type: query.kind_name(),
        status: query.status(),
        results: query.results().map(str::to_owned).collect(),
        time: Time(query.time),
        pid: query.process.key.pid,
        process: query.process.name.map(String::from),
        name: query.name.into(),
        elapsed_ms: query.elapsed,
    }
}
