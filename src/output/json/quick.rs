//! Lines of compiled event types.

use crate::decode::{Attribution, PendingEvent, Slots, stack_of};
use crate::event::Header;
use crate::limits;
use crate::render::members::{MemberValue, MemberWriter, write_items};
use crate::render::pen::{After, Literal, Pen};
use crate::render::time::TimeCache;

use super::compiled::{Compiled, Prepared};
use super::images::ImageTexts;
use super::object::{Buffers, write_derived, write_end};
use super::processes::ProcessMembers;

/// Most bytes of the members of a header that are not constant, without those of the process and the file.
const HEADER: usize = 320;

/// Most bytes of an address and of its frame without the image.
const ADDRESS: usize = 32;
/// Bytes of the keys of a stack.
const STACK: usize = 64;

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
#[derive(Debug)]
pub(super) struct Quick {
    /// By the id of the type.
    types: Vec<Prepared>,
    processes: ProcessMembers,
    images: ImageTexts,
    slots: Slots,
    keys: HeaderKeys,
    pen: Pen,
}

impl Default for Quick {
    fn default() -> Self {
        let (types, processes, images, keys, pen) = <_>::default();
        Self { types, processes, images, slots: [0; limits::MAX_REFERENCES], keys, pen }
    }
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
        let Self { types, processes, images, slots, keys, pen } = self;
        let Some(compiled) = pending.key().and_then(|key| prepared(types, key.0 as usize).ready(pending)) else {
            return false;
        };
        if matches!(pending.raw().header(), Header::Instance(_)) {
            return false;
        }
        let payload = pending.raw().payload();
        let Some(found) = compiled.attribution(pending, payload) else { return false };
        let process = found.pid.map_or(&[][..], |pid| processes.of(pid, pending));
        let LineParts { time, files, buffers } = parts;
        let file = files.get(usize::from(pending.raw().place().file)).map_or(&[][..], |file| file);
        let most = HEADER + compiled.most(payload.len()) + file.len() + process.len();
        pen.begin(most);
        times(pen, pending, compiled, time);
        pen.keyed_integer(&keys.raw_time, pending.raw().time().0);
        pen.bytes(file);
        pen.bytes(&compiled.texts.names);
        pen.bytes(process);
        header(pen, pending, found.tid, keys);
        pen.bytes(&compiled.texts.kind);
        pen.block(b",\"fields\":{", 11);
        if !compiled.fields(pen, pending, payload, slots) {
            return false;
        }
        if compiled.derived.is_none() || compiled.has_message {
            pen.with_vec(|out| {
                let event = pending.locate();
                write_derived(out, &event, &compiled.texts.derived);
                write_end(out, &event, buffers);
            });
        } else {
            let derived = compiled.derived.as_ref().filter(|derived| !derived.is_empty());
            if let Some(derived) = derived {
                derived.write(pen, pending, found, images);
            }
            if has_end(pending) {
                end(pen, pending, found, buffers, images);
            }
        }
        pen.block(b"}\n", 2);
        match pen.text() {
            Some(line) => {
                out.extend_from_slice(line);
                true
            }
            None => false,
        }
    }
}

#[inline]
fn prepared(types: &mut Vec<Prepared>, place: usize) -> &mut Prepared {
    if types.len() <= place {
        types.resize_with(place + 1, Prepared::default);
    }
    #[expect(clippy::indexing_slicing, reason = "the line above makes it long enough")]
    &mut types[place]
}

/// Writes the time.
#[inline]
fn times(pen: &mut Pen, pending: &PendingEvent<'_>, compiled: &Compiled, cache: &mut TimeCache) {
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
        pen.keyed_decimal(&keys.tid, tid.into(), After::NOTHING);
    }
    pen.keyed_decimal(&keys.cpu, raw.processor().into(), After::NOTHING);
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
        pen.hex_element(*address);
    }
    pen.replace_last(b',', b']');
    if let Some(missing) = stack.missing {
        pen.with_vec(|out| out.member("stack_missing", MemberValue::Text(missing.reason().as_bytes())));
    }
    if !addresses.is_empty() && !pending.system().images.list().is_empty() {
        frames(pen, pending, stack.pid.unwrap_or(0), addresses, images);
    }
}

/// Writes the images that the addresses of a stack lie in.
fn frames(pen: &mut Pen, pending: &PendingEvent<'_>, pid: u32, addresses: &[u64], images: &mut ImageTexts) {
    pen.bytes(b",\"frames\":[");
    for address in addresses {
        if !images.write(pen, b"", pid, *address, pending) {
            pen.bytes(b"null");
        }
        pen.byte(b',');
    }
    pen.replace_last(b',', b']');
}
