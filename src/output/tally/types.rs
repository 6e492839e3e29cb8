//! Counting by what the type of an event alone decides: the first pass has counted that.

use crate::decode::EventType;
use crate::output::names::names_of_type;
use crate::render::terminal;
use crate::select::{Selected, Selector};
use crate::trace::{Summary, Trace};

use super::{Tally, push_value};

impl Tally {
    /// Counts all events of a trace without a run, if every value follows from the type of an event: provider, event,
    /// kind. `None`, and nothing is counted, if one does not.
    ///
    /// No payload is looked at: the summary has no misfits.
    pub fn count_types(&mut self, trace: &Trace) -> Option<Summary> {
        let rows = trace.types();
        let events = rows.iter().map(EventType::events).sum::<u64>();
        if self.spans.is_some() || rows.len() > self.most || events != trace.events_total() {
            return None;
        }
        let keys = rows.iter().map(|row| key(&self.selectors, row)).collect::<Option<Vec<_>>>()?;
        for (key, row) in keys.iter().zip(rows) {
            self.add(key, row.events());
        }
        let undecoded = rows.iter().filter(|row| row.is_undecoded()).map(EventType::events).sum();
        Some(Summary { events, undecoded, ..Summary::default() })
    }
}

/// Returns the key of a type's group.
fn key(selectors: &[Selector], row: &EventType) -> Option<Vec<u8>> {
    let mut key = Vec::new();
    for selector in selectors {
        let selected = Selected::of_type(selector, row)?;
        // Kernel events without a name are called by their hook, and hooks of several groups share a type.
        if selected.is_event_name() && row.kernel_events > 0 && row.name().is_none() {
            return None;
        }
        push_value(&mut key, |out| match &selected {
            Selected::Fixed(text) => {
                out.extend_from_slice(text.as_bytes());
                true
            }
            selected if selected.is_event_name() => {
                terminal::push(out, &names_of_type(row).1);
                true
            }
            _ => false,
        });
    }
    Some(key)
}
