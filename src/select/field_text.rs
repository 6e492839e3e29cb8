//! The text of a field: a value as it is shown, arrays in `[]`, structs in `{}`. Within brackets, text that has one of
//! their marks, and empty text, is in quotes as in JSON.

use crate::clock::Clock;
use crate::decode::{Event, Value, Visitor};
use crate::render::escape;
use crate::render::json::quoted;
use crate::render::value::{self, ValueContext};
use crate::schema::{Field, Schema};

use super::descend::visit;
use super::path::Path;

/// Appends the text of a field; `false` if the event does not have it. Of a member of the structs of an array: those of
/// all its elements, with commas between.
pub(super) fn push(out: &mut Vec<u8>, event: &Event<'_>, path: &Path) -> bool {
    let (Some(schema), clock) = (event.schema(), event.clock()) else { return false };
    let mut shown = FieldText { out, schema, clock, structs: 0, depth: 0, found: false, fresh: true };
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
    /// How many brackets are open.
    depth: usize,
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
        self.depth += 1;
        self.fresh = true;
    }

    fn close(&mut self, bracket: u8) {
        self.out.push(bracket);
        self.structs >>= 1;
        self.depth -= 1;
        self.fresh = false;
    }
}

/// Returns whether a text between brackets could be taken for several values, or for none.
fn is_ambiguous(text: &[u8]) -> bool {
    let is_mark = |byte: &u8| matches!(byte, b',' | b'[' | b']' | b'{' | b'}' | b'=' | b'"');
    text.is_empty() || text.iter().any(is_mark)
}

impl Visitor for FieldText<'_, '_> {
    fn value(&mut self, _: usize, field: &Field, value: Value<'_>) {
        self.begin(field);
        let start = self.out.len();
        value::push(self.out, value, ValueContext { field, map: self.schema.map(field), clock: self.clock });
        if self.depth > 0 && self.out.get(start..).is_some_and(is_ambiguous) {
            let text = self.out.split_off(start);
            quoted(self.out, |out| escape::push_str(out, &String::from_utf8_lossy(&text)));
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_look_like_several_are_in_quotes() {
        for text in ["", "a, b", "[", "]", "{x=1}", "say \"hi\""] {
            assert!(is_ambiguous(text.as_bytes()), "{text}");
        }
        for text in ["a", "a b", "0x10", "C:\\a.dll", "äöü"] {
            assert!(!is_ambiguous(text.as_bytes()), "{text}");
        }
    }
}
