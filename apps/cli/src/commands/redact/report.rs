//! What was replaced, as text and as JSON.

use std::fmt::Write as _;

use etwkit::render::terminal;
use etwkit_redact::Report;
use serde_json::{Value, json};

/// Returns a table with a row for each event, field and kind.
pub(super) fn text(report: &Report) -> String {
    let mut out = String::from("count\tkind\tevent\tfield\n");
    for (change, count) in &report.changes {
        let [provider, event, field] =
            [&change.provider, &change.event, &change.field].map(|name| terminal::escaped(name));
        let _ = writeln!(out, "{count}\t{}\t{provider}/{event}\t{field}", change.kind.name());
    }
    for (count, what) in overwritten(report).into_iter().filter(|(count, _)| *count > 0) {
        let _ = writeln!(out, "{count}\t{what}");
    }
    out
}

/// Returns the same as JSON.
pub(super) fn json(report: &Report) -> Value {
    let changes: Vec<Value> = report
        .changes
        .iter()
        .map(|(change, count)| {
            json!({
                "provider": change.provider, "event": change.event, "field": change.field,
                "kind": change.kind.name(), "count": count,
            })
        })
        .collect();
    json!({
        "events": report.events,
        "changed": report.changed,
        "changes": changes,
        "unread_bytes": report.unread_bytes,
        "gap_bytes": report.gap_bytes,
        "lost_buffers": report.lost_buffers,
        "slack_bytes": report.slack_bytes,
        "unpacked_buffers": report.unpacked_buffers,
        "cut_buffers": report.cut_buffers,
        "blanked_payloads": report.blanked_payloads,
        "arguments_left": report.arguments_left,
        "pairs_left": report.pairs_left,
    })
}

/// Returns what was overwritten because its contents are unknown, or written in another form.
pub(super) fn overwritten(report: &Report) -> [(u64, &'static str); 7] {
    [
        (report.unread_bytes, "bytes inside of buffers are not events: overwritten"),
        (report.gap_bytes, "bytes outside of buffers: overwritten"),
        (report.lost_buffers, "buffers have no readable event: overwritten"),
        (report.slack_bytes, "bytes after the events of buffers: overwritten"),
        (report.unpacked_buffers, "compressed buffers: written plain"),
        (report.cut_buffers, "compressed buffers could not be unpacked to their end: the rest is left out"),
        (report.blanked_payloads, "payloads with packed data and a secret: blank"),
    ]
}
