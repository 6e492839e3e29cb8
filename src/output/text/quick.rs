//! Lines of compiled event types.

use std::ops::RangeInclusive;

use crate::decode::{Attribution, Event, PendingEvent};
use crate::output::beginnings::Beginnings;
use crate::output::compiled::{CompiledTypes, TypeTexts};
use crate::output::header_parts::HeaderParts;
use crate::output::images::ImageTexts;
use crate::output::processes::ProcessTexts;
use crate::render::pen::{Literal, Mark, Pen};
use crate::select::{HeaderField, Placed, derived_in_text};

use super::columns::{Columns, Look, push_thread};
use super::fields::TextFields;
use super::paint::Paint;
use super::parts::{push_derived, push_image, push_message_line, push_payload};

/// What one thread has compiled.
#[derive(Debug, Default)]
pub(super) struct Quick {
    types: CompiledTypes<Texts>,
    beginnings: Beginnings,
    processes: ProcessTexts,
    images: ImageTexts,
    pen: Pen,
}

/// What is the same for nearly all events of a type.
#[derive(Debug)]
struct Texts {
    level: Literal,
    /// With its colour, and blanks after it.
    name: Literal<64>,
    derived: Box<[HeaderField]>,
    /// Where the payload has the address whose image is shown; `None` if the fields must be located for it.
    address: Option<Placed>,
}

impl TypeTexts for Texts {
    type Dialect = TextFields;
    type Shared = Look;

    const WITHOUT_SCHEMA: bool = true;

    fn new(event: &Event<'_>, look: &Look, _: Option<&Self>) -> Self {
        let mut level = Vec::new();
        Look::push_level(&mut level, event);
        let schema = event.schema();
        let address = schema.and_then(|schema| Placed::new(&[HeaderField::Image], schema, event.raw().pointer_size()));
        let (level, name) = (Literal::new(&level), Literal::new(&look.name(event)));
        Self { level, name, derived: derived_in_text(event), address }
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
        let Self { types, beginnings, processes, images, pen } = self;
        let header = HeaderParts::of(pending.raw());
        let Some((compiled, slots)) = types.of(pending, &header, look) else { return false };
        let texts = &compiled.texts;
        let beginning = beginnings.of(pending, compiled.beginning(), header.writer, |out, found| {
            push_columns(out, (texts, look), found, processes, pending)
        });
        let Some((found, beginning)) = beginning else { return false };
        pen.begin();
        pen.bytes(look.paint.time.as_bytes());
        let time = pending.time().map(|time| (time, compiled.is_local_time));
        columns.write_time(pen, look, time, pending.raw().time());
        pen.bytes(look.paint.off.as_bytes());
        pen.bytes(beginning);
        let filled = pen.place();
        if compiled.has_message {
            pen.with_vec(|out| {
                let event = pending.locate();
                if let Some(schema) = event.schema() {
                    push_message_line(out, scratch, &event, schema);
                }
            });
        }
        if !compiled.has_schema() {
            pen.with_vec(|out| push_payload(out, pending.payload()));
        } else if !compiled.fields(pen, pending, look, slots) {
            return false;
        }
        let Texts { derived, address, .. } = &compiled.texts;
        match (&**derived, address) {
            ([], _) => {}
            ([HeaderField::Image], Some(placed)) => {
                let push = |out: &mut Vec<u8>, name: &str| push_image(out, look.paint, name);
                images.write(pen, (pending, placed, found), push, Mark::NONE);
            }
            _ => pen.with_vec(|out| {
                let event = pending.locate();
                derived.iter().for_each(|field| push_derived(out, look.paint, &event, *field));
            }),
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

/// Appends the columns from the level to the name. Returns the ticks for which they hold.
fn push_columns(
    out: &mut Vec<u8>,
    (texts, look): (&Texts, &Look),
    found: Attribution,
    processes: &mut ProcessTexts,
    event: &PendingEvent<'_>,
) -> RangeInclusive<i64> {
    texts.level.push(out);
    let push_process = |out: &mut Vec<u8>, pid, name: Option<&str>| look.push_process(out, Some(pid), name);
    let mut ticks = i64::MIN..=i64::MAX;
    match found.pid.and_then(|pid| processes.with_ticks(pid, event, push_process)) {
        Some((process, of_process)) => {
            process.push(out);
            ticks = of_process.clone();
        }
        None => look.push_process(out, None, None),
    }
    push_thread(out, found.tid);
    if let Some(file) = look.file(event.raw()) {
        out.extend_from_slice(file.as_bytes());
        out.push(b' ');
    }
    texts.name.push(out);
    ticks
}

#[cold]
fn trim_blanks(pen: &mut Pen) {
    while pen.last() == b' ' {
        pen.rewind(pen.place().saturating_sub(1));
    }
}
