//! Who wrote an event and what it is: the same for all events of a type.

use crate::decode::{Event, EventType};
use crate::event::Kind;
use crate::render::json::quoted;
use crate::render::{escape, value};

use super::member::{push_guid, push_key_after_comma, push_number, push_text};

/// Provider, event and descriptor.
pub(super) fn push_names(out: &mut Vec<u8>, event: &Event<'_>) {
    let raw = &event.raw;
    if let Some(provider) = event.event_type().and_then(EventType::provider_name) {
        push_text(out, "provider", provider.as_bytes());
    }
    let guid = event.provider_guid();
    if !guid.is_null() {
        push_guid(out, "provider_guid", guid);
    }
    let kind = raw.kind();
    if kind == Kind::Classic && guid != raw.provider() && !raw.provider().is_null() {
        push_guid(out, "task_guid", raw.provider());
    }
    if let Some(name) = event.schema.and_then(|schema| schema.names().full()) {
        push_text(out, "event", name.as_bytes());
    }
    push_details(out, event);
    if matches!(kind, Kind::Manifest | Kind::TraceLogging | Kind::Wpp) {
        push_number(out, "id", raw.id());
    }
    if kind == Kind::Wpp || kind == Kind::Error {
        return;
    }
    push_number(out, "version", raw.version());
    if raw.hook().is_none() {
        push_number(out, "level", raw.level());
    }
    push_number(out, "opcode", raw.opcode());
    if raw.described().is_some() {
        push_number(out, "task", raw.task());
        out.extend_from_slice(b",\"keywords\":");
        quoted(out, |out| {
            value::hex(out, raw.keywords());
        });
        push_number(out, "channel", raw.channel());
    }
}

/// What else the schema's source tells of the event, an object.
fn push_details(out: &mut Vec<u8>, event: &Event<'_>) {
    let mut begun = false;
    for (key, value) in event.schema.into_iter().flat_map(|schema| schema.names().own_details()) {
        if begun {
            out.push(b',');
        } else {
            push_key_after_comma(out, "details");
            out.push(b'{');
        }
        begun = true;
        quoted(out, |out| escape::push_utf8(out, key.as_bytes()));
        out.push(b':');
        quoted(out, |out| escape::push_utf8(out, value.as_bytes()));
    }
    if begun {
        out.push(b'}');
    }
}
