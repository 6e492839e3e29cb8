//! The values of a field, in the elements of a template.

use etwkit::clock::Clock;
use etwkit::decode::{FieldView, Value, Visitor};
use etwkit::render::PushValue;
use etwkit::render::value::ValueContext;
use etwkit::schema::{Field, Schema};

use super::super::columns::Columns;
use super::super::{escape, value};

/// Writes the values of one field.
pub(super) struct Filler<'o, 'a> {
    out: &'o mut Vec<u8>,
    schema: &'a Schema,
    columns: &'a Columns,
    clock: Option<&'a Clock>,
    /// Around each element of an array; without it, blanks separate the elements.
    open: &'a [u8],
    close: &'a [u8],
    in_attribute: bool,
    /// Structs around the value.
    depth: usize,
    written: usize,
}

impl<'o, 'a> Filler<'o, 'a> {
    /// Writes to `out`, with these tags around each element of an array.
    pub(super) const fn new(
        out: &'o mut Vec<u8>,
        schema: &'a Schema,
        columns: &'a Columns,
        clock: Option<&'a Clock>,
        (open, close): (&'a [u8], &'a [u8]),
    ) -> Self {
        Self { out, schema, columns, clock, open, close, in_attribute: false, depth: 0, written: 0 }
    }

    /// Sets whether the values are within an attribute.
    pub(super) const fn in_attribute(mut self, in_attribute: bool) -> Self {
        self.in_attribute = in_attribute;
        self
    }

    /// Appends a field.
    pub(super) fn fill(mut self, view: &FieldView<'_>) {
        view.visit(&mut self);
    }

    fn begin(&mut self) {
        if self.depth == 0 {
            if self.written > 0 && self.open.is_empty() {
                self.out.push(b' ');
            }
            self.out.extend_from_slice(self.open);
        } else if self.open.is_empty() && self.written > 0 {
            self.out.push(b' ');
        }
        self.written += 1;
    }

    fn end(&mut self) {
        if self.depth == 0 {
            self.out.extend_from_slice(self.close);
        }
    }

    /// Members of structs have their names, as in `<EventData>`; within an attribute there is no place for them.
    fn member(&mut self, text: &[u8]) {
        if self.depth > 0 && !self.open.is_empty() {
            self.out.extend_from_slice(text);
        }
    }
}

impl Visitor for Filler<'_, '_> {
    fn value(&mut self, place: usize, field: &Field, value: Value<'_>) {
        self.begin();
        if self.depth > 0 && !self.open.is_empty() {
            self.out.extend_from_slice(b"<Data");
            self.out.extend_from_slice(self.columns.name_at(place));
        }
        if !self.columns.forms_at(place).push(self.out, value) {
            let start = self.out.len();
            let push: PushValue = self.columns.push_at(place).unwrap_or(value::push_data);
            push(
                self.out,
                value,
                ValueContext::new(field).map(self.columns.map_at((place, field), self.schema)).clock(self.clock),
            );
            escape::escape_from(self.out, start);
            if self.in_attribute {
                escape::blanks_from(self.out, start);
            }
        }
        self.member(b"</Data>");
        self.end();
    }

    fn begin_struct(&mut self, place: usize, _: &Field) {
        if self.depth == 0 {
            self.begin();
        } else if !self.open.is_empty() {
            self.out.extend_from_slice(b"<ComplexData");
            self.out.extend_from_slice(self.columns.name_at(place));
        }
        self.depth += 1;
    }

    fn end_struct(&mut self, _: usize, _: &Field) {
        self.depth -= 1;
        self.member(b"</ComplexData>");
        self.end();
    }
}
