//! Pairs of start and stop events.

use std::cmp::Reverse;

use etwkit_browse::Extent;
use etwkit_spans::{SpanId, SpanRow, Spans};

use super::of_typed;
use crate::model::Table;

/// Durations by provider and task.
pub(crate) fn spans(spans: &Spans, extent: Extent, most: usize) -> Table {
    let table = of_typed(&spans.table(), extent, most);
    let title = "Spans: pairs of start and stop events".to_owned();
    Table { id: "spans", title, command: "spans".to_owned(), excess: excess(spans), ..table }
}

/// The longest spans.
pub(crate) fn slowest(spans: &Spans, extent: Extent, most: usize) -> Table {
    let mut slowest: Vec<(Reverse<u64>, u32)> =
        (0..).zip(spans.list()).filter_map(|(place, span)| Some((Reverse(span.duration()?), place))).collect();
    let left_out = slowest.len().saturating_sub(most) as u64;
    slowest.sort_unstable();
    let rows = slowest.into_iter().take(most).filter_map(|(_, place)| Some(spans.span_row(spans.get(SpanId(place))?)));
    let rows: Vec<SpanRow> = rows.collect();
    let table = Table { left_out, ..of_typed(&rows, extent, most) };
    let (title, command) = ("Slowest spans".to_owned(), "spans --list".to_owned());
    Table { id: "slowest", title, command, excess: excess(spans), ..table }
}

fn excess(spans: &Spans) -> u64 {
    spans.excess.unlisted
}
