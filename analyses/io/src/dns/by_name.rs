//! Queries of each process and name.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Measures, greatest_first};
use etwkit_kernel_analyses::{Name, ProcessSum, ProcessTable};

use super::state::{DnsFact, INTEREST, Query, State};

etwkit_analysis::row! {
    /// Queries of a process for a name.
    pub struct DnsRow {
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of its image.
        process: Option<String> as Text,
        /// Name that was asked for.
        name: Option<String> as Text,
        /// Queries, of all types.
        queries: u64 as Count,
        /// Queries that were answered with an error.
        failures: u64 as Count,
        /// Queries without an answer in the trace.
        unanswered: u64 as Count,
        /// Milliseconds until the answers.
        elapsed_ms_sum: Option<f64> as Milliseconds,
        /// Milliseconds of the longest.
        elapsed_ms_max: Option<f64> as Milliseconds,
        /// Addresses and names of the last answer that has any.
        results: Vec<String> as Text,
    }
}

/// Adds up the queries of each process and name.
#[derive(Debug, Default)]
pub struct DnsByName {
    state: State,
    table: ProcessTable<Name, Sum>,
}

#[derive(Clone, Debug, Default)]
struct Sum {
    queries: u64,
    failures: u64,
    unanswered: u64,
    elapsed: Measures,
    results: Vec<String>,
}

impl Analysis for DnsByName {
    type Fact = DnsFact;
    type Row = DnsRow;

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
        for query in self.state.take_open() {
            add(&mut self.table, query);
        }
    }

    fn excess(&self) -> u64 {
        self.state.excess() + self.table.excess()
    }

    fn finish(self, _: &Trace) -> Vec<DnsRow> {
        let mut rows: Vec<DnsRow> = self.table.into_sums().into_iter().map(row).collect();
        rows.sort_by(|a, b| b.queries.cmp(&a.queries).then_with(|| greatest_first(a.elapsed_ms_sum, b.elapsed_ms_sum)));
        rows
    }
}

impl DnsByName {
    fn take(&mut self, fact: DnsFact, is_chosen: bool) {
        if let Some(query) = self.state.take(fact, is_chosen) {
            add(&mut self.table, query);
        }
    }
}

fn add(table: &mut ProcessTable<Name, Sum>, query: Query) {
    let results: Vec<String> = query.results().map(str::to_owned).collect();
    let (is_failure, is_answered, elapsed) = (query.is_failure(), query.status().is_some(), query.elapsed);
    let sum = table.sum(query.process, Some(query.name));
    sum.queries += 1;
    sum.failures += u64::from(is_failure);
    sum.unanswered += u64::from(!is_answered);
    sum.elapsed.add(elapsed);
    if !results.is_empty() {
        sum.results = results;
    }
}

fn row(ProcessSum { key, process, subject, sum }: ProcessSum<Name, Sum>) -> DnsRow {
    DnsRow {
        pid: key.pid,
        process,
        name: subject.map(String::from),
        queries: sum.queries,
        failures: sum.failures,
        unanswered: sum.unanswered,
        elapsed_ms_sum: sum.elapsed.sum(),
        elapsed_ms_max: sum.elapsed.max(),
        results: sum.results,
    }
}
