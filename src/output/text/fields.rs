//! Fields as `name=value`.

use crate::clock::Clock;
use crate::decode::{Event, Value, Visitor};
use crate::render::terminal;
use crate::render::value::{self, ValueContext, Written};
use crate::schema::{DisplayFormat, Field, Schema};

use super::bytes::push_cut;
use super::paint::Paint;

/// Appends the fields that are shown, each after a blank.
pub(super) fn push_fields(
    out: &mut Vec<u8>,
    scratch: &mut Vec<u8>,
    paint: &'static Paint,
    event: &Event<'_>,
    schema: &Schema,
) {
    let mut writer = Writer { out, scratch, schema, clock: event.clock(), paint, in_array: 0 };
    for view in event.fields().filter(|view| view.field.display != DisplayFormat::Hidden) {
        view.visit(&mut writer);
    }
}

struct Writer<'o, 'a> {
    out: &'o mut Vec<u8>,
    scratch: &'o mut Vec<u8>,
    schema: &'a Schema,
    clock: Option<&'a Clock>,
    paint: &'static Paint,
    in_array: u64,
}

impl Writer<'_, '_> {
    fn key(&mut self, field: &Field) {
        if !matches!(self.out.last(), Some(b'[' | b'{')) {
            self.out.push(b' ');
        }
        if self.in_array & 1 == 0 {
            self.out.extend_from_slice(self.paint.key.as_bytes());
            terminal::push(self.out, &field.name);
            self.out.extend_from_slice(self.paint.off.as_bytes());
            self.out.push(b'=');
        }
    }
}

/// The bytes of a value that is shown as their digits.
fn plain_bytes<'a>(value: Value<'a>, text: &str) -> Option<&'a [u8]> {
    match value {
        Value::Bytes(bytes) if text.len() == bytes.len() * 2 => Some(bytes),
        _ => None,
    }
}

impl Visitor for Writer<'_, '_> {
    fn value(&mut self, _: usize, field: &Field, value: Value<'_>) {
        self.key(field);
        self.scratch.clear();
        let context = ValueContext { field, map: self.schema.map(field), clock: self.clock };
        let written = value::push(self.scratch, value, context);
        let text = String::from_utf8_lossy(self.scratch);
        let is_text = matches!(value, Value::Utf16(_) | Value::Ansi(_) | Value::Utf8(_));
        if written == Written::Text && is_text {
            self.out.push(b'"');
            terminal::push(self.out, &text.replace('"', "\\\""));
            self.out.push(b'"');
        } else if let Some(bytes) = plain_bytes(value, &text) {
            push_cut(self.out, bytes);
        } else {
            terminal::push(self.out, &text);
        }
    }

    fn begin_array(&mut self, _: usize, field: &Field) {
        self.key(field);
        self.out.push(b'[');
        self.in_array = self.in_array << 1 | 1;
    }

    fn end_array(&mut self, _: usize, _: &Field) {
        self.out.push(b']');
        self.in_array >>= 1;
    }

    fn begin_struct(&mut self, _: usize, field: &Field) {
        self.key(field);
        self.out.push(b'{');
        self.in_array <<= 1;
    }

    fn end_struct(&mut self, _: usize, _: &Field) {
        self.out.push(b'}');
        self.in_array >>= 1;
    }
}
