//! Pairs of start and stop events.

use etwkit_browse::Extent;
use etwkit_spans::{SpanRow, Spans};

use super::of_typed;
use crate::model::Table;

/// Durations by provider and task.
pub(crate) fn spans(spans: &Spans, extent: Extent, most: usize) -> Table {
    let table = of_typed(&spans.table(), extent, most);
    let title = "Spans: pairs of start and stop events".to_owned();
    Table { id: "spans", title, command: "spans".to_owned(), excess: excess(spans), ..table }
}

/// The longest spans, which alone were kept.
pub(crate) fn slowest(spans: &Spans, extent: Extent, most: usize) -> Table {
    let rows: Vec<SpanRow> = spans.rows().collect();
    let table = Table { left_out: spans.shorter(), ..of_typed(&rows, extent, most) };
    let (title, command) = ("Slowest spans".to_owned(), "spans --list".to_owned());
    Table { id: "slowest", title, command, excess: excess(spans), ..table }
}

fn excess(spans: &Spans) -> u64 {
    spans.excess.unlisted
}
