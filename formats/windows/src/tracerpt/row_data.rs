//! The data of a row: one text for each field.

use etwkit::clock::Clock;
use etwkit::decode::{Event, PlacedFields, Value, Visitor};
use etwkit::render::pen::{Escape, GrowingPen, Memory, Pen};
use etwkit::render::value::ValueContext;
use etwkit::schema::{DisplayFormat, Field, Schema};

use super::columns::Columns;
use super::value;
use crate::names::{Alias, OfSchema};
use crate::ops::{FieldOp, FieldOps, Looks, OpEscape, Tags};

/// How the fields of a schema become texts.
#[derive(Debug, Default)]
pub(super) struct RowFields {
    columns: Columns,
    /// Short cuts for events whose fields are all readable.
    ops: Option<FieldOps>,
}

/// Text as it is.
#[derive(Debug)]
struct NoEscape;

impl Escape for NoEscape {
    const SPECIAL: &'static [u8] = b"";
    const HAS_BACKSLASHES: bool = false;

    #[inline]
    fn special<M: Memory>(pen: &mut Pen<M>, c: char) {
        pen.char(c);
    }
}

impl OpEscape for NoEscape {}

impl RowFields {
    /// Returns the fields of an event; `known` are those of another one of the same key and schema.
    pub(super) fn of(
        event: &Event<'_>,
        alias: Option<(&Alias, bool)>,
        known: Option<&OfSchema<Self>>,
    ) -> OfSchema<Self> {
        let make = || {
            event.schema().map_or_else(Self::default, |schema| {
                let columns = Columns::new(event.raw(), schema, alias);
                Self { ops: prepared(schema, &columns), columns }
            })
        };
        OfSchema::new(event, alias, known, make)
    }

    /// Writes the text of each field, and notes where each ends. Returns whether the last text is that of the other
    /// bytes.
    pub(super) fn write(&self, pen: &mut GrowingPen, ends: &mut Vec<usize>, event: &Event<'_>) -> bool {
        ends.clear();
        pen.begin();
        match (&self.ops, event.placed()) {
            (Some(ops), Some(fields)) => self.write_placed(pen, ends, event, (ops, &fields)),
            _ => self.write_located(pen, ends, event),
        }
        let has_extra = has_extra(event);
        if has_extra {
            pen.with_vec(|out| push_extra(out, event));
            ends.push(pen.place());
        }
        has_extra
    }

    fn write_placed(
        &self,
        pen: &mut GrowingPen,
        ends: &mut Vec<usize>,
        event: &Event<'_>,
        (ops, fields): (&FieldOps, &PlacedFields<'_>),
    ) {
        for (op, tags) in ops.iter() {
            if !op.write::<NoEscape, _>(pen, fields, tags) {
                pen.with_vec(|out| self.push_field(out, event, op.place));
            }
            ends.push(pen.place());
        }
    }

    fn write_located(&self, pen: &mut GrowingPen, ends: &mut Vec<usize>, event: &Event<'_>) {
        if !is_readable(event) {
            return;
        }
        for view in event.fields().filter(|view| self.columns.push_at(view.index()).is_some()) {
            pen.with_vec(|out| self.push_field(out, event, view.index()));
            ends.push(pen.place());
        }
    }

    /// Appends the text of the field at a place.
    fn push_field(&self, out: &mut Vec<u8>, event: &Event<'_>, place: usize) {
        if let (Some(schema), Some(view)) = (event.schema(), event.field_at(place)) {
            view.visit(&mut Writer { event, out, schema, columns: &self.columns, clock: event.clock() });
        }
    }
}

/// Returns how the fields of a schema are written; `None` if fields may be absent.
fn prepared(schema: &Schema, columns: &Columns) -> Option<FieldOps> {
    let push_label = |out: &mut Vec<u8>, name: &str| out.extend_from_slice(name.as_bytes().trim_ascii());
    let shown = schema.top_level().filter_map(|(place, field)| {
        // A cell has its own alignment.
        let looks = columns.looks_at(place, schema, push_label)?;
        let looks = Looks { forms: looks.forms.unaligned(), ..looks };
        Some(FieldOp::new(place, field, looks).map(|op| (op, Tags::blanks())))
    });
    shown.collect()
}

/// Returns whether all fields are readable.
fn is_readable(event: &Event<'_>) -> bool {
    event.schema().is_some() && event.fit().is_whole()
}

/// Returns whether there are bytes outside of fields, or fields were left out.
fn has_extra(event: &Event<'_>) -> bool {
    if is_readable(event) { !event.remainder().is_empty() } else { !event.payload().is_empty() || event.left_out() > 0 }
}

/// Appends the text of the bytes outside of fields, and before it what was left out.
fn push_extra(out: &mut Vec<u8>, event: &Event<'_>) {
    let is_readable = is_readable(event);
    let bytes = if is_readable { event.remainder() } else { event.payload() };
    if let Some(mark) = value::left_out(event).filter(|_| !is_readable) {
        out.extend_from_slice(mark.as_bytes());
        out.extend_from_slice(if bytes.is_empty() { b"" } else { b" " });
    }
    if !bytes.is_empty() {
        out.extend_from_slice(b"0x");
        value::upper_digits(out, bytes);
    }
}

/// All values of a field with blanks between them.
struct Writer<'o, 'a, 'e> {
    event: &'a Event<'e>,
    out: &'o mut Vec<u8>,
    schema: &'a Schema,
    columns: &'a Columns,
    clock: Option<&'a Clock>,
}

impl Visitor for Writer<'_, '_, '_> {
    fn value(&mut self, place: usize, field: &Field, value: Value<'_>) {
        let Some(push) = self.columns.push_at(place) else { return };
        let value = self.columns.whole(self.event, place, value);
        if !self.out.is_empty() {
            self.out.push(b' ');
        }
        let start = self.out.len();
        push(
            self.out,
            value,
            ValueContext::new(field).map(self.columns.map_at((place, field), self.schema)).clock(self.clock),
        );
        // A character may be a blank.
        if value.bits().is_some() && field.display != DisplayFormat::Char {
            // A cell has its own alignment.
            let text = self.out.get(start..).unwrap_or_default();
            let (blanks, end) = (text.len() - text.trim_ascii_start().len(), start + text.trim_ascii_end().len());
            self.out.truncate(end);
            self.out.drain(start..(start + blanks).min(end));
        }
    }
}
