//! Names of events as the outputs for people show them.

use crate::decode::Event;
use crate::event::{KeyId, Kind};
use crate::render::terminal;
use crate::trace::{KeyCount, Trace};

/// Appends `Provider/Event`, safe to print to a terminal. A provider without a name is its GUID, an event without one its
/// numbers.
pub fn push_name(out: &mut Vec<u8>, trace: &Trace, event: &Event<'_>) {
    match event.key.and_then(|key| trace.provider_name(key)) {
        Some(name) => terminal::push(out, &name),
        None => out.extend_from_slice(&event.raw.provider().to_text()),
    }
    out.push(b'/');
    push_event_name(out, event);
}

/// Appends the event's name, or its numbers such as `EventID(7)`; safe to print to a terminal.
pub fn push_event_name(out: &mut Vec<u8>, event: &Event<'_>) {
    let raw = &event.raw;
    if let Some(name) = event.schema.and_then(|schema| schema.names().full()) {
        terminal::push(out, &name);
        return;
    }
    let text = match (raw.kind(), raw.hook()) {
        (_, Some(hook)) => format!("Hook(0x{hook:04x})"),
        (Kind::Classic, None) => format!("Opcode({})", raw.opcode()),
        (Kind::Wpp, _) => format!("Message({})", raw.id()),
        (Kind::Error, _) => "Error".to_owned(),
        _ => format!("EventID({})", raw.id()),
    };
    out.extend_from_slice(text.as_bytes());
}

/// Returns provider and event of a key as [`push_name`] shows them, but not escaped.
pub fn names_of_key(trace: &Trace, id: KeyId, key: &KeyCount) -> (String, String) {
    let provider = trace.provider_name(id).unwrap_or_else(|| key.key.provider.to_string());
    let named = trace.schema(id).and_then(|schema| schema.names().full());
    let event = named.unwrap_or_else(|| match key.key.kind {
        Kind::Classic => format!("Opcode({})", key.key.opcode),
        Kind::Wpp => format!("Message({})", key.key.id),
        Kind::Error => "Error".to_owned(),
        _ => format!("EventID({})", key.key.id),
    });
    (provider, event)
}
