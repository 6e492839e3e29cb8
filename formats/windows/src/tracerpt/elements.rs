//! The elements of fields: `<Data Name="field">value</Data>`.

use etwkit::clock::Clock;
use etwkit::decode::{Event, Value, Visitor};
use etwkit::render::value::ValueContext;
use etwkit::schema::{Field, Schema};

use super::columns::Columns;
use super::{digits, escape};

/// Writes the elements of fields.
pub(super) struct Writer<'o, 'a, 'e> {
    out: &'o mut Vec<u8>,
    event: &'a Event<'e>,
    schema: &'a Schema,
    columns: &'a Columns,
    clock: Option<&'a Clock>,
    /// A string-only event: its `<Data>` has no name.
    alone: bool,
    depth: usize,
    /// Elements of the array so far.
    number: usize,
}

impl<'o, 'a, 'e> Writer<'o, 'a, 'e> {
    /// Writes the fields of `event` to `out`; `alone` for a string-only event.
    pub(super) fn new(
        out: &'o mut Vec<u8>,
        event: &'a Event<'e>,
        schema: &'a Schema,
        columns: &'a Columns,
        alone: bool,
    ) -> Self {
        let depth = if alone { 1 } else { 2 };
        Self { out, event, schema, columns, clock: event.clock(), alone, depth, number: 0 }
    }

    /// Bytes of the output so far.
    pub(super) fn len(&self) -> usize {
        self.out.len()
    }

    /// Opens the element of a value.
    #[inline]
    fn open_data(&mut self, place: usize) {
        match self.columns.open_at(place) {
            Some(open) if self.depth == 2 && !self.alone => {
                self.out.extend_from_slice(open);
                self.number(place);
            }
            _ => self.open(b"Data", place),
        }
    }

    fn open(&mut self, element: &[u8], place: usize) {
        self.out.resize(self.out.len() + self.depth, b'\t');
        self.out.push(b'<');
        self.out.extend_from_slice(element);
        if self.alone || !self.columns.has(place) {
            self.out.push(b'>');
            return;
        }
        self.out.extend_from_slice(self.columns.name_at(place));
        self.number(place);
    }

    /// The number of an array's element, in its name.
    #[inline]
    fn number(&mut self, place: usize) {
        if self.columns.is_numbered_at(place) {
            self.number += 1;
            self.out.truncate(self.out.len() - b"\">".len());
            digits::push_decimal(self.out, self.number as u64);
            self.out.extend_from_slice(b"\">");
        }
    }
}

impl Visitor for Writer<'_, '_, '_> {
    fn value(&mut self, place: usize, field: &Field, value: Value<'_>) {
        let Some(push) = self.columns.push_at(place) else { return };
        self.open_data(place);
        if !self.columns.forms_at(place).push(self.out, value) {
            let value = self.columns.whole(self.event, place, value);
            let start = self.out.len();
            push(
                self.out,
                value,
                ValueContext::new(field).map(self.columns.map_at((place, field), self.schema)).clock(self.clock),
            );
            escape::escape_from(self.out, start);
        }
        self.out.extend_from_slice(b"</Data>\n");
    }

    fn begin_array(&mut self, _: usize, _: &Field) {
        self.number = 0;
    }

    fn begin_struct(&mut self, place: usize, _: &Field) {
        self.open(b"ComplexData", place);
        self.out.push(b'\n');
        self.depth += 1;
    }

    fn end_struct(&mut self, _: usize, _: &Field) {
        self.depth -= 1;
        self.out.resize(self.out.len() + self.depth, b'\t');
        self.out.extend_from_slice(b"</ComplexData>\n");
    }
}
