//! Operations of each process and key.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Measures, greatest_first};
use etwkit_kernel_analyses::{Name, ProcessSum, ProcessTable};

use super::fact::{INTEREST, OperationKind, RegistryFact};
use super::key_names::KeyNames;

etwkit_analysis::row! {
    /// Operations of a process on a key.
    pub struct RegistryRow {
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of its image.
        process: Option<String> as Text,
        /// Path of the key; only what is below an open key, where no event names that.
        key: Option<String> as Text,
        /// All operations.
        operations: u64 as Count,
        /// Opens.
        opens: u64 as Count,
        /// Opens that may make a new key.
        creates: u64 as Count,
        /// Closes.
        closes: u64 as Count,
        /// Queries of the key and its security.
        key_queries: u64 as Count,
        /// Queries of values.
        value_queries: u64 as Count,
        /// Steps of listings of keys and values.
        enumerations: u64 as Count,
        /// Values that were set.
        value_sets: u64 as Count,
        /// Deletions of the key or a value.
        deletes: u64 as Count,
        /// Operations that ended with an error.
        failures: u64 as Count,
        /// Milliseconds of all operations.
        elapsed_ms_sum: Option<f64> as Milliseconds,
        /// Milliseconds of the longest.
        elapsed_ms_max: Option<f64> as Milliseconds,
    }
}

/// Adds up the operations of each process and key.
#[derive(Debug, Default)]
pub struct RegistryByKey {
    names: KeyNames,
    table: ProcessTable<Name, Sum>,
}

#[derive(Clone, Debug, Default)]
struct Sum {
    operations: u64,
    opens: u64,
    creates: u64,
    closes: u64,
    key_queries: u64,
    value_queries: u64,
    enumerations: u64,
    value_sets: u64,
    deletes: u64,
    failures: u64,
    elapsed: Measures,
}

impl Analysis for RegistryByKey {
    type Fact = RegistryFact;
    type Row = RegistryRow;

    fn interest() -> Interest {
        INTEREST
    }

    fn begin(trace: &Trace) -> Result<Self> {
        Ok(Self { names: KeyNames::of(trace)?, table: ProcessTable::default() })
    }

    fn fact(event: &Event<'_>) -> Option<RegistryFact> {
        RegistryFact::of(event)
    }

    fn step(&mut self, fact: RegistryFact, _: &Trace) {
        let (key, is_failure) = (fact.key(&self.names), fact.is_failure());
        let sum = self.table.sum(fact.process, key);
        sum.failures += u64::from(is_failure);
        sum.add(fact.kind, fact.elapsed);
    }

    fn excess(&self) -> u64 {
        self.names.excess() + self.table.excess()
    }

    fn finish(self, _: &Trace) -> Vec<RegistryRow> {
        let mut rows: Vec<RegistryRow> = self.table.into_sums().into_iter().map(row).collect();
        rows.sort_by(|a, b| {
            greatest_first(a.elapsed_ms_sum, b.elapsed_ms_sum).then_with(|| b.operations.cmp(&a.operations))
        });
        rows
    }
}

impl Sum {
    fn add(&mut self, kind: OperationKind, elapsed: Option<f64>) {
        self.operations += 1;
        self.elapsed.add(elapsed);
        match kind {
            OperationKind::Open => self.opens += 1,
            OperationKind::Create => self.creates += 1,
            OperationKind::Close => self.closes += 1,
            OperationKind::Query | OperationKind::QuerySecurity => self.key_queries += 1,
            OperationKind::QueryValue | OperationKind::QueryMultipleValue => self.value_queries += 1,
            OperationKind::EnumerateKey | OperationKind::EnumerateValue => self.enumerations += 1,
            OperationKind::SetValue => self.value_sets += 1,
            OperationKind::Delete | OperationKind::DeleteValue => self.deletes += 1,
            _ => {}
        }
    }
}

fn row(ProcessSum { key, process, subject, sum }: ProcessSum<Name, Sum>) -> RegistryRow {
    RegistryRow {
        pid: key.pid,
        process,
        key: subject.map(String::from),
        operations: sum.operations,
        opens: sum.opens,
        creates: sum.creates,
        closes: sum.closes,
        key_queries: sum.key_queries,
        value_queries: sum.value_queries,
        enumerations: sum.enumerations,
        value_sets: sum.value_sets,
        deletes: sum.deletes,
        failures: sum.failures,
        elapsed_ms_sum: sum.elapsed.sum(),
        elapsed_ms_max: sum.elapsed.max(),
    }
}
