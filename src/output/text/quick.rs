//! Lines of compiled event types.

use crate::decode::{Event, PendingEvent};
use crate::output::compiled::{CompiledTypes, TypeTexts};
use crate::output::header_parts::HeaderParts;
use crate::output::processes::ProcessTexts;
use crate::render::pen::{Literal, Pen};
use crate::select::{HeaderField, derived_in_text};

use super::columns::{Columns, Look};
use super::fields::TextFields;
use super::paint::Paint;
use super::parts::{push_derived, push_message_line};

/// The columns of the thread, and a blank.
const TID: usize = 6;

/// What one thread has compiled.
#[derive(Debug, Default)]
pub(super) struct Quick {
    types: CompiledTypes<Texts>,
    processes: ProcessTexts,
    pen: Pen,
}

/// What is the same for nearly all events of a type.
#[derive(Debug)]
struct Texts {
    level: Literal,
    /// With its colour, and blanks after it.
    name: Literal<64>,
    derived: Box<[HeaderField]>,
}

impl TypeTexts for Texts {
    type Dialect = TextFields;
    type Shared = Look;

    fn new(event: &Event<'_>, look: &Look, _: Option<&Self>) -> Self {
        let mut level = Vec::new();
        Look::push_level(&mut level, event);
        Self { level: Literal::new(&level), name: Literal::new(&look.name(event)), derived: derived_in_text(event) }
    }

    fn keys<'k>(&'k self, look: &'k Look) -> Option<&'k Paint> {
        Some(look.paint)
    }
}

impl Quick {
    /// Writes a line, if the event's type can be compiled and its payload is as the schema states; false otherwise.
    pub(super) fn line(
        &mut self,
        pending: &mut PendingEvent<'_>,
        look: &Look,
        columns: &mut Columns,
        scratch: &mut Vec<u8>,
        out: &mut Vec<u8>,
    ) -> bool {
        let Self { types, processes, pen } = self;
        let header = HeaderParts::of(pending.raw());
        let Some((compiled, slots)) = types.of(pending, &header, look) else { return false };
        let Some(found) = pending.attribution_of(header.writer) else { return false };
        let file = look.file(pending.raw()).unwrap_or_default();
        pen.begin();
        pen.bytes(look.paint.time.as_bytes());
        let time = pending.time().map(|time| (time, compiled.is_local_time));
        columns.write_time(pen, look, time, pending.raw().time());
        pen.bytes(look.paint.off.as_bytes());
        pen.literal(&compiled.texts.level);
        let push_process = |out: &mut Vec<u8>, pid, name: Option<&str>| look.push_process(out, Some(pid), name);
        match found.pid.and_then(|pid| processes.of(pid, pending, push_process)) {
            Some(process) => pen.literal(process),
            None => pen.with_vec(|out| look.push_process(out, None, None)),
        }
        write_thread(pen, found.tid);
        if !file.is_empty() {
            pen.bytes(file.as_bytes());
            pen.byte(b' ');
        }
        pen.literal(&compiled.texts.name);
        let filled = pen.place();
        if compiled.has_message {
            pen.with_vec(|out| {
                let event = pending.locate();
                if let Some(schema) = event.schema() {
                    push_message_line(out, scratch, &event, schema);
                }
            });
        }
        if !compiled.fields(pen, pending, look, slots) {
            return false;
        }
        if !compiled.texts.derived.is_empty() {
            pen.with_vec(|out| push_derived(out, look.paint, &pending.locate(), &compiled.texts.derived));
        }
        if pen.place() == filled {
            trim_blanks(pen);
        }
        pen.byte(b'\n');
        pen.text().is_some_and(|line| {
            out.extend_from_slice(line);
            true
        })
    }
}

/// Writes the thread and a blank.
#[inline]
fn write_thread(pen: &mut Pen, tid: Option<u32>) {
    match tid {
        Some(tid) => pen.decimal_right(tid.into(), TID),
        None => pen.block(b"     -", TID),
    }
    pen.byte(b' ');
}

#[cold]
fn trim_blanks(pen: &mut Pen) {
    while pen.last() == b' ' {
        pen.rewind(pen.place().saturating_sub(1));
    }
}
