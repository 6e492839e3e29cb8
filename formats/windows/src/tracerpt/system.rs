//! The header of an event: `<System>`.

use std::io::Write as _;

use etwkit::FileTime;
use etwkit::bytes::Guid;
use etwkit::decode::{Event, EventType};
use etwkit::event::{Kind, NO_ID, RawEvent};
use etwkit::render::pen::Pen;
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

/// The end of `<Execution>`, channel, computer, and the end of `<System>`.
pub(super) fn tail(event: &Event<'_>) -> Vec<u8> {
    let mut out = b"\" />\n".to_vec();
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
#[inline]
pub(super) fn write_middle(
    pen: &mut Pen,
    raw: &RawEvent<'_>,
    (at, is_local): (Option<FileTime>, bool),
    time: &mut TimeCache,
    times: &HeaderTimes,
) {
    match at {
        Some(at) => {
            text(pen, b"\t\t<TimeCreated SystemTime=\"");
            time.write(pen, at, is_local);
        }
        None => pen.with_vec(|out| drop(write!(out, "\t\t<TimeCreated RawTime=\"{}", raw.time()))),
    }
    let ids = ids(raw);
    match (raw.activity_id(), raw.has_extended()) {
        (None, false) if ids == (NO_ID, NO_ID) => text(pen, NO_ACTIVITY_AND_IDS),
        (None, false) => {
            text(pen, NO_ACTIVITY_AND_NO_OTHER);
            write_ids(pen, ids);
        }
        (activity, has_extended) => {
            write_activities(pen, raw, (activity, has_extended));
            write_ids(pen, ids);
        }
    }
    number(pen, b"\" ProcessorID=\"", raw.processor().into());
    match times.milliseconds_of(raw) {
        Times::Processor(time) => number(pen, b"\" ProcessorTime=\"", time),
        Times::Thread { kernel: 0, user: 0 } => text(pen, NO_TIMES),
        Times::Thread { kernel, user } => {
            number(pen, b"\" KernelTime=\"", kernel);
            number(pen, b"\" UserTime=\"", user);
        }
    }
}

/// Writes what is between the time and the process.
fn write_activities(pen: &mut Pen, raw: &RawEvent<'_>, (activity, has_extended): (Option<Guid>, bool)) {
    match activity {
        None => text(pen, NO_ACTIVITY),
        Some(activity) => {
            text(pen, b"\" />\n\t\t<Correlation ActivityID=\"{");
            pen.guid(&activity.to_bytes());
        }
    }
    if has_extended && let Some(related) = raw.related_activity_id() {
        text(pen, b"}\" RelatedActivityID=\"{");
        pen.guid(&related.to_bytes());
    }
    text(pen, b"}\" />\n\t\t<Execution ProcessID=\"");
}

/// Writes a process and a thread.
#[inline]
fn write_ids(pen: &mut Pen, (pid, tid): (u32, u32)) {
    pen.decimal(pid.into());
    number(pen, b"\" ThreadID=\"", tid.into());
}

/// The times of most events.
const NO_TIMES: &[u8; 28] = b"\" KernelTime=\"0\" UserTime=\"0";

/// End of the time, and the activity of events without one.
const NO_ACTIVITY: &[u8; 69] = b"\" />\n\t\t<Correlation ActivityID=\"{00000000-0000-0000-0000-000000000000";

/// The same up to the process.
const NO_ACTIVITY_AND_NO_OTHER: &[u8; 99] =
    b"\" />\n\t\t<Correlation ActivityID=\"{00000000-0000-0000-0000-000000000000}\" />\n\t\t<Execution ProcessID=\"";

/// The same up to the end of the thread, where both are not known.
const NO_ACTIVITY_AND_IDS: &[u8; 131] =
    b"\" />\n\t\t<Correlation ActivityID=\"{00000000-0000-0000-0000-000000000000}\" />\n\t\t<Execution ProcessID=\"\
    4294967295\" ThreadID=\"4294967295";

#[inline]
fn text<const N: usize>(pen: &mut Pen, text: &[u8; N]) {
    pen.block(text, N);
}

#[inline]
fn number<const N: usize>(pen: &mut Pen, before: &[u8; N], number: u64) {
    text(pen, before);
    pen.decimal(number);
}

/// Returns the provider's name, where the report has one.
pub(super) fn provider_name<'e>(event: &Event<'e>) -> Option<&'e str> {
    // Windows knows the provider of a lone text by its traits only.
    if is_kernel(event) || event.raw().kind() == Kind::StringOnly && event.raw().traits().is_none() {
        return None;
    }
    event.event_type().and_then(EventType::provider_name)
}
