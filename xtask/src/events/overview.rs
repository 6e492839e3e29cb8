//! `docs/events/README.md`.

use std::fmt::Write as _;

use super::model::Table;
use super::parser::Parser;

/// How to read the pages, and which there are.
pub(super) fn text(all: &[(&Parser, Vec<Table>)]) -> String {
    let mut out = include_str!("overview.txt").to_owned();
    for (parser, tables) in all {
        let _ = write!(out, "\n## {}\n\n| page | events | about |\n|---|---:|---|\n", parser.about);
        for Table { stem, about, events, .. } in tables {
            let _ = writeln!(out, "| [{stem}]({}/{stem}.md) | {} | {about} |", parser.folder, events.len());
        }
    }
    out
}
