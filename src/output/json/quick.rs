//! Lines of compiled event types.

use crate::decode::PendingEvent;
use crate::event::Header;
use crate::output::compiled::{Compiled, CompiledTypes};
use crate::output::processes::ProcessTexts;
use crate::render::members::{MemberValue, MemberWriter};
use crate::render::pen::Pen;
use crate::render::time::TimeCache;
use crate::select::HeaderField;

use super::object::{Buffers, write_derived, write_end};
use super::texts::Texts;

/// Most bytes of the members of a header that are not constant, without those of the process and the file.
const HEADER: usize = 320;

/// What one thread has compiled.
#[derive(Debug, Default)]
pub(super) struct Quick {
    types: CompiledTypes<Texts>,
    processes: ProcessTexts,
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
        let Self { types, processes, pen } = self;
        let Some((compiled, slots)) = types.of(pending, &()) else { return false };
        if matches!(pending.raw().header(), Header::Instance(_)) {
            return false;
        }
        let Some(found) = compiled.attribution(pending) else { return false };
        let process = found.pid.map_or(&[][..], |pid| processes.of(pid, pending, push_process));
        let LineParts { time, files, buffers } = parts;
        let file = files.get(usize::from(pending.raw().place().file)).map_or(&[][..], |file| file);
        let constant = compiled.texts.names.len() + compiled.texts.kind.len() + file.len() + process.len();
        let most = HEADER + compiled.most(pending.raw().payload().len()) + constant;
        pen.begin(most);
        times(pen, pending, compiled, time);
        pen.bytes(file);
        pen.bytes(&compiled.texts.names);
        pen.bytes(process);
        header(pen, pending, found.tid);
        pen.bytes(&compiled.texts.kind);
        pen.block(b",\"fields\":{", 11);
        if !compiled.fields(pen, pending, &(), slots) {
            return false;
        }
        if has_tail(compiled, pending) {
            pen.with_vec(|out| {
                let event = pending.locate();
                write_derived(out, &event, &compiled.texts.derived);
                write_end(out, &event, buffers);
            });
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

/// Appends the members `pid` and `process`.
fn push_process(out: &mut Vec<u8>, pid: u32, name: Option<&str>) {
    out.member(HeaderField::Pid.name(), MemberValue::Number(pid.into()));
    if let Some(name) = name {
        out.member(HeaderField::Process.name(), MemberValue::Text(name.as_bytes()));
    }
}

/// Writes the members before the names.
#[inline]
fn times(pen: &mut Pen, pending: &PendingEvent<'_>, compiled: &Compiled<Texts>, cache: &mut TimeCache) {
    pen.byte(b'{');
    if let Some(time) = pending.time() {
        pen.block(b"\"time\":\"", 8);
        cache.write(pen, time, compiled.is_local_time);
        pen.block(b"\",", 2);
    }
    pen.block(b"\"raw_time\":", 11);
    pen.json_integer(pending.raw().time().0);
}

/// Writes the members between the process and the kind.
#[inline]
fn header(pen: &mut Pen, pending: &PendingEvent<'_>, tid: Option<u32>) {
    let raw = pending.raw();
    if let Some(tid) = tid {
        pen.block(b",\"tid\":", 7);
        pen.decimal(tid.into());
    }
    pen.block(b",\"cpu\":", 7);
    pen.decimal(raw.processor().into());
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

/// Returns whether members follow the fields.
#[inline]
fn has_tail(compiled: &Compiled<Texts>, pending: &PendingEvent<'_>) -> bool {
    let raw = pending.raw();
    compiled.has_message
        || !compiled.texts.derived.is_empty()
        || raw.has_extended()
        || raw.header().has_counters()
        || !pending.system().stacks.is_empty()
}
