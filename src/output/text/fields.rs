//! Fields as `name=value`.

use crate::clock::Clock;
use crate::decode::{Event, Value, Visitor};
use crate::render::nesting::Nesting;
use crate::render::pen::{Escape, Mark, Memory, Pen};
use crate::render::plan::{Dialect, End};
use crate::render::terminal;
use crate::render::value::{self, ValueContext};
use crate::schema::{Field, Schema};

use super::bytes::push_cut;
use super::paint::Paint;

/// Fields as `name=value`, each after a blank.
#[derive(Debug)]
pub(super) struct TextFields;

/// The text in quotes.
#[derive(Debug)]
pub(super) struct TextEscape;

impl Escape for TextEscape {
    const SPECIAL: &'static [u8] = b"\"";
    const HAS_BACKSLASHES: bool = true;

    fn special<M: Memory>(pen: &mut Pen<M>, c: char) {
        match c {
            '"' => pen.block(b"\\\"", 2),
            c if terminal::is_hazard(c) => pen.with_vec(|out| terminal::push_char(out, c)),
            c => pen.char(c),
        }
    }
}

impl Dialect for TextFields {
    type Escape = TextEscape;
    type Keys = Paint;
    type Writer<'o, 'a> = Writer<'o, 'a>;

    const QUOTE: Mark = Mark::new(b"\"");
    const QUOTES_WORDS: bool = false;
    const AFTER: End = End::new(b"", b"\"");
    const BETWEEN: End = End::new(b" ", b"\" ");

    fn push_key(out: &mut Vec<u8>, paint: &Paint, schema: &Schema, place: usize) {
        if let Some(field) = schema.fields().get(place) {
            out.push(b' ');
            push_name(out, paint, field);
        }
    }

    fn push_member_key(out: &mut Vec<u8>, paint: &Paint, schema: &Schema, (place, is_first): (usize, bool)) {
        let start = out.len();
        Self::push_key(out, paint, schema, place);
        if is_first {
            out.remove(start);
        }
    }

    fn push_label(out: &mut Vec<u8>, name: &str) {
        terminal::push(out, name);
    }

    fn push_value(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) {
        push_value(out, value, context);
    }

    fn writer<'o, 'a>(
        out: &'o mut Vec<u8>,
        schema: &'a Schema,
        clock: Option<&'a Clock>,
        paint: &'a Paint,
    ) -> Writer<'o, 'a> {
        Writer { out, schema, clock, paint, nesting: Nesting::default(), is_after_bracket: false }
    }

    #[inline]
    fn close(pen: &mut Pen) {
        pen.byte(b'}');
    }
}

/// Appends the fields that are shown, each after a blank.
pub(super) fn push_fields(out: &mut Vec<u8>, paint: &Paint, event: &Event<'_>, schema: &Schema) {
    let mut writer = TextFields::writer(out, schema, event.clock(), paint);
    for view in event.shown_fields() {
        view.visit_shown(&mut writer);
    }
}

/// Appends `name=`.
fn push_name(out: &mut Vec<u8>, paint: &Paint, field: &Field) {
    out.extend_from_slice(paint.key.as_bytes());
    terminal::push(out, &field.name);
    out.extend_from_slice(paint.off.as_bytes());
    out.push(b'=');
}

/// Appends a value: a text in quotes, long bytes cut.
fn push_value(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) {
    let is_text = matches!(value, Value::Utf16(_) | Value::Ansi(_) | Value::Utf8(_));
    if is_text {
        out.push(b'"');
    }
    let start = out.len();
    value::push(out, value, context);
    let written = out.get(start..).unwrap_or_default();
    match value {
        // Their digits.
        Value::Bytes(bytes) if written.len() == bytes.len() * 2 => {
            out.truncate(start);
            push_cut(out, bytes);
        }
        _ if terminal::is_plain(written) && !(is_text && written.contains(&b'"')) => {}
        _ => escape_from(out, start, is_text),
    }
    if is_text {
        out.push(b'"');
    }
}

#[cold]
fn escape_from(out: &mut Vec<u8>, start: usize, is_text: bool) {
    let written = out.split_off(start);
    let text = String::from_utf8_lossy(&written);
    if is_text { terminal::push(out, &text.replace('"', "\\\"")) } else { terminal::push(out, &text) }
}

/// Writes fields through the executor.
#[derive(Debug)]
pub(super) struct Writer<'o, 'a> {
    out: &'o mut Vec<u8>,
    schema: &'a Schema,
    clock: Option<&'a Clock>,
    paint: &'a Paint,
    nesting: Nesting,
    /// Whether what comes next is the first in its brackets.
    is_after_bracket: bool,
}

impl Writer<'_, '_> {
    fn key(&mut self, field: &Field) {
        if !std::mem::take(&mut self.is_after_bracket) {
            self.out.push(b' ');
        }
        if !self.nesting.is_in_array() {
            push_name(self.out, self.paint, field);
        }
    }

    fn open(&mut self, field: &Field, bracket: u8) {
        self.key(field);
        self.out.push(bracket);
        self.nesting.open(bracket == b'[');
        self.is_after_bracket = true;
    }

    fn close(&mut self, bracket: u8) {
        self.out.push(bracket);
        self.nesting.close();
        self.is_after_bracket = false;
    }
}

impl Visitor for Writer<'_, '_> {
    fn value(&mut self, _: usize, field: &Field, value: Value<'_>) {
        self.key(field);
        push_value(self.out, value, ValueContext { field, map: self.schema.map(field), clock: self.clock });
    }

    fn begin_array(&mut self, _: usize, field: &Field) {
        self.open(field, b'[');
    }

    fn end_array(&mut self, _: usize, _: &Field) {
        self.close(b']');
    }

    fn begin_struct(&mut self, _: usize, field: &Field) {
        self.open(field, b'{');
    }

    fn end_struct(&mut self, _: usize, _: &Field) {
        self.close(b'}');
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::decode::Scratch;
    use crate::event::{BufferContext, RawEvent};
    use crate::format::{HeaderType, Marker};
    use crate::limits;
    use crate::output::text::paint::{COLORS, PLAIN};
    use crate::render::plan::tests::{compare, compare_all, nested, of_text, payload};
    use crate::schema::arbitrary;

    fn text(schema: &Schema, payload: &[u8]) -> String {
        let header = HeaderType::System64;
        let mut bytes = vec![0; header.fixed_len()];
        bytes.extend_from_slice(payload);
        let raw = RawEvent::new(&bytes, Marker { header, len: bytes.len() }, BufferContext::default()).unwrap();
        let (mut scratch, mut out) = (Scratch::default(), Vec::new());
        push_fields(&mut out, &PLAIN, &Event::locate(raw, Some(schema), None, &mut scratch), schema);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn names_are_those_of_members_however_deep_structs_are_in_each_other() {
        let (schema, payload) = nested();
        let open: String = (0..limits::MAX_DEPTH).fold(String::new(), |text, n| text + &format!("S{n}=[{{"));
        let expected = format!(" {open}A=[7 7]{} Last=7", "}]".repeat(limits::MAX_DEPTH));
        assert_eq!(text(&schema, &payload), expected);
    }

    #[test]
    fn usual_payloads_are_taken() {
        let taken = |fields: &str, payload: &[u8]| {
            let (schema, event) = (of_text(fields), (HeaderType::System64, payload));
            let located = |out: &mut Vec<u8>, event: &Event<'_>| push_fields(out, &COLORS, event, &schema);
            compare::<TextFields>(&schema, event, &COLORS, located).1
        };
        assert!(taken(
            "A u8\nB i16\nC ptr\nD utf16\nE ansi\nF u8 as bool",
            b"\xFF\xFE\xFF\x01\0\0\0\0\0\0\0\"\0\x1b\0\x0e\x20\0\0y\x7f\0\x01"
        ));
        assert!(taken("N u8\nL u32 as hex x N\nM u16 x rest\n", &[1, 9, 0, 0, 0, 4, 0, 5, 0]));
    }

    #[test]
    fn a_character_is_no_bracket() {
        let schema = of_text("A u8 as char\nB u8 as char x 2\nC u8");
        assert_eq!(text(&schema, b"[{{\x01"), " A=[ B=\"{{\" C=1");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn a_plan_writes_what_a_visitor_does(schema in arbitrary::schema(), payload in payload(), is_wide in any::<bool>()) {
            let located = |out: &mut Vec<u8>, event: &Event<'_>| push_fields(out, &PLAIN, event, &schema);
            compare_all::<TextFields>(&schema, (&payload, is_wide), &PLAIN, located);
        }
    }
}
