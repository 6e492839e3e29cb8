//! Lines of compiled event types.

use crate::decode::{Attribution, PendingEvent, stack_of};
use crate::event::Header;
use crate::output::compiled::{Compiled, CompiledTypes};
use crate::output::processes::ProcessTexts;
use crate::render::members::{MemberValue, MemberWriter, push_member_value, write_items};
use crate::render::pen::{Literal, Mark, Pen};
use crate::render::time::TimeCache;
use crate::select::HeaderField;

use super::images::ImageTexts;
use super::object::{Buffers, write_derived, write_end};
use super::texts::{LayoutTexts, Texts};

/// Most bytes of the members of a header that are not constant, without those of the process and the file.
const HEADER: usize = 320;

/// Most bytes of an address and of its frame without the image.
const ADDRESS: usize = 32;
/// Bytes of the keys of a stack.
const STACK: usize = 64;

const QUOTE: Mark = Mark::new(b"\"");
const QUOTE_COMMA: Mark = Mark::new(b"\",");

/// The keys of numbers in the header.
#[derive(Debug)]
struct HeaderKeys {
    raw_time: Literal,
    tid: Literal,
    cpu: Literal,
}

impl Default for HeaderKeys {
    fn default() -> Self {
        let [raw_time, tid, cpu] = [&b"\"raw_time\":"[..], b",\"tid\":", b",\"cpu\":"].map(Literal::new);
        Self { raw_time, tid, cpu }
    }
}

/// What one thread has compiled.
#[derive(Debug, Default)]
pub(super) struct Quick {
    types: CompiledTypes<Texts>,
    processes: ProcessTexts,
    images: ImageTexts,
    keys: HeaderKeys,
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
    /// Writes a line, if the event's type can be compiled and its payload is as the schema says; false otherwise.
    pub(super) fn line(&mut self, pending: &mut PendingEvent<'_>, parts: LineParts<'_>, out: &mut Vec<u8>) -> bool {
        let Self { types, processes, images, keys, pen } = self;
        let Some((compiled, slots)) = types.of(pending, &()) else { return false };
        if matches!(pending.raw().header(), Header::Instance(_)) {
            return false;
        }
        let Some(found) = compiled.attribution(pending) else { return false };
        let process = found.pid.map_or(&[][..], |pid| processes.of(pid, pending, push_process));
        let LineParts { time, files, buffers } = parts;
        let file = files.get(usize::from(pending.raw().place().file)).map_or(&[][..], |file| file);
        let constant = compiled.texts.names.len() + compiled.texts.kind.len() + file.len() + process.len();
        let most = HEADER + compiled.most(pending.payload().len()) + constant;
        pen.begin(most);
        times(pen, pending, compiled, time);
        pen.keyed_integer(&keys.raw_time, pending.raw().time().0);
        pen.bytes(file);
        pen.bytes(&compiled.texts.names);
        pen.bytes(process);
        header(pen, pending, found.tid, keys);
        pen.bytes(&compiled.texts.kind);
        pen.block(b",\"fields\":{", 11);
        if !compiled.fields(pen, pending, &(), slots) {
            return false;
        }
        let LayoutTexts { derived, members, .. } = &*compiled.texts.layout;
        match members.as_ref().filter(|_| !compiled.has_message) {
            Some(members) => {
                members.write(derived, pen, pending, found, images);
                if has_end(pending) {
                    end(pen, pending, found, buffers, images);
                }
            }
            None => pen.with_vec(|out| {
                let event = pending.locate();
                write_derived(out, &event, derived);
                write_end(out, &event, buffers);
            }),
        }
        pen.block(b"}\n", 2);
        pen.text().is_some_and(|line| {
            out.extend_from_slice(line);
            true
        })
    }
}

/// Appends the members `pid` and `process`.
fn push_process(out: &mut Vec<u8>, pid: u32, name: Option<&str>) {
    out.member(HeaderField::Pid.name(), MemberValue::Number(pid.into()));
    if let Some(name) = name {
        out.member(HeaderField::Process.name(), MemberValue::Text(name.as_bytes()));
    }
}

/// Writes the time.
#[inline]
fn times(pen: &mut Pen, pending: &PendingEvent<'_>, compiled: &Compiled<Texts>, cache: &mut TimeCache) {
    pen.byte(b'{');
    if let Some(time) = pending.time() {
        pen.block(b"\"time\":\"", 8);
        cache.write(pen, time, compiled.is_local_time);
        pen.block(b"\",", 2);
    }
}

/// Writes the members between the process and the kind.
#[inline]
fn header(pen: &mut Pen, pending: &PendingEvent<'_>, tid: Option<u32>, keys: &HeaderKeys) {
    let raw = pending.raw();
    if let Some(tid) = tid {
        pen.keyed_decimal(&keys.tid, tid.into(), Mark::NONE);
    }
    pen.keyed_decimal(&keys.cpu, raw.processor().into(), Mark::NONE);
    if let Some(activity) = raw.activity() {
        pen.block(b",\"activity\":\"", 13);
        pen.guid(&activity.to_bytes());
        pen.byte(b'"');
    }
    if raw.has_extended()
        && let Some(activity) = raw.related_activity()
    {
        pen.block(b",\"related_activity\":\"", 21);
        pen.guid(&activity.to_bytes());
        pen.byte(b'"');
    }
}

/// Returns whether an event may have members at the end.
#[inline]
fn has_end(pending: &PendingEvent<'_>) -> bool {
    let raw = pending.raw();
    raw.has_extended() || raw.header().has_counters() || !pending.system().stacks.is_empty()
}

/// Writes the members that [`super::object::write_end`] writes, except the message.
fn end(pen: &mut Pen, pending: &PendingEvent<'_>, found: Attribution, buffers: &mut Buffers, images: &mut ImageTexts) {
    let raw = pending.raw();
    if raw.has_extended() || raw.header().has_counters() {
        pen.with_vec(|out| write_items(out, raw));
    }
    let addresses = &mut buffers.addresses;
    let Some(stack) = stack_of(raw, pending.system(), || found, addresses) else { return };
    pen.more(ADDRESS * addresses.len() + STACK);
    pen.bytes(b",\"stack\":[");
    for address in addresses.iter() {
        pen.marked_hex(QUOTE, *address, QUOTE_COMMA);
    }
    pen.replace_last(b',', b']');
    if let Some(missing) = stack.missing {
        pen.with_vec(|out| out.member("stack_missing", MemberValue::Text(missing.reason().as_bytes())));
    }
    if !addresses.is_empty() && pending.system().has_frames() {
        frames(pen, pending, stack.pid.unwrap_or(0), addresses, images);
    }
}

/// Writes the methods and images that the addresses of a stack lie in.
fn frames(pen: &mut Pen, pending: &PendingEvent<'_>, pid: u32, addresses: &[u64], images: &mut ImageTexts) {
    pen.bytes(b",\"frames\":[");
    for (place, address) in addresses.iter().enumerate() {
        if !method(pen, pending, pid, (*address, place)) && !images.write(pen, b"", pid, *address, pending) {
            pen.bytes(b"null");
        }
        pen.byte(b',');
    }
    pen.replace_last(b',', b']');
}

/// Writes the method that an address of a stack lies in; `false` if none is known.
fn method(pen: &mut Pen, pending: &PendingEvent<'_>, pid: u32, (address, place): (u64, usize)) -> bool {
    let system = pending.system();
    if system.methods.is_empty() {
        return false;
    }
    let frame = system.frame_at(pid, address, place, pending.raw());
    let Some((module, name)) = frame.method_name() else { return false };
    pen.with_vec(|out| push_member_value(out, MemberValue::Method { module, name }));
    true
}
