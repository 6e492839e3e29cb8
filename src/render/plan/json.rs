//! Fields as the members of a JSON object, up to the closing bracket.

use crate::clock::Clock;
use crate::decode::Value;
use crate::render::escape;
use crate::render::json::{FieldKeys, FieldWriter, quoted, write_json_value};
use crate::render::pen::{Escape, JsonEscape, Mark, Memory, Pen};
use crate::render::value::ValueContext;
use crate::schema::Schema;

use super::{Dialect, End};

/// Members of JSON.
#[derive(Debug)]
pub(crate) struct Json;

impl Dialect for Json {
    type Escape = JsonEscape;
    type Keys = FieldKeys;
    type Writer<'o, 'a> = FieldWriter<'o, 'a>;

    const QUOTE: Mark = Mark::new(b"\"");
    const QUOTES_WORDS: bool = true;
    const AFTER: End = End::new(b",", b"\",");
    const BETWEEN: End = Self::AFTER;

    fn push_key(out: &mut Vec<u8>, keys: &FieldKeys, _: &Schema, place: usize) {
        out.extend_from_slice(keys.get(place));
    }

    fn push_label(out: &mut Vec<u8>, name: &str) {
        quoted(out, |out| escape::push_utf8(out, name.as_bytes()));
    }

    fn push_value(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) {
        write_json_value(out, value, context);
    }

    fn writer<'o, 'a>(
        out: &'o mut Vec<u8>,
        schema: &'a Schema,
        clock: Option<&'a Clock>,
        keys: &'a FieldKeys,
    ) -> FieldWriter<'o, 'a> {
        FieldWriter::members(out, schema, clock, keys)
    }

    #[inline]
    fn close(pen: &mut Pen) {
        pen.replace_last(b',', b'}');
    }

    #[inline]
    fn end(pen: &mut Pen) {
        Self::close(pen);
    }
}

/// Members of JSON in a cell of CSV that has quotes around it: each quote is there twice.
#[derive(Debug)]
pub(crate) struct JsonInCsv;

/// The text of a JSON string in such a cell.
#[derive(Debug)]
pub(crate) struct JsonInCsvEscape;

impl Escape for JsonInCsvEscape {
    const SPECIAL: &'static [u8] = JsonEscape::SPECIAL;
    const HAS_BACKSLASHES: bool = false;

    #[inline]
    fn special<M: Memory>(pen: &mut Pen<M>, c: char) {
        JsonEscape::special(pen, c);
        if c == '"' {
            pen.byte(b'"');
        }
    }
}

impl Dialect for JsonInCsv {
    type Escape = JsonInCsvEscape;
    type Keys = FieldKeys;
    type Writer<'o, 'a> = FieldWriter<'o, 'a>;

    const QUOTE: Mark = Mark::new(b"\"\"");
    const QUOTES_WORDS: bool = true;
    const AFTER: End = End::new(b",", b"\"\",");
    const BETWEEN: End = Self::AFTER;

    fn push_key(out: &mut Vec<u8>, keys: &FieldKeys, schema: &Schema, place: usize) {
        doubled(out, |out| Json::push_key(out, keys, schema, place));
    }

    fn push_label(out: &mut Vec<u8>, name: &str) {
        doubled(out, |out| Json::push_label(out, name));
    }

    fn push_value(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) {
        doubled(out, |out| Json::push_value(out, value, context));
    }

    fn writer<'o, 'a>(
        out: &'o mut Vec<u8>,
        schema: &'a Schema,
        clock: Option<&'a Clock>,
        keys: &'a FieldKeys,
    ) -> FieldWriter<'o, 'a> {
        Json::writer(out, schema, clock, keys)
    }

    fn mend(out: &mut Vec<u8>) {
        double_from(out, 0);
    }

    #[inline]
    fn close(pen: &mut Pen) {
        Json::close(pen);
    }

    #[inline]
    fn end(pen: &mut Pen) {
        Json::end(pen);
    }
}

fn doubled(out: &mut Vec<u8>, push: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    push(out);
    double_from(out, start);
}

/// Doubles the quotes in what was written from `start` on, from its end to its beginning.
fn double_from(out: &mut Vec<u8>, start: usize) {
    let mut from = out.len();
    let quotes = out.get(start..).unwrap_or_default().iter().map(|byte| usize::from(*byte == b'"')).sum::<usize>();
    out.resize(from + quotes, b'"');
    let mut to = out.len();
    while from < to {
        from -= 1;
        to -= 1;
        let byte = out.get(from).copied().unwrap_or_default();
        if let Some(slot) = out.get_mut(to) {
            *slot = byte;
        }
        if byte == b'"' {
            to -= 1;
            if let Some(slot) = out.get_mut(to) {
                *slot = byte;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_doubled_from_a_place_on() {
        for text in ["", "plain", "\"", "\"a\":\"b\"", "a\"\"", "\"\"\"b"] {
            let mut out = b"\"x".to_vec();
            doubled(&mut out, |out| out.extend_from_slice(text.as_bytes()));
            assert_eq!(String::from_utf8(out).unwrap(), format!("\"x{}", text.replace('"', "\"\"")));
        }
    }
}
