//! Rows of compiled event types.

use std::sync::Arc;

use crate::bytes::write_hex;
use crate::decode::{Attribution, Event, PendingEvent};
use crate::output::compiled::{CompiledTypes, TypeTexts};
use crate::output::header_parts::HeaderParts;
use crate::output::processes::ProcessTexts;
use crate::render::csv;
use crate::render::json::FieldKeys;
use crate::render::pen::{Literal, Pen};
use crate::render::plan::JsonInCsv;
use crate::select::{HeaderField, HeaderValue, Place};

use super::Column;
use super::cell::{Cells, type_schema};

/// What one thread has compiled.
#[derive(Debug, Default)]
pub(super) struct Quick {
    types: CompiledTypes<Segments>,
    processes: ProcessTexts,
    pen: Pen,
}

/// A row of a type's events.
#[derive(Debug)]
struct Segments {
    list: Box<[Segment]>,
    /// `None` without a schema, and if its rows are not compiled.
    keys: Option<Arc<FieldKeys>>,
}

/// A part of a row.
#[derive(Debug)]
enum Segment {
    /// Cells that are the same for nearly all events of a type, and the commas around them.
    Text(Box<Literal<64>>),
    Comma,
    Time,
    RawTime,
    Process,
    Pid,
    Tid,
    Cpu,
    Activity,
    RelatedActivity,
    /// All fields.
    Fields,
    /// The bytes of a payload without a schema.
    Payload,
    /// The column of a number, for which the fields must be located.
    Located(usize),
}

impl TypeTexts for Segments {
    type Dialect = JsonInCsv;
    type Shared = [Column];

    const WITHOUT_SCHEMA: bool = true;

    fn new(event: &Event<'_>, columns: &[Column], known: Option<&Self>) -> Self {
        let (mut list, mut text) = (Vec::new(), Vec::new());
        for (number, column) in columns.iter().enumerate() {
            if number > 0 {
                text.push(b',');
            }
            if let Some(segment) = segment(&mut text, number, column, event) {
                list.extend(Segment::text(&text));
                list.push(segment);
                text.clear();
            }
        }
        text.push(b'\n');
        list.extend(Segment::text(&text));
        let count = |is_it: fn(&Segment) -> bool| list.iter().filter(|part| is_it(part)).count();
        let fields = count(|part| matches!(part, Segment::Fields));
        let located = count(|part| matches!(part, Segment::Located(_)));
        // To locate the fields for each of several columns would cost more than the rest saves.
        let keys = || match known {
            Some(known) => known.keys.clone(),
            None => event.schema().map(|schema| Arc::new(FieldKeys::new(schema))),
        };
        let keys = if fields == 1 && located < 2 { keys() } else { None };
        Self { list: list.into(), keys }
    }

    fn keys<'k>(&'k self, _: &'k [Column]) -> Option<&'k FieldKeys> {
        self.keys.as_deref()
    }
}

/// Appends the cell of a column, if it is the same for nearly all events of a type; else returns what it is.
fn segment(text: &mut Vec<u8>, number: usize, column: &Column, event: &Event<'_>) -> Option<Segment> {
    let Column::Named(selector) = column else { return Some(Segment::Located(number)) };
    let field = match selector.place(type_schema(event)) {
        Place::Header(field) => field,
        Place::Field(_) => return Some(Segment::Located(number)),
        Place::Nowhere => return None,
    };
    match field {
        HeaderField::Time => return Some(Segment::Time),
        HeaderField::RawTime => return Some(Segment::RawTime),
        HeaderField::Process => return Some(Segment::Process),
        HeaderField::Pid => return Some(Segment::Pid),
        HeaderField::Tid => return Some(Segment::Tid),
        HeaderField::Cpu => return Some(Segment::Cpu),
        HeaderField::Activity => return Some(Segment::Activity),
        HeaderField::RelatedActivity => return Some(Segment::RelatedActivity),
        HeaderField::Fields if event.has_layout() => return Some(Segment::Fields),
        HeaderField::Extra if !event.has_layout() => return Some(Segment::Payload),
        HeaderField::Message if event.schema().is_some_and(|schema| schema.message().is_some()) => {
            return Some(Segment::Located(number));
        }
        // Payloads of compiled types have no bytes outside of fields, and without a schema no fields.
        HeaderField::Extra | HeaderField::Fields | HeaderField::Message => {}
        HeaderField::Provider
        | HeaderField::ProviderGuid
        | HeaderField::Event
        | HeaderField::Id
        | HeaderField::Version
        | HeaderField::Level
        | HeaderField::Opcode
        | HeaderField::Task
        | HeaderField::Keywords
        | HeaderField::Channel
        | HeaderField::Kind
        | HeaderField::Schema => match field.value(event) {
            // The GUID has a column of its own.
            None | Some(HeaderValue::Provider { name: None, .. }) => {}
            Some(value) => csv::push_cell(text, value.text(event).as_bytes()),
        },
        _ => return Some(Segment::Located(number)),
    }
    None
}

impl Quick {
    /// Writes a row, if the event's type can be compiled and its payload is as the schema states; false otherwise.
    pub(super) fn row(
        &mut self,
        pending: &mut PendingEvent<'_>,
        columns: &[Column],
        cells: &mut Cells,
        cell: &mut Vec<u8>,
        out: &mut Vec<u8>,
    ) -> bool {
        let Self { types, processes, pen } = self;
        let header = HeaderParts::of(pending.raw());
        let Some((compiled, slots)) = types.of(pending, &header, columns) else { return false };
        let Some(found) = pending.attribution_of(header.writer) else { return false };
        pen.begin();
        for at in 0..compiled.texts.list.len() {
            match compiled.texts.list.get(at) {
                Some(Segment::Text(text)) => pen.literal(text),
                Some(Segment::Comma) => pen.byte(b','),
                Some(Segment::Time) => {
                    if let Some(time) = pending.time() {
                        cells.time.write(pen, time, compiled.is_local_time);
                    }
                }
                Some(Segment::Process) => {
                    if let Some(process) = found.pid.and_then(|pid| processes.of(pid, pending, push_process)) {
                        pen.literal(process);
                    }
                }
                Some(Segment::Fields) => {
                    let start = pen.place();
                    pen.block(b"\"{", 2);
                    if !compiled.fields(pen, pending, columns, slots) {
                        return false;
                    }
                    end_fields(pen, start);
                }
                Some(Segment::Payload) => pen.with_vec(|out| write_hex(out, pending.payload())),
                Some(Segment::Located(number)) => pen.with_vec(|out| {
                    cell.clear();
                    cells.of(&pending.locate(), columns).push(cell, *number);
                    csv::push_cell(out, cell);
                }),
                Some(other) => other.write(pen, pending, &header, found),
                None => {}
            }
        }
        pen.text().is_some_and(|row| {
            out.extend_from_slice(row);
            true
        })
    }
}

impl Segment {
    /// Returns constant text; `None` if it is empty. Traces may have very many types.
    fn text(text: &[u8]) -> Option<Self> {
        match text {
            [] => None,
            b"," => Some(Self::Comma),
            _ => Some(Self::Text(Box::new(Literal::new(text)))),
        }
    }

    /// Writes a value of the header.
    #[inline]
    fn write(&self, pen: &mut Pen, pending: &PendingEvent<'_>, header: &HeaderParts, found: Attribution) {
        let raw = pending.raw();
        match self {
            Self::RawTime => pen.signed(raw.time().0),
            Self::Pid => found.pid.into_iter().for_each(|pid| pen.decimal(pid.into())),
            Self::Tid => found.tid.into_iter().for_each(|tid| pen.decimal(tid.into())),
            Self::Cpu => pen.decimal(raw.processor().into()),
            Self::Activity => header.activity().into_iter().for_each(|guid| pen.guid(&guid)),
            Self::RelatedActivity if header.has_extended => {
                raw.related_activity_id().into_iter().for_each(|guid| pen.guid(&guid.to_bytes()));
            }
            _ => {}
        }
    }
}

fn push_process(out: &mut Vec<u8>, _: u32, name: Option<&str>) {
    csv::push_cell(out, name.unwrap_or_default().as_bytes());
}

/// Ends the cell of the fields, which begins at a place: only an object of nothing needs no quotes.
#[inline]
fn end_fields(pen: &mut Pen, start: usize) {
    if pen.written(start) == b"\"{}" {
        pen.rewind(start);
        return pen.block(b"{}", 2);
    }
    pen.byte(b'"');
}
