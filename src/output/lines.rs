//! What all readable outputs share: names of events, and text that is safe to show.

use crate::decode::{Event, EventType};
use crate::event::Kind;

/// Appends `Provider/Event`; what has no name is called by GUID and numbers.
pub(super) fn push_name(out: &mut Vec<u8>, event: &Event<'_>) {
    match event.event_type().and_then(EventType::provider_name) {
        Some(name) => push_clean(out, name),
        None => out.extend_from_slice(&event.raw.provider().to_text()),
    }
    out.push(b'/');
    push_event(out, event);
}

/// Appends the event's name, or the numbers of one that has none.
pub(super) fn push_event(out: &mut Vec<u8>, event: &Event<'_>) {
    push_clean(out, event.name());
}

/// Provider and event of a type, as [`push_name`] calls them.
pub(super) fn key_names(row: &EventType) -> (String, String) {
    let key = row.key();
    let event = row.name().map_or_else(
        || match key.kind {
            Kind::Classic => format!("Opcode({})", key.opcode),
            Kind::Wpp => format!("Message({})", key.id),
            Kind::Error => "Error".to_owned(),
            _ => format!("EventID({})", key.id),
        },
        str::to_owned,
    );
    (row.provider().to_owned(), event)
}

/// Appends text with control characters (and those that turn the writing direction) made visible.
pub(super) fn push_clean(out: &mut Vec<u8>, text: &str) {
    if text.bytes().all(|b| (b' '..0x7F).contains(&b)) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    for c in text.chars() {
        match c {
            '\n' => out.extend_from_slice(b"\\n"),
            '\r' => out.extend_from_slice(b"\\r"),
            '\t' => out.extend_from_slice(b"\\t"),
            c if is_hazard(c) => out.extend_from_slice(c.escape_unicode().to_string().as_bytes()),
            c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

/// Control characters, and those that reorder text on screen, end lines or take no place.
fn is_hazard(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_cannot_command_the_terminal() {
        let mut out = Vec::new();
        push_clean(&mut out, "a\u{1b}[2Jb\u{202e}\nü\u{2028}");
        assert_eq!(String::from_utf8(out).unwrap(), "a\\u{1b}[2Jb\\u{202e}\\nü\\u{2028}");
    }
}
