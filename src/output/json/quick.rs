//! Lines of compiled event types.

use std::ops::RangeInclusive;

use crate::decode::{Attribution, PendingEvent, Slots, stack_of};
use crate::output::beginnings::Beginnings;
use crate::output::compiled::{Compiled, CompiledTypes};
use crate::output::header_parts::HeaderParts;
use crate::output::images::ImageTexts;
use crate::output::processes::ProcessTexts;
use crate::render::members::{MemberValue, MemberWriter, write_items, write_rest};
use crate::render::pen::{Literal, Mark, Pen};
use crate::render::time::TimeCache;
use crate::select::HeaderField;

use super::frames::FrameTexts;
use super::object::{Buffers, write_derived, write_end};
use super::raw_time::RawTimeText;
use super::texts::{LayoutTexts, Texts};

const QUOTE: Mark = Mark::new(b"\"");
const QUOTE_COMMA: Mark = Mark::new(b"\",");

/// The key of the processor.
#[derive(Debug)]
struct CpuKey(Literal);

impl Default for CpuKey {
    fn default() -> Self {
        Self(Literal::new(b",\"cpu\":"))
    }
}

/// What one thread has compiled.
#[derive(Debug, Default)]
pub(super) struct Quick {
    types: CompiledTypes<Texts>,
    beginnings: Beginnings,
    processes: ProcessTexts,
    images: ImageTexts,
    frames: FrameTexts,
    cpu: CpuKey,
    raw_time: RawTimeText,
    pen: Pen,
}

/// What the lines of all types need.
#[derive(Debug)]
pub(super) struct LineParts<'l> {
    pub(super) time: &'l mut TimeCache,
    /// The member `file` of each file.
    pub(super) files: &'l [Box<[u8]>],
    pub(super) buffers: &'l mut Buffers,
}

impl Quick {
    /// Writes a line, if the event's type can be compiled and its payload is as the schema states; false otherwise.
    pub(super) fn line(&mut self, pending: &mut PendingEvent<'_>, parts: LineParts<'_>, out: &mut Vec<u8>) -> bool {
        let Self { types, beginnings, processes, images, frames, cpu, raw_time, pen } = self;
        let head = HeaderParts::of(pending.raw());
        let Some((compiled, slots)) = types.of(pending, &head, &()) else { return false };
        if pending.raw().header().instances().is_some() {
            return false;
        }
        let texts = &compiled.texts;
        let beginning = beginnings.of(pending, compiled.beginning(), head.writer, |out, found| {
            push_beginning(out, texts, found, processes, pending)
        });
        let Some((found, beginning)) = beginning else { return false };
        let LineParts { time, files, buffers } = parts;
        pen.begin();
        times(pen, pending, compiled, time);
        raw_time.write(pen, pending.raw().time().0);
        if let Some(file) = files.get(pending.raw().place().file.index()) {
            pen.bytes(file);
        }
        pen.bytes(beginning);
        pen.keyed_decimal(&cpu.0, pending.raw().processor().into(), Mark::NONE);
        activities(pen, pending, &head);
        if compiled.has_schema() {
            let parts = PayloadParts { head: &head, found, slots, buffers, images, frames };
            if !payload(pen, pending, compiled, parts) {
                return false;
            }
        } else {
            pen.bytes(&compiled.texts.kind);
            pen.with_vec(|out| {
                let event = pending.locate();
                write_rest(out, &event);
                write_derived(out, &event, &compiled.texts.layout.derived);
                write_end(out, &event, buffers);
            });
        }
        pen.block(b"}\n", 2);
        pen.text().is_some_and(|line| {
            out.extend_from_slice(line);
            true
        })
    }
}

/// What the members that follow from a payload need.
struct PayloadParts<'l> {
    head: &'l HeaderParts,
    found: Attribution,
    slots: &'l mut Slots,
    buffers: &'l mut Buffers,
    images: &'l mut ImageTexts,
    frames: &'l mut FrameTexts,
}

/// Writes the members from the kind on of an event with a schema. Returns false if the schema does not fit.
#[inline]
fn payload(
    pen: &mut Pen,
    pending: &mut PendingEvent<'_>,
    compiled: &mut Compiled<Texts>,
    parts: PayloadParts<'_>,
) -> bool {
    let PayloadParts { head, found, slots, buffers, images, frames } = parts;
    pen.literal(&compiled.texts.before_fields);
    if !compiled.fields(pen, pending, &(), slots) {
        return false;
    }
    let LayoutTexts { derived, members, .. } = &*compiled.texts.layout;
    match members.as_ref().filter(|_| !compiled.has_message) {
        Some(members) => {
            members.write(derived, pen, pending, found, images);
            if head.has_extended || head.has_counters {
                pen.with_vec(|out| write_items(out, pending.raw()));
            }
            if head.has_extended || !pending.system().stacks.is_empty() {
                stack(pen, pending, found, buffers, frames);
            }
        }
        None => pen.with_vec(|out| {
            let event = pending.locate();
            write_derived(out, &event, derived);
            write_end(out, &event, buffers);
        }),
    }
    true
}

/// Appends the members from the provider to the thread. Returns the ticks for which they hold.
fn push_beginning(
    out: &mut Vec<u8>,
    texts: &Texts,
    found: Attribution,
    processes: &mut ProcessTexts,
    event: &PendingEvent<'_>,
) -> RangeInclusive<i64> {
    out.extend_from_slice(&texts.names);
    let process = found.pid.and_then(|pid| processes.with_ticks(pid, event, push_process));
    let ticks = process.map_or(i64::MIN..=i64::MAX, |(process, ticks)| {
        process.push(out);
        ticks.clone()
    });
    if let Some(tid) = found.tid {
        out.member(HeaderField::Tid.name(), MemberValue::Number(tid.into()));
    }
    ticks
}

/// Appends the members `pid` and `process`.
fn push_process(out: &mut Vec<u8>, pid: u32, name: Option<&str>) {
    out.member(HeaderField::Pid.name(), MemberValue::Number(pid.into()));
    if let Some(name) = name {
        out.member(HeaderField::Process.name(), MemberValue::Text(name.as_bytes()));
    }
}

/// Writes the time, and the key of the raw time.
#[inline]
fn times(pen: &mut Pen, pending: &PendingEvent<'_>, compiled: &Compiled<Texts>, cache: &mut TimeCache) {
    match pending.time() {
        Some(time) => {
            pen.block(b"{\"time\":\"", 9);
            cache.write(pen, time, compiled.is_local_time);
            pen.block(b"\",\"raw_time\":", 13);
        }
        None => pen.block(b"{\"raw_time\":", 12),
    }
}

/// Writes the activity and the related one, if there are any.
#[inline]
fn activities(pen: &mut Pen, pending: &PendingEvent<'_>, head: &HeaderParts) {
    if let Some(activity) = head.activity() {
        pen.block(b",\"activity\":\"", 13);
        pen.guid(&activity);
        pen.byte(b'"');
    }
    if head.has_extended
        && let Some(activity) = pending.raw().related_activity_id()
    {
        pen.block(b",\"related_activity\":\"", 21);
        pen.guid(&activity.to_bytes());
        pen.byte(b'"');
    }
}

/// Writes the stack, if there is one.
#[inline(never)]
fn stack(
    pen: &mut Pen,
    pending: &PendingEvent<'_>,
    found: Attribution,
    buffers: &mut Buffers,
    frames: &mut FrameTexts,
) {
    let addresses = &mut buffers.addresses;
    let Some(stack) = stack_of(pending.raw(), pending.event_type(), pending.system(), || found, addresses) else {
        return;
    };
    pen.bytes(b",\"stack\":[");
    for address in addresses.iter() {
        pen.marked_hex(QUOTE, *address, QUOTE_COMMA);
    }
    pen.replace_last(b',', b']');
    if let Some(missing) = stack.missing {
        pen.with_vec(|out| out.member("stack_missing", MemberValue::Text(missing.reason().as_bytes())));
    }
    if !addresses.is_empty() && pending.system().has_frames() {
        frames.write(pen, pending, stack.pid.unwrap_or(0), addresses);
    }
}
