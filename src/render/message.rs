//! An event's message with its values inserted (section 9.8).

use std::io::Write as _;

use crate::clock::Clock;
use crate::decode::{Event, FieldView, Value, Visitor};
use crate::event::Kind;
use crate::limits;
use crate::schema::{DisplayFormat, Field, HeaderInsert, Map, MapKind, Message, MessagePart, Scalar, Schema, Wire};
use crate::time::FileTime;

use super::Zone;
use super::printf::Spec;
use super::time;
use super::value::{self, ValueContext, Written};

/// Appends the message of an event. An insert without a readable field stays as it is written, `%7`, and so do those
/// after [`limits::MAX_MESSAGE`] bytes, or as many as the event may print.
pub fn write_message(out: &mut String, message: &Message, event: &Event<'_>, clock: Option<&Clock>) {
    let mut bytes = std::mem::take(out).into_bytes();
    push_message(&mut bytes, message, event, clock);
    *out = String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
}

/// Appends what [`write_message`] writes, to UTF-8 bytes.
pub fn push_message(out: &mut Vec<u8>, message: &Message, event: &Event<'_>, clock: Option<&Clock>) {
    push_message_with(out, message, event, clock, &push_insert);
}

/// Appends as [`push_message`] does, with the time of the event's header in a zone. Times in the payload stay as they
/// are, and so does a time that is local to a machine whose zone is not known.
pub fn push_message_in(out: &mut Vec<u8>, message: &Message, event: &Event<'_>, clock: Option<&Clock>, zone: &Zone) {
    push_parts(out, message, event, &Context { clock, inserts: &push_insert, zone: Some(zone) });
}

/// Appends a value as Windows' tools print it in a message: GUIDs without braces, bytes as `0x00FF3C`, and hexadecimal
/// numbers with upper-case digits, `0xC0000022`. Names of values are the texts of the map, with the blank at their end
/// that a message table leaves: `Rx `. Other values are as [`value::push`] has them.
pub fn push_insert(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    let start = out.len();
    let written = value::push_map_text(out, value, context);
    let digits = match value {
        Value::Bytes([]) => None,
        Value::Bytes(_) if value::is_hex_dump(context.field.display) => {
            out.splice(start..start, *b"0x");
            Some(start + 2)
        }
        _ => value.bits().and_then(|bits| hex_digits(out.get(start..)?, bits, context.map)).map(|at| start + at),
    };
    if let Some(digits) = digits.and_then(|at| out.get_mut(at..)) {
        digits.make_ascii_uppercase();
    }
    written
}

/// Returns where the hexadecimal digits of an integer's `text` begin; with a map, those of the bits without a name.
fn hex_digits(text: &[u8], bits: u64, map: Option<&Map>) -> Option<usize> {
    let has_digits = match map {
        Some(map) if map.kind() == MapKind::Bits => map.bits(bits).1 != 0,
        Some(map) if map.text(bits).is_some() => false,
        _ => text.starts_with(b"0x"),
    };
    has_digits.then(|| text.iter().rposition(|byte| *byte == b'x'))?.map(|at| at + 1)
}

/// How a value becomes text; [`value::push`] is one.
pub type PushValue = fn(&mut Vec<u8>, Value<'_>, ValueContext<'_>) -> Written;

/// Where the inserts of a message come from, and how they become text.
pub trait Inserts {
    /// Returns the field that an insert names by its number, from 1.
    fn field<'a>(&self, event: &Event<'a>, number: u16) -> Option<FieldView<'a>> {
        event.fields().nth(usize::from(number).checked_sub(1)?)
    }

    /// Returns whether a field, or a member of one, with its place is shown where its insert has no form.
    fn shows(&self, _place: usize, field: &Field) -> bool {
        field.display != DisplayFormat::Hidden
    }

    /// Appends a value of the field at a place whose insert has no form, or one that pads or cuts texts.
    fn push(&self, out: &mut Vec<u8>, place: usize, value: Value<'_>, context: ValueContext<'_>);
}

impl<F: Fn(&mut Vec<u8>, Value<'_>, ValueContext<'_>) -> Written> Inserts for F {
    fn push(&self, out: &mut Vec<u8>, _: usize, value: Value<'_>, context: ValueContext<'_>) {
        self(out, value, context);
    }
}

/// Appends as [`push_message`] does, with other inserts: a [`PushValue`] is another rendering of the same fields.
pub fn push_message_with(
    out: &mut Vec<u8>,
    message: &Message,
    event: &Event<'_>,
    clock: Option<&Clock>,
    inserts: &impl Inserts,
) {
    push_parts(out, message, event, &Context { clock, inserts, zone: None });
}

/// How the parts of a message become text.
struct Context<'a> {
    clock: Option<&'a Clock>,
    inserts: &'a dyn Inserts,
    /// Of the time in the header; UTC if there is none.
    zone: Option<&'a Zone>,
}

fn push_parts(out: &mut Vec<u8>, message: &Message, event: &Event<'_>, context: &Context<'_>) {
    let start = out.len();
    let most = limits::shown(event.payload().len()).min(limits::MAX_MESSAGE);
    for part in message.parts() {
        let is_full = out.len() - start > most;
        match part {
            MessagePart::Text(text) => out.extend_from_slice(text.as_bytes()),
            MessagePart::Parameter(number) => drop(write!(out, "%%{number}")),
            MessagePart::Header { value, .. } if is_full => drop(write!(out, "%{{{}}}", value.name())),
            MessagePart::Header { value, format } => header(out, *value, format, (event, context.zone)),
            MessagePart::Insert { index, .. } if is_full => missing(out, event, *index),
            MessagePart::Insert { index, format } => match context.inserts.field(event, *index) {
                Some(view) => insert(out, &view, format, context),
                None => missing(out, event, *index),
            },
        }
    }
}

/// Arguments of WPP messages have the numbers from this one on, after those of the header (section 12.3).
const FIRST_OF_WPP: u16 = 10;

/// A reference to a field that is not there, as the message has it if the arguments of its definition are numbered one
/// after the other, as those of compilers are.
fn missing(out: &mut Vec<u8>, event: &Event<'_>, index: u16) {
    let before = if event.raw().kind() == Kind::Wpp { FIRST_OF_WPP - 1 } else { 0 };
    let _ = write!(out, "%{}", index.saturating_add(before));
}

/// Units of 100 ns.
const TICKS_PER_MINUTE: i64 = 600_000_000;

/// A value of the header; 0 where the header has none, as tracefmt prints it.
fn header(out: &mut Vec<u8>, value: HeaderInsert, format: &str, (event, zone): (&Event<'_>, Option<&Zone>)) {
    let spec = Spec::parse(format);
    let raw = event.raw();
    let number = match value {
        HeaderInsert::Time => {
            // Without a clock the ticks are in place of the time: they order the messages.
            let time = event.time().unwrap_or(FileTime(raw.time().0));
            let zone = zone.filter(|_| event.time().is_some() && !event.is_local_time());
            if spec.is_plain() {
                time::TimeCache::new(zone.cloned().unwrap_or_default()).push(out, time);
            } else {
                let minutes = zone.and_then(|zone| zone.minutes(time)).unwrap_or(0);
                let time = FileTime(time.0.saturating_add(i64::from(minutes) * TICKS_PER_MINUTE));
                push_form(out, &spec, Value::Signed(time.0, 8));
            }
            return;
        }
        HeaderInsert::Thread => raw.tid().unwrap_or(0),
        HeaderInsert::Process => raw.pid().unwrap_or(0),
        HeaderInsert::Processor => raw.processor().into(),
        HeaderInsert::Sequence => raw.message().and_then(|message| message.sequence).unwrap_or(0),
    };
    push_form(out, &spec, Value::Unsigned(number.into(), 4));
}

/// Appends a value of the header in a form.
fn push_form(out: &mut Vec<u8>, spec: &Spec, value: Value<'_>) {
    let context = ValueContext::new(&PLAIN);
    spec.push(out, value, context, |out| {
        push_insert(out, value, context);
    });
}

/// How values of the header are shown when no form is asked for.
static PLAIN: std::sync::LazyLock<Field> = std::sync::LazyLock::new(|| Field::new("", Wire::Scalar(Scalar::U32)));

fn insert(out: &mut Vec<u8>, view: &FieldView<'_>, format: &str, of: &Context<'_>) {
    let (spec, place) = (Spec::parse(format), view.index());
    if let Some(value) = view.value() {
        let context = ValueContext::new(view.field).map(view.map()).clock(of.clock);
        if !spec.is_plain() {
            spec.push(out, value, context, |out| of.inserts.push(out, place, value, context));
        } else if of.inserts.shows(place, view.field) {
            of.inserts.push(out, place, value, context);
        }
        return;
    }
    view.visit_shown(&mut Text { out, schema: view.schema(), of, separator: b"" });
}

/// All values of an array or struct, with spaces between.
struct Text<'o, 'a> {
    out: &'o mut Vec<u8>,
    schema: &'a Schema,
    of: &'a Context<'a>,
    separator: &'static [u8],
}

impl Visitor for Text<'_, '_> {
    fn value(&mut self, place: usize, field: &Field, value: Value<'_>) {
        self.out.extend_from_slice(self.separator);
        self.separator = b" ";
        if self.of.inserts.shows(place, field) {
            let context = ValueContext::new(field).map(self.schema.map(field)).clock(self.of.clock);
            self.of.inserts.push(self.out, place, value, context);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::{Guid, PointerSize};

    fn insert(value: Value<'_>, show: DisplayFormat, map: Option<&Map>) -> String {
        let field = Field::new("x", Wire::Scalar(Scalar::U32)).displayed(show);
        let mut out = b"a=".to_vec();
        push_insert(&mut out, value, ValueContext { field: &field, map, clock: None });
        String::from_utf8(out).unwrap().split_off(2)
    }

    #[test]
    fn inserts_are_as_windows_prints_them() {
        let guid: Guid = "DD5EF90A-6398-47A4-AD34-4DCECDEF795F".parse().unwrap();
        assert_eq!(insert(Value::Guid(guid), DisplayFormat::Plain, None), "dd5ef90a-6398-47a4-ad34-4dcecdef795f");
        assert_eq!(insert(Value::Bytes(&[0, 0xFF, 0x3C]), DisplayFormat::Plain, None), "0x00FF3C");
        assert_eq!(insert(Value::Bytes(&[]), DisplayFormat::Plain, None), "");
        assert_eq!(insert(Value::Bytes(&[0, 0xFF, 0x3C, 1, 2, 0xAB]), DisplayFormat::Mac, None), "00:ff:3c:01:02:ab");
        assert_eq!(insert(Value::Bytes(b"{\"a\":1}"), DisplayFormat::Json, None), "{\"a\":1}");
        assert_eq!(insert(Value::Unsigned(0xE000_460A, 4), DisplayFormat::Hex, None), "0xE000460A");
        assert_eq!(insert(Value::Pointer(0xFFFF_800A, PointerSize::Eight), DisplayFormat::Plain, None), "0xFFFF800A");
        assert_eq!(insert(Value::Unsigned(171, 4), DisplayFormat::Plain, None), "171");
    }

    #[test]
    fn names_of_a_map_are_the_texts_of_its_message_table() {
        let values = Map::new("V", MapKind::Values, [(1, "Rx "), (2, "Tx")]).unwrap();
        let bits = Map::new("B", MapKind::Bits, [(1, "Read "), (2, "Write ")]).unwrap();
        let with = |map, value| insert(Value::Unsigned(value, 4), DisplayFormat::Plain, Some(map));
        assert_eq!([1, 2, 3].map(|value| with(&values, value)), ["Rx ", "Tx", "3"]);
        assert_eq!([1, 3, 11].map(|value| with(&bits, value)), ["Read ", "Read |Write ", "Read |Write |0x8"]);
        assert_eq!(insert(Value::Signed(1, 4), DisplayFormat::Plain, Some(&values)), "Rx ");
    }

    #[test]
    fn names_of_a_map_keep_their_case() {
        let values = Map::new("V", MapKind::Values, [(1, "0xface")]).unwrap();
        let bits = Map::new("B", MapKind::Bits, [(1, "Fox"), (2, "face")]).unwrap();
        let with = |map, value| insert(Value::Unsigned(value, 4), DisplayFormat::Hex, Some(map));
        assert_eq!((with(&values, 1), with(&values, 0xAB)), ("0xface".into(), "0xAB".into()));
        assert_eq!((with(&bits, 3), with(&bits, 0xA1)), ("Fox|face".into(), "Fox|0xA0".into()));
    }
}
