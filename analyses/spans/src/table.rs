//! The table: durations by provider and task.

use etwkit_analysis::{percentile, units_to_milliseconds};

use crate::family::FamilyId;
use crate::spans::Spans;
use crate::total::Total;

etwkit_analysis::row! {
    /// Spans of a provider and task.
    pub struct TableRow {
        /// Provider.
        provider: String as Text,
        /// Task, or what the names of start and stop have in common, or the pair that was asked for.
        task: String as Text,
        /// Spans with start and stop.
        count: u64 as Count,
        /// Starts without a stop.
        open: u64 as Count,
        /// Stops without a start.
        orphaned: u64 as Count,
        /// Milliseconds of all spans.
        sum_ms: f64 as Milliseconds,
        /// Milliseconds that half of the spans do not exceed.
        p50_ms: Option<f64> as Milliseconds,
        /// Milliseconds that 95 per cent of the spans do not exceed.
        p95_ms: Option<f64> as Milliseconds,
        /// Milliseconds that 99 per cent of the spans do not exceed.
        p99_ms: Option<f64> as Milliseconds,
        /// Milliseconds of the longest span.
        max_ms: Option<f64> as Milliseconds,
    }
}

impl Spans {
    /// Returns the table, the longest sum first.
    pub fn table(&self) -> Vec<TableRow> {
        let used = self.totals.iter().zip(0..).filter(|(total, _)| !total.is_empty());
        let mut rows: Vec<TableRow> = used.map(|(total, id)| self.row(FamilyId(id), total)).collect();
        rows.sort_by(|a, b| {
            let key = |row: &TableRow| (row.provider.clone(), row.task.clone());
            b.sum_ms.total_cmp(&a.sum_ms).then_with(|| b.count.cmp(&a.count)).then_with(|| key(a).cmp(&key(b)))
        });
        rows
    }

    fn row(&self, family: FamilyId, total: &Total) -> TableRow {
        let sorted = total.sorted();
        let at = |percent| percentile(&sorted, percent).map(units_to_milliseconds);
        let (provider, task) = self.families.names(family);
        TableRow {
            provider: provider.to_owned(),
            task: task.to_owned(),
            count: total.count,
            open: total.open,
            orphaned: total.orphaned,
            sum_ms: units_to_milliseconds(total.sum),
            p50_ms: at(50),
            p95_ms: at(95),
            p99_ms: at(99),
            max_ms: (total.count > 0).then(|| units_to_milliseconds(total.max)),
        }
    }
}
