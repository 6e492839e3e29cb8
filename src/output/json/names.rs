//! The names of an event and its provider, which are the same for all events of a type.

use crate::decode::Event;
use crate::render::escape;
use crate::render::json::quoted;
use crate::select::{HeaderField, HeaderValue, task_guid};

use super::member::{push_guid, push_key_after_comma, push_text, push_value};

/// Provider, event and descriptor.
pub(super) fn push_names(out: &mut Vec<u8>, event: &Event<'_>) {
    // The GUID of a provider without a name is a member of its own.
    if let Some(HeaderValue::Provider { name: Some(name), .. }) = HeaderField::Provider.value(event) {
        push_text(out, HeaderField::Provider.name(), name.as_bytes());
    }
    push_value(out, HeaderField::ProviderGuid, HeaderField::ProviderGuid.value(event));
    if let Some(class) = task_guid(event) {
        push_guid(out, "task_guid", class);
    }
    push_value(out, HeaderField::Event, HeaderField::Event.value(event));
    push_details(out, event);
    for field in DESCRIPTOR {
        push_value(out, field, field.value(event));
    }
}

/// Numbers by which the header describes the event, in the order of their members.
const DESCRIPTOR: [HeaderField; 7] = [
    HeaderField::Id,
    HeaderField::Version,
    HeaderField::Level,
    HeaderField::Opcode,
    HeaderField::Task,
    HeaderField::Keywords,
    HeaderField::Channel,
];

/// Further properties of the event from the schema's source, an object.
fn push_details(out: &mut Vec<u8>, event: &Event<'_>) {
    let mut begun = false;
    for (key, value) in event.schema().into_iter().flat_map(|schema| schema.names().own_details()) {
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
