//! Events that cannot be decoded, and what would help.

use etwkit::trace::{Trace, UndecodedTypes};
use etwkit_check::undecoded::{supply, why};

use super::{cut_text, text_column};
use crate::model::{Cell, Table};

/// What cannot be decoded, by provider, the most frequent first.
pub(crate) fn undecoded(trace: &Trace, most: usize) -> Table {
    let undecoded = trace.undecoded_types();
    let row = |types: &UndecodedTypes| {
        let name = types.name.as_deref().map_or_else(|| types.guid.to_string(), str::to_owned);
        vec![
            Cell::Text(cut_text(&name)),
            Cell::Integer(types.events.into()),
            Cell::Text(why(types.kind, types.missing).to_owned()),
            supply(types.kind, types.missing).map_or(Cell::Absent, |text| Cell::Text(text.to_owned())),
        ]
    };
    Table {
        id: "undecoded",
        title: "Events that are not decoded".to_owned(),
        command: "info".to_owned(),
        columns: vec![
            text_column("provider", "text", "Provider, class or message GUID."),
            text_column("events", "count", "Events."),
            text_column("why", "text", "Why."),
            text_column("supply", "text", "The option that would help."),
        ],
        rows: undecoded.iter().take(most).map(row).collect(),
        left_out: undecoded.len().saturating_sub(most) as u64,
        excess: 0,
    }
}
