//! The header of an event: `<System>`.

use std::io::Write as _;

use etwkit::bytes::Guid;
use etwkit::decode::{Event, EventType};
use etwkit::event::Kind;
use etwkit::render::time::TimeCache;

use super::escape;
use crate::header::{HeaderTimes, Times, ids, is_kernel};

/// Returns the head of an event's element and of `<System>`, up to the keywords: the same for nearly all events of a
/// key.
pub(super) fn head(event: &Event<'_>) -> Vec<u8> {
    let raw = event.raw();
    let mut out =
        b"<Event xmlns=\"http://schemas.microsoft.com/win/2004/08/events/event\">\n\t<System>\n\t\t<Provider ".to_vec();
    if let Some(name) = provider_name(event) {
        out.extend_from_slice(b"Name=\"");
        escape::push_attribute(&mut out, name);
        out.extend_from_slice(b"\" ");
    }
    let guid = event.provider_guid();
    // Writing to a vector cannot fail.
    let _ = writeln!(out, "Guid=\"{{{guid}}}\" />");
    for (name, value) in [
        ("EventID", raw.id()),
        ("Version", raw.version().into()),
        ("Level", raw.level().into()),
        ("Task", raw.task()),
        ("Opcode", raw.opcode().into()),
    ] {
        let _ = writeln!(out, "\t\t<{name}>{value}</{name}>");
    }
    let _ = writeln!(out, "\t\t<Keywords>{:#x}</Keywords>", raw.keywords());
    out
}

/// Channel, computer, and the end of `<System>`.
pub(super) fn tail(event: &Event<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    match event.schema().and_then(|schema| schema.reported().names().channel.as_deref()) {
        Some(channel) => {
            out.extend_from_slice(b"\t\t<Channel>");
            escape::push_str(&mut out, channel);
            out.extend_from_slice(b"</Channel>\n");
        }
        None => out.extend_from_slice(b"\t\t<Channel />\n"),
    }
    out.extend_from_slice(b"\t\t<Computer />\n\t</System>\n");
    out
}

/// Time, activities and execution: different in every event.
pub(super) fn push_middle(out: &mut Vec<u8>, event: &Event<'_>, time: &mut TimeCache, times: &HeaderTimes) {
    let raw = event.raw();
    match event.time() {
        Some(at) => {
            out.extend_from_slice(b"\t\t<TimeCreated SystemTime=\"");
            time.push_of(out, at, event.is_local_time());
        }
        None => drop(write!(out, "\t\t<TimeCreated RawTime=\"{}", raw.time())),
    }
    let activity = raw.activity().unwrap_or(Guid::NULL);
    out.extend_from_slice(b"\" />\n\t\t<Correlation ActivityID=\"{");
    out.extend_from_slice(&activity.to_text());
    if let Some(related) = raw.related_activity() {
        out.extend_from_slice(b"}\" RelatedActivityID=\"{");
        out.extend_from_slice(&related.to_text());
    }
    out.extend_from_slice(b"}\" />\n\t\t<Execution");
    let (pid, tid) = ids(raw);
    push_number(out, " ProcessID", pid.into());
    push_number(out, " ThreadID", tid.into());
    push_number(out, " ProcessorID", raw.processor().into());
    match times.milliseconds_of(raw) {
        Times::Processor(time) => push_number(out, " ProcessorTime", time),
        Times::Thread { kernel, user } => {
            push_number(out, " KernelTime", kernel);
            push_number(out, " UserTime", user);
        }
    }
    out.extend_from_slice(b" />\n");
}

fn push_number(out: &mut Vec<u8>, name: &str, value: u64) {
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"=\"");
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
    out.push(b'"');
}

/// Returns the provider's name, where the report has one.
pub(super) fn provider_name<'e>(event: &Event<'e>) -> Option<&'e str> {
    // Windows knows the provider of a lone text by its traits only.
    if is_kernel(event) || event.raw().kind() == Kind::StringOnly && event.raw().traits().is_none() {
        return None;
    }
    event.event_type().and_then(EventType::provider_name)
}
