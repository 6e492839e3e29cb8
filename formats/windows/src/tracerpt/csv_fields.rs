//! The fields of an event as columns of CSV.

use std::borrow::Cow;

use etwkit::clock::Clock;
use etwkit::decode::{Event, PlacedFields, Value, Visitor};
use etwkit::event::Kind;
use etwkit::render::pen::{Escape, GrowingPen, Memory, Pen};
use etwkit::render::value::ValueContext;
use etwkit::render::{push_message_with, terminal};
use etwkit::schema::{Field, Schema};

use super::columns::Columns;
use super::value;
use crate::names::{Alias, OfSchema};
use crate::ops::{FieldOp, FieldOps, OpEscape, Tags};

/// How the fields of a schema are printed.
#[derive(Debug, Default)]
pub(super) struct CsvFields {
    columns: Columns,
    /// Short cuts for events whose fields are all readable.
    ops: Option<FieldOps>,
}

/// Text in quotes.
#[derive(Debug)]
struct CsvEscape;

impl Escape for CsvEscape {
    const SPECIAL: &'static [u8] = b"\"";
    const HAS_BACKSLASHES: bool = false;

    #[inline]
    fn special<M: Memory>(pen: &mut Pen<M>, c: char) {
        match c {
            '"' => pen.block(b"\"\"", 2),
            c if terminal::is_hazard(c) => pen.with_vec(|out| terminal::push(out, c.encode_utf8(&mut [0; 4]))),
            c => pen.char(c),
        }
    }
}

impl OpEscape for CsvEscape {}

impl CsvFields {
    /// Returns the fields of an event; `known` are those of another one of the same key and schema.
    pub(super) fn of(
        event: &Event<'_>,
        alias: Option<(&Alias, bool)>,
        known: Option<&OfSchema<Self>>,
    ) -> OfSchema<Self> {
        let make = || {
            event.schema().map_or_else(Self::default, |schema| {
                let columns = Columns::new(event.raw(), schema, alias);
                // The text of a message is one more column.
                let is_plain = event.raw().kind() != Kind::Wpp;
                let ops = is_plain.then(|| prepared(schema, &columns)).flatten();
                Self { columns, ops }
            })
        };
        OfSchema::new(event, alias, known, make)
    }

    /// Returns whether the fields of an event can be written that are all readable.
    pub(super) const fn is_prepared(&self) -> bool {
        self.ops.is_some()
    }

    /// Writes each field with a comma before it, or the payload if the fields cannot be read.
    pub(super) fn write(&self, pen: &mut GrowingPen, scratch: &mut Vec<u8>, event: &Event<'_>) {
        match event.placed().filter(|_| self.is_prepared()) {
            Some(fields) => self.write_placed(pen, scratch, &fields),
            None => pen.with_vec(|out| push_data(out, scratch, event, &self.columns)),
        }
    }

    /// Writes each field with a comma before it, if they are prepared.
    pub(super) fn write_placed(&self, pen: &mut GrowingPen, scratch: &mut Vec<u8>, fields: &PlacedFields<'_>) {
        for (op, tags) in self.ops.iter().flat_map(FieldOps::iter) {
            if !op.write::<CsvEscape, _>(pen, fields, tags) {
                pen.with_vec(|out| push_field(out, scratch, &fields.event(), op.place, &self.columns));
            }
        }
        if !fields.remainder().is_empty() {
            pen.with_vec(|out| push_digits(out, fields.remainder()));
        }
    }
}

/// Returns how the fields of a schema are printed; `None` if fields may be absent.
fn prepared(schema: &Schema, columns: &Columns) -> Option<FieldOps> {
    let shown = schema.top_level().filter_map(|(place, field)| {
        let looks = columns.looks_at(place, schema, push_label)?;
        let tags = Tags::new(b", ", b"").quotes(b", \"", b"\"");
        Some(FieldOp::new(place, field, looks).map(|op| (op, tags)))
    });
    shown.collect()
}

/// Appends the name of a value.
fn push_label(out: &mut Vec<u8>, name: &str) {
    if needs_quotes(name) { push_in_quotes(out, name) } else { terminal::push(out, name) }
}

/// Appends each field with a comma before it, or the payload if the fields cannot be read.
fn push_data(out: &mut Vec<u8>, scratch: &mut Vec<u8>, event: &Event<'_>, columns: &Columns) {
    let Some(schema) = event.schema().filter(|_| event.fit().is_whole()) else {
        if let Some(mark) = value::left_out(event) {
            push_quoted(out, &mark);
        }
        return push_digits(out, event.payload());
    };
    let mut writer = Writer::new(out, scratch, event, schema, columns);
    for view in event.fields().filter(|view| columns.push_at(view.index()).is_some()) {
        view.visit(&mut writer);
    }
    if event.raw().kind() == Kind::Wpp
        && let Some(message) = schema.message()
    {
        let start = out.len();
        push_message_with(out, message, event, event.clock(), &value::push_insert);
        let text = String::from_utf8_lossy(&out.split_off(start)).into_owned();
        push_quoted(out, &text);
    }
    if !event.remainder().is_empty() {
        push_digits(out, event.remainder());
    }
}

/// Appends the field at a place, with a comma before each value.
fn push_field(out: &mut Vec<u8>, scratch: &mut Vec<u8>, event: &Event<'_>, place: usize, columns: &Columns) {
    if let (Some(schema), Some(view)) = (event.schema(), event.field_at(place)) {
        view.visit(&mut Writer::new(out, scratch, event, schema, columns));
    }
}

fn push_digits(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(b", 0x");
    value::upper_digits(out, bytes);
}

fn push_quoted(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(b", ");
    push_in_quotes(out, text);
}

fn push_in_quotes(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    for (place, part) in text.split('"').enumerate() {
        out.extend_from_slice(if place > 0 { b"\"\"" } else { b"" });
        terminal::push(out, part);
    }
    out.push(b'"');
}

/// Returns whether a value that is not text needs quotes.
fn needs_quotes(text: &str) -> bool {
    text.bytes().any(|byte| matches!(byte, b',' | b'"' | b'\n'))
}

struct Writer<'o, 'a, 'e> {
    event: &'a Event<'e>,
    out: &'o mut Vec<u8>,
    scratch: &'o mut Vec<u8>,
    schema: &'a Schema,
    columns: &'a Columns,
    clock: Option<&'a Clock>,
}

impl<'o, 'a, 'e> Writer<'o, 'a, 'e> {
    fn new(
        out: &'o mut Vec<u8>,
        scratch: &'o mut Vec<u8>,
        event: &'a Event<'e>,
        schema: &'a Schema,
        columns: &'a Columns,
    ) -> Self {
        Self { event, out, scratch, schema, columns, clock: event.clock() }
    }
}

impl Visitor for Writer<'_, '_, '_> {
    fn value(&mut self, place: usize, field: &Field, value: Value<'_>) {
        let Some(push) = self.columns.push_at(place) else { return };
        let value = self.columns.whole(self.event, place, value);
        self.scratch.clear();
        push(
            self.scratch,
            value,
            ValueContext::new(field).map(self.columns.map_at((place, field), self.schema)).clock(self.clock),
        );
        let lossy = |_| String::from_utf8_lossy(self.scratch);
        let text = std::str::from_utf8(self.scratch).map_or_else(lossy, Cow::Borrowed);
        let is_text = matches!(value, Value::Utf16(_) | Value::Ansi(_) | Value::Utf8(_));
        if is_text || needs_quotes(&text) {
            push_quoted(self.out, &text);
        } else {
            self.out.extend_from_slice(b", ");
            terminal::push(self.out, &text);
        }
    }
}
