//! Copies that `etwkit relog` made of some of a trace's events.

use etwkit::select::same;
use etwkit::trace::{Filter, Glob, Order, Trace};
use etwkit_relog::PROVIDER;

/// Copies that are looked at: a trace of several files may be of many.
const MOST: u64 = 16;

/// The files that are such copies, with the filter that each was made by.
pub(super) fn list(trace: &Trace) -> etwkit::Result<Vec<(String, String)>> {
    let is_note = |name: Option<String>| name.is_some_and(|name| same(&name, "Copy"));
    let notes = trace.types().iter().filter(|row| row.key().provider == PROVIDER);
    let notes = notes.filter(|row| is_note(row.schema().and_then(|schema| schema.names().full())));
    let mut left = notes.map(etwkit::decode::EventType::events).sum::<u64>().min(MOST);
    let mut copies = Vec::new();
    let filter = Filter::default().providers([Glob::new(&PROVIDER.to_string())]);
    let mut events = trace.events_in(Order::File, &filter);
    while left > 0
        && let Some(event) = events.next()?
    {
        left -= 1;
        let filter = event.get::<String>("Filter").unwrap_or_default();
        let file = trace.file(event.raw().place().file);
        if let Some(file) = file.filter(|_| !filter.is_empty()) {
            copies.push((file.source.name().to_owned(), filter));
        }
    }
    Ok(copies)
}
