//! Names of events as the outputs for people show them.

use crate::decode::{Event, EventType};
use crate::event::Kind;
use crate::render::terminal;

/// Appends the event's name, or its numbers such as `EventID(7)`; safe to print to a terminal.
pub(super) fn push_event_name(out: &mut Vec<u8>, event: &Event<'_>) {
    terminal::push(out, event.name());
}

/// Returns the names of the provider and the event of a type: without a name, the GUID as text, and numbers such as
/// `EventID(7)`. They are not escaped.
pub fn names_of_type(row: &EventType) -> (String, String) {
    let key = row.key();
    let numbers = || match key.kind {
        Kind::Classic => format!("Opcode({})", key.opcode),
        Kind::Wpp => format!("Message({})", key.id),
        Kind::Error => "Error".to_owned(),
        _ => format!("EventID({})", key.id),
    };
    (row.provider().to_owned(), row.name().map_or_else(numbers, str::to_owned))
}
