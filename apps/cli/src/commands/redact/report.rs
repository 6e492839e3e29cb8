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
    for (count, noun, what) in overwritten(report) {
        let plural = if count == 1 { "" } else { "s" };
        let _ = writeln!(out, "{count}\t{noun}{plural}{what}");
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

/// Returns how many of what were overwritten because their contents are unknown, or written in another form, and why.
pub(super) fn overwritten(report: &Report) -> impl Iterator<Item = (u64, &'static str, &'static str)> {
    let all = [
        (report.unread_bytes, "byte", " inside of buffers, in no event: overwritten"),
        (report.gap_bytes, "byte", " outside of buffers: overwritten"),
        (report.lost_buffers, "buffer", " without a readable event: overwritten"),
        (report.slack_bytes, "byte", " after the events of buffers: overwritten"),
        (report.unpacked_buffers, "compressed buffer", ": written plain"),
        (report.cut_buffers, "compressed buffer", " not unpacked to the end: the rest is left out"),
        (report.blanked_payloads, "payload", " with packed data and a secret: blank"),
    ];
    all.into_iter().filter(|(count, ..)| *count > 0)
}
