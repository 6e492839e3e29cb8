//! The names of an event and its provider, which are the same for all events of a type.

use crate::decode::Event;
use crate::render::members::{MemberValue, MemberWriter, write_details};
use crate::select::{HeaderField, HeaderValue, task_guid};

use super::header_member::header_member;

/// Writes provider, event and descriptor.
pub(crate) fn write_names<W: MemberWriter>(out: &mut W, event: &Event<'_>) {
    // The GUID of a provider without a name is a member of its own.
    if let Some(HeaderValue::Provider { name: Some(name), .. }) = HeaderField::Provider.value(event) {
        out.member(HeaderField::Provider.name(), MemberValue::Text(name.as_bytes()));
    }
    header_member(out, HeaderField::ProviderGuid, HeaderField::ProviderGuid.value(event));
    if let Some(class) = task_guid(event) {
        out.member("task_guid", MemberValue::Guid(class));
    }
    header_member(out, HeaderField::Event, HeaderField::Event.value(event));
    write_details(out, event);
    for field in DESCRIPTOR {
        header_member(out, field, field.value(event));
    }
}

/// Writes the kind of the header and the source of the schema.
pub(crate) fn write_kind<W: MemberWriter>(out: &mut W, event: &Event<'_>) {
    for field in [HeaderField::Kind, HeaderField::Schema] {
        header_member(out, field, field.value(event));
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
