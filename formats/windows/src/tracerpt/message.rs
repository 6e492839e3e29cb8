//! The message of an event, its texts escaped once.

use etwkit::clock::Clock;
use etwkit::decode::{Event, PlacedFields, Value, Visitor};
use etwkit::limits;
use etwkit::render::pen::{Literal, Pen};
use etwkit::render::value::ValueContext;
use etwkit::schema::{Count, Field, Message, MessagePart, Schema, Wire};

use super::columns::Columns;
use super::escape::XmlEscape;
use super::{digits, escape};
use crate::names;
use crate::ops::{FieldOp, Tags};

/// A message whose inserts have no forms of their own.
#[derive(Debug)]
pub(super) struct PlainMessage {
    inserts: Box<[Insert]>,
    /// The text after the last insert.
    end: Literal,
}

/// An insert with the text before it.
#[derive(Debug)]
struct Insert {
    /// The text, escaped.
    tags: Tags,
    /// Bytes of the text before escaping.
    len: usize,
    number: u16,
    place: Option<usize>,
    /// Short cut.
    op: Option<FieldOp>,
}

impl PlainMessage {
    /// Returns the message of a schema, ready for its events; `None` if [`etwkit::render::push_message_with`] has to
    /// make it: for inserts with forms, values of the header, and where fields may be absent.
    pub(super) fn new(schema: &Schema, message: &Message, columns: &Columns) -> Option<Self> {
        if schema.fields().iter().any(|field| field.optional) {
            return None;
        }
        let places = names::numbered(schema);
        let (mut inserts, mut text) = (Vec::new(), String::new());
        for part in message.parts() {
            match part {
                MessagePart::Text(part) => text.push_str(part),
                MessagePart::Parameter(number) => text.extend(["%%", &number.to_string()]),
                MessagePart::Insert { index, format } if matches!(&**format, "" | "s") => {
                    let place = usize::from(*index).checked_sub(1).and_then(|field| places.get(field)).copied();
                    let op = place.and_then(|place| insert_op(place, schema, columns));
                    let (tags, len) = (Tags::after(&escaped(&text)), text.len());
                    inserts.push(Insert { tags, len, number: *index, place, op });
                    text.clear();
                }
                _ => return None,
            }
        }
        Some(Self { inserts: inserts.into(), end: Literal::new(&escaped(&text)) })
    }

    /// Writes what [`PlainMessage::push`] appends; nothing, and `false`, if the message may be too long.
    pub(super) fn write(&self, pen: &mut Pen, fields: &PlacedFields<'_>, columns: &Columns) -> bool {
        let start = pen.place();
        let most = start + most(fields.payload());
        for Insert { tags, number, place, op, .. } in &self.inserts {
            let before = tags.opening();
            if pen.place() + before.len() > most {
                pen.rewind(start);
                return false;
            }
            let is_written = op.as_ref().is_some_and(|op| op.write::<XmlEscape, _>(pen, fields, tags));
            if !is_written {
                pen.literal(before);
                pen.with_vec(|out| push_insert(out, &fields.event(), (*number, *place), columns));
            }
        }
        pen.literal(&self.end);
        true
    }

    /// Appends the message of an event, as [`etwkit::render::push_message_with`] makes it, escaped.
    pub(super) fn push(&self, out: &mut Vec<u8>, event: &Event<'_>, columns: &Columns) {
        let Some(schema) = event.schema() else { return };
        let most = most(event.payload());
        let mut inserts = Inserts::new(out, event, schema, columns);
        for Insert { tags, len, number, place, .. } in &self.inserts {
            tags.opening().push(inserts.out);
            inserts.shown += len;
            let place = place.filter(|_| inserts.shown <= most);
            inserts.insert(event, *number, place);
        }
        self.end.push(out);
    }
}

/// Returns how the field at a place is shown; `None` if the executor has to.
fn insert_op(place: usize, schema: &Schema, columns: &Columns) -> Option<FieldOp> {
    let field = schema.fields().get(place)?;
    match (columns.push_insert_at(place), field.count, field.wire) {
        (None, Count::One, Wire::Scalar(_)) => Some(FieldOp::hidden(place)),
        (None, ..) => None,
        _ => FieldOp::new(place, field, columns.insert_looks_at(place, schema)),
    }
}

fn escaped(text: &str) -> Vec<u8> {
    let mut escaped = Vec::new();
    escape::push_str(&mut escaped, text);
    escaped
}

/// Returns how many bytes of a message may be before an insert.
fn most(payload: &[u8]) -> usize {
    limits::shown(payload.len()).min(limits::MAX_MESSAGE)
}

/// Appends one insert.
fn push_insert(out: &mut Vec<u8>, event: &Event<'_>, (number, place): (u16, Option<usize>), columns: &Columns) {
    if let Some(schema) = event.schema() {
        Inserts::new(out, event, schema, columns).insert(event, number, place);
    }
}

/// Appends the values of fields with blanks between those of one field.
struct Inserts<'o, 'a> {
    out: &'o mut Vec<u8>,
    schema: &'a Schema,
    columns: &'a Columns,
    clock: Option<&'a Clock>,
    /// Bytes of the message before escaping.
    shown: usize,
    /// No value of the field has been appended.
    is_first: bool,
}

impl<'o, 'a> Inserts<'o, 'a> {
    fn new(out: &'o mut Vec<u8>, event: &'a Event<'_>, schema: &'a Schema, columns: &'a Columns) -> Self {
        Self { out, schema, columns, clock: event.clock(), shown: 0, is_first: true }
    }

    /// Appends the field at a place.
    fn insert(&mut self, event: &Event<'_>, number: u16, place: Option<usize>) {
        self.is_first = true;
        match place.and_then(|place| event.field_at(place)) {
            Some(view) => view.visit(self),
            None => self.number(number),
        }
    }

    /// An insert without a value.
    fn number(&mut self, number: u16) {
        let start = self.out.len();
        self.out.push(b'%');
        digits::push_decimal(self.out, number.into());
        self.shown += self.out.len() - start;
    }
}

impl Visitor for Inserts<'_, '_> {
    fn value(&mut self, place: usize, field: &Field, value: Value<'_>) {
        if !std::mem::replace(&mut self.is_first, false) {
            self.out.push(b' ');
            self.shown += 1;
        }
        let start = self.out.len();
        if self.columns.insert_at(place).push(self.out, value) {
            self.shown += self.out.len() - start;
        } else if let Some(push) = self.columns.push_insert_at(place) {
            let context =
                ValueContext::new(field).map(self.columns.map_at((place, field), self.schema)).clock(self.clock);
            push(self.out, value, context);
            self.shown += self.out.len() - start;
            escape::escape_from(self.out, start);
        }
    }
}
