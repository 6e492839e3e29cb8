//! The events of a list as a file, piece by piece.

use etwkit::Trace;
use etwkit::decode::Event;
use etwkit::output::{Column, JsonFormat, LineFormat, RowFormat, TableFormat};
use etwkit::trace::TracePart;
use serde::Deserialize;

use crate::event_list::EventList;

/// The form of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ExportFormat {
    /// JSON lines.
    Jsonl,
    /// CSV with the usual columns.
    Csv,
}

/// Returns the events of one part of the trace as text; `None` after the last part.
pub fn part(
    trace: &Trace,
    parts: &[TracePart],
    list: &EventList,
    format: ExportFormat,
    part: usize,
) -> etwkit::Result<Option<Vec<u8>>> {
    match format {
        ExportFormat::Jsonl => lines(&JsonFormat::default(), trace, parts, list, part),
        ExportFormat::Csv => lines(&csv(trace), trace, parts, list, part),
    }
}

/// Returns one event as a file of its own, with a line of names in CSV.
pub fn event(trace: &Trace, event: &Event<'_>, format: ExportFormat) -> etwkit::Result<Vec<u8>> {
    match format {
        ExportFormat::Jsonl => line(&JsonFormat::default(), trace, event),
        ExportFormat::Csv => line(&csv(trace), trace, event),
    }
}

fn csv(trace: &Trace) -> TableFormat {
    TableFormat::new(Column::usual_of(trace), RowFormat::Csv)
}

fn line(format: &impl LineFormat, trace: &Trace, event: &Event<'_>) -> etwkit::Result<Vec<u8>> {
    let mut out = format.head(trace);
    format.event(&mut format.state(trace), event, &mut out)?;
    Ok(out)
}

fn lines(
    format: &impl LineFormat,
    trace: &Trace,
    parts: &[TracePart],
    list: &EventList,
    part: usize,
) -> etwkit::Result<Option<Vec<u8>>> {
    let Some(mut events) = list.part(trace, parts, part) else { return Ok(None) };
    let mut out = if part == 0 { format.head(trace) } else { Vec::new() };
    let mut state = format.state(trace);
    while let Some(event) = events.next()? {
        format.event(&mut state, &event, &mut out)?;
    }
    Ok(Some(out))
}
