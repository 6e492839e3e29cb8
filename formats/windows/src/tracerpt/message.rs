//! The message of an event, its texts escaped once.

use etwkit::clock::Clock;
use etwkit::decode::{Event, Value, Visitor};
use etwkit::limits;
use etwkit::render::value::ValueContext;
use etwkit::schema::{DisplayFormat, Field, Message, MessagePart, Schema};

use super::columns::Columns;
use super::{digits, escape, value};

/// A message whose inserts have no forms of their own.
#[derive(Debug)]
pub(super) struct PlainMessage {
    parts: Box<[Part]>,
}

#[derive(Debug)]
enum Part {
    Text {
        escaped: Box<[u8]>,
        /// Bytes before escaping.
        len: usize,
    },
    Insert {
        number: u16,
        place: Option<usize>,
    },
}

impl PlainMessage {
    /// Returns the message of a schema, ready for its events; `None` if [`etwkit::render::push_message_with`] has to
    /// make it: for inserts with forms, values of the header, and where fields may be absent.
    pub(super) fn new(schema: &Schema, message: &Message) -> Option<Self> {
        if schema.fields().iter().any(|field| field.optional) {
            return None;
        }
        let places: Vec<usize> = schema.top_level().map(|(place, _)| place).collect();
        let part = |part: &MessagePart| match part {
            MessagePart::Text(text) => Some(Part::text(text)),
            MessagePart::Parameter(number) => Some(Part::text(&format!("%%{number}"))),
            MessagePart::Insert { index, format } if matches!(&**format, "" | "s") => {
                let place = usize::from(*index).checked_sub(1).and_then(|field| places.get(field)).copied();
                Some(Part::Insert { number: *index, place })
            }
            _ => None,
        };
        Some(Self { parts: message.parts().iter().map(part).collect::<Option<_>>()? })
    }

    /// Appends the message of an event, as [`etwkit::render::push_message_with`] and [`value::push_insert`] make it,
    /// escaped.
    pub(super) fn push(&self, out: &mut Vec<u8>, event: &Event<'_>, columns: &Columns) {
        let Some(schema) = event.schema() else { return };
        let most = limits::shown(event.payload().len()).min(limits::MAX_MESSAGE);
        let mut inserts = Inserts { out, schema, columns, clock: event.clock(), shown: 0, is_first: true };
        for part in &self.parts {
            match part {
                Part::Text { escaped, len } => {
                    inserts.out.extend_from_slice(escaped);
                    inserts.shown += len;
                }
                Part::Insert { number, place } => {
                    let place = place.filter(|_| inserts.shown <= most);
                    inserts.is_first = true;
                    match place.and_then(|place| event.field_at(place)) {
                        Some(view) => view.visit(&mut inserts),
                        None => inserts.number(*number),
                    }
                }
            }
        }
    }
}

impl Part {
    fn text(text: &str) -> Self {
        let mut escaped = Vec::new();
        escape::push_str(&mut escaped, text);
        Self::Text { escaped: escaped.into(), len: text.len() }
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

impl Inserts<'_, '_> {
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
        } else if field.display != DisplayFormat::Hidden {
            let context = ValueContext::new(field).map(self.schema.map(field)).clock(self.clock);
            value::push_insert(self.out, value, context);
            self.shown += self.out.len() - start;
            escape::escape_from(self.out, start);
        }
    }
}
