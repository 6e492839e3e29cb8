//! The members of an event's object, in order. `quick.rs` has the same order for compiled types.

use crate::decode::Event;
use crate::render::members::{
    MemberValue, MemberWriter, NameRoom, write_items, write_message_options, write_rest, write_stack,
};
use crate::render::push_message;
use crate::select::{HeaderField, HeaderValue};

use super::header_member::header_member;

/// What an event's object is written to. The parts that JSON lines prepare for each type of event, or write without
/// values between, are methods.
pub(crate) trait EventWriter {
    /// Where plain members go.
    type Members: MemberWriter;

    /// Returns where plain members go.
    fn members(&mut self) -> &mut Self::Members;

    /// Writes the first members: the time, if it is known, the raw time, and the file if several are read.
    fn times(&mut self, event: &Event<'_>);

    /// Writes [`super::names::write_names`].
    fn names(&mut self, event: &Event<'_>);

    /// Writes [`super::names::write_kind`].
    fn kind(&mut self, event: &Event<'_>);

    /// Writes the fields of the payload, if it has a schema.
    fn fields(&mut self, event: &Event<'_>);

    /// Writes [`write_derived`] with the derived fields of the event's type.
    fn derived(&mut self, event: &Event<'_>);
}

/// Memory that is used again for each event.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    pub(super) addresses: Vec<u64>,
    message: Vec<u8>,
}

/// Writes all members of an event (`docs/json.md`).
pub(crate) fn write_event<W: EventWriter>(out: &mut W, event: &Event<'_>, buffers: &mut Buffers) {
    out.times(event);
    out.names(event);
    write_header(out.members(), event);
    out.kind(event);
    out.fields(event);
    write_rest(out.members(), event);
    out.derived(event);
    write_end(out.members(), event, buffers);
}

/// Writes the last members.
pub(super) fn write_end<W: MemberWriter>(out: &mut W, event: &Event<'_>, buffers: &mut Buffers) {
    write_items(out, event.raw());
    write_stack(out, event, &mut buffers.addresses, NameRoom::of);
    if let Some(HeaderValue::Message(message)) = HeaderField::Message.value(event) {
        buffers.message.clear();
        push_message(&mut buffers.message, message, event, event.clock());
        out.member(HeaderField::Message.name(), MemberValue::Text(&buffers.message));
    }
}

/// Writes what follows from the fields and the traced system.
#[inline]
pub(crate) fn write_derived<W: MemberWriter>(out: &mut W, event: &Event<'_>, fields: &[HeaderField]) {
    for field in fields {
        header_member(out, *field, field.value(event));
    }
}

/// Ids, processor and activities: different in every event.
fn write_header<W: MemberWriter>(out: &mut W, event: &Event<'_>) {
    let (raw, found) = (event.raw(), event.attribution());
    // One call for each, so that the compiler sees which field it is: these are in nearly every event.
    header_member(out, HeaderField::Pid, HeaderField::Pid.of_attribution(found, event));
    header_member(out, HeaderField::Process, HeaderField::Process.of_attribution(found, event));
    header_member(out, HeaderField::Tid, HeaderField::Tid.of_attribution(found, event));
    out.member(HeaderField::Cpu.name(), MemberValue::Number(event.processor().into()));
    for field in [HeaderField::Activity, HeaderField::RelatedActivity] {
        header_member(out, field, field.in_header(raw, None));
    }
    write_message_options(out, raw);
}
