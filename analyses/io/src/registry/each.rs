//! Each operation on the registry.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Time};

use super::fact::{INTEREST, RegistryFact};
use super::key_names::KeyNames;
use crate::list::List;

etwkit_analysis::row! {
    /// An operation on the registry.
    pub struct RegistryEachRow {
        /// Time at which it ended, UTC.
        time: Time as Time,
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Thread.
        tid: Option<u32> as Id,
        /// `open`, `create`, `close`, `query`, `query_value`, `set_value` and so on.
        operation: &'static str as Text,
        /// Path of the key.
        key: Option<String> as Text,
        /// Name of the value, of operations on one.
        value: Option<String> as Text,
        /// `NTSTATUS`.
        status: Option<u32> as Id,
        /// Milliseconds.
        elapsed_ms: Option<f64> as Milliseconds,
    }
}

/// Lists the operations on the registry in order of time.
#[derive(Debug, Default)]
pub struct RegistryEach {
    names: KeyNames,
    list: List<RegistryFact>,
}

impl Analysis for RegistryEach {
    type Fact = RegistryFact;
    type Row = RegistryEachRow;

    fn interest() -> Interest {
        INTEREST
    }

    fn begin(trace: &Trace) -> Result<Self> {
        Ok(Self { names: KeyNames::of(trace)?, list: List::default() })
    }

    fn fact(event: &Event<'_>) -> Option<RegistryFact> {
        RegistryFact::of(event)
    }

    fn step(&mut self, fact: RegistryFact, _: &Trace) {
        self.list.push(fact);
    }

    fn excess(&self) -> u64 {
        self.names.excess() + self.list.excess()
    }

    fn finish(self, _: &Trace) -> Vec<RegistryEachRow> {
        let Self { names, list } = self;
        list.into_rows(|fact| RegistryEachRow {
            key: fact.key(&names).map(String::from),
            value: fact.value().map(str::to_owned),
            time: Time(fact.time),
            pid: fact.process.key.pid,
            process: fact.process.name.map(String::from),
            tid: fact.tid,
            operation: fact.kind.name(),
            status: fact.status,
            elapsed_ms: fact.elapsed,
        })
    }
}
