//! The text of a field: a value as it is shown, arrays in `[]`, structs in `{}`.

use crate::clock::Clock;
use crate::decode::{Event, Value, Visitor};
use crate::render::value::{self, ValueContext};
use crate::schema::{Field, Schema};

use super::descend::visit;
use super::path::Path;

/// Appends the text of a field; `false` if the event does not have it. Of a member of the structs of an array: those of
/// all its elements, with commas between.
pub(super) fn push(out: &mut Vec<u8>, event: &Event<'_>, path: &Path) -> bool {
    let (Some(schema), clock) = (event.schema(), event.clock()) else { return false };
    let mut shown = FieldText { out, schema, clock, structs: 0, found: false, fresh: true };
    visit(event, path, &mut shown);
    shown.found
}

/// Writes the values passed to it.
struct FieldText<'o, 'a> {
    out: &'o mut Vec<u8>,
    schema: &'a Schema,
    clock: Option<&'a Clock>,
    /// Which of the open brackets are of structs, the innermost in the lowest bit.
    structs: u128,
    found: bool,
    /// Nothing was written since the start or the last bracket.
    fresh: bool,
}

impl FieldText<'_, '_> {
    fn begin(&mut self, field: &Field) {
        if !self.fresh {
            self.out.extend_from_slice(b", ");
        }
        if self.structs & 1 == 1 {
            self.out.extend_from_slice(field.name.as_bytes());
            self.out.push(b'=');
        }
        (self.fresh, self.found) = (false, true);
    }

    fn open(&mut self, bracket: u8, field: &Field) {
        self.begin(field);
        self.out.push(bracket);
        self.structs = self.structs << 1 | u128::from(bracket == b'{');
        self.fresh = true;
    }

    fn close(&mut self, bracket: u8) {
        self.out.push(bracket);
        self.structs >>= 1;
        self.fresh = false;
    }
}

impl Visitor for FieldText<'_, '_> {
    fn value(&mut self, _: usize, field: &Field, value: Value<'_>) {
        self.begin(field);
        value::push(self.out, value, ValueContext { field, map: self.schema.map(field), clock: self.clock });
    }

    fn begin_array(&mut self, _: usize, field: &Field) {
        self.open(b'[', field);
    }

    fn end_array(&mut self, _: usize, _: &Field) {
        self.close(b']');
    }

    fn begin_struct(&mut self, _: usize, field: &Field) {
        self.open(b'{', field);
    }

    fn end_struct(&mut self, _: usize, _: &Field) {
        self.close(b'}');
    }
}
