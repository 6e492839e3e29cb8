//! What is wrong with the trace.

use etwkit::FileId;
use etwkit::trace::Trace;
use etwkit_check::Report;

use super::{cut_text, text_column};
use crate::model::{Cell, Table};

/// The findings of a check as a table.
pub(crate) fn findings(report: &Report, trace: &Trace, most: usize) -> Table {
    let text = |text: &str| Cell::Text(cut_text(text));
    let number = |number: Option<u64>| number.map_or(Cell::Absent, |number| Cell::Integer(number.into()));
    let name = |file: Option<FileId>| {
        let file = file.and_then(|file| trace.file(file));
        file.map_or(Cell::Absent, |file| text(file.source.name()))
    };
    let row = |found: &etwkit_check::Finding| {
        let (offset, len) = found.place.unzip();
        vec![
            text(found.severity.name()),
            text(found.kind),
            text(&found.detail),
            text(found.meaning),
            number(offset),
            number(len),
            name(found.file),
        ]
    };
    Table {
        id: "problems",
        title: "Problems".to_owned(),
        command: "check".to_owned(),
        columns: vec![
            text_column("severity", "text", "damage, loss or note."),
            text_column("kind", "text", "What it is."),
            text_column("detail", "text", "What was found."),
            text_column("meaning", "text", "What that means for the events."),
            text_column("offset", "offset", "Where it begins in the file."),
            text_column("len", "count", "Bytes."),
            text_column("file", "text", "File."),
        ],
        rows: report.findings.iter().take(most).map(row).collect(),
        left_out: report.findings.len().saturating_sub(most) as u64,
        excess: report.unlisted,
    }
}
