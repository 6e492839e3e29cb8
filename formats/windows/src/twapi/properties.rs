//! The payload of an event as a Tcl dictionary.

use etwkit::FileTime;
use etwkit::bytes::write_hex;
use etwkit::clock::Clock;
use etwkit::decode::{Event, Value, Visitor};
use etwkit::event::Kind;
use etwkit::render::time::push_filetime;
use etwkit::render::value::{self, ValueContext};
use etwkit::schema::{DisplayFormat, Field, MapKind, Schema};

use super::list::{list, push_element};
use crate::names::{FieldAppearance, whole};

/// The names of the fields of a schema, by place.
pub(super) type Labels = Box<[(Box<str>, FieldAppearance)]>;

/// Name and value of each field; a value is the list of the field's elements (several for an array).
pub(super) fn dictionary(event: &Event<'_>, labels: &Labels, clock: Option<&Clock>) -> String {
    let Some(schema) = event.schema() else {
        let name = if event.raw().kind() == Kind::Classic { "_mofdata" } else { "_userdata" };
        return with_bytes(String::new(), name, event.payload());
    };
    let mut writer = Writer { event, schema, labels, clock, open: vec![Open::Dict(String::new())] };
    for view in
        event.fields().filter(|view| labels.get(view.place()).is_none_or(|(_, look)| *look != FieldAppearance::Hidden))
    {
        view.visit(&mut writer);
    }
    let mut dict = writer.finish();
    if event.left_out() > 0 {
        push_element(&mut dict, "_leftout");
        push_element(&mut dict, &event.left_out().to_string());
    }
    if event.remainder().is_empty() { dict } else { with_bytes(dict, "_userdata", event.remainder()) }
}

/// A string-only event has no names: its text is a plain word, not a list of elements.
pub(super) fn text_alone(event: &Event<'_>) -> String {
    let value = event.fields().find_map(|view| {
        let context = ValueContext::new(view.field);
        view.value().map(|value| value::to_string(value, context))
    });
    let dict = list(["_stringdata", &value.unwrap_or_default()]);
    if event.remainder().is_empty() { dict } else { with_bytes(dict, "_userdata", event.remainder()) }
}

fn with_bytes(mut dict: String, name: &str, bytes: &[u8]) -> String {
    let mut digits = Vec::new();
    write_hex(&mut digits, bytes);
    push_element(&mut dict, name);
    push_element(&mut dict, &String::from_utf8_lossy(&digits));
    dict
}

/// Something that elements are put into.
#[derive(Debug)]
enum Open {
    /// Names and values.
    Dict(String),
    /// The elements of an array.
    Array(String),
}

struct Writer<'a, 'e> {
    event: &'a Event<'e>,
    schema: &'a Schema,
    labels: &'a Labels,
    clock: Option<&'a Clock>,
    open: Vec<Open>,
}

impl Writer<'_, '_> {
    /// Puts an element into the array that is open, or as a whole value into the dictionary.
    fn put(&mut self, place: usize, field: &Field, element: &str) {
        match self.open.last_mut() {
            Some(Open::Array(elements)) => push_element(elements, element),
            _ => self.entry(place, field, &list([element])),
        }
    }

    fn entry(&mut self, place: usize, field: &Field, elements: &str) {
        let name = self.labels.get(place).map_or(&*field.name, |(name, _)| name);
        if let Some(Open::Dict(dict)) = self.open.last_mut() {
            push_element(dict, name);
            push_element(dict, elements);
        }
    }

    fn close(&mut self) -> String {
        match self.open.pop() {
            Some(Open::Dict(text) | Open::Array(text)) => text,
            None => String::new(),
        }
    }

    fn finish(mut self) -> String {
        self.open.truncate(1);
        self.close()
    }
}

impl Visitor for Writer<'_, '_> {
    fn value(&mut self, place: usize, field: &Field, value: Value<'_>) {
        let look = self.labels.get(place).map_or(FieldAppearance::Schema, |(_, look)| *look);
        if look != FieldAppearance::Hidden {
            let value = whole(self.event, place, look, value);
            let text = text(value, ValueContext::new(field).map(self.schema.map(field)).clock(self.clock), look);
            self.put(place, field, &text);
        }
    }

    fn begin_array(&mut self, _: usize, _: &Field) {
        self.open.push(Open::Array(String::new()));
    }

    fn end_array(&mut self, place: usize, field: &Field) {
        let elements = self.close();
        // Arrays of arrays are arrays of structs: what is open now is a dictionary.
        self.entry(place, field, &elements);
    }

    fn begin_struct(&mut self, _: usize, _: &Field) {
        self.open.push(Open::Dict(String::new()));
    }

    fn end_struct(&mut self, place: usize, field: &Field) {
        let dict = self.close();
        self.put(place, field, &dict);
    }
}

/// Returns a value: error codes in hexadecimal, times with milliseconds, the bits of a bit map as a list of their
/// names.
fn text(value: Value<'_>, context: ValueContext<'_>, look: FieldAppearance) -> String {
    let number = value.as_u64();
    match (number, context.map, context.field.display, look) {
        (Some(number), _, _, FieldAppearance::Decimal | FieldAppearance::Whole(_)) => number.to_string(),
        (Some(number), _, _, FieldAppearance::Hex) => format!("{number:#x}"),
        (Some(number), Some(map), _, _) if map.kind() == MapKind::Bits => {
            let (names, left) = map.bits(number);
            let mut names = list(names);
            if left != 0 {
                push_element(&mut names, &format!("{left:#x}"));
            }
            names
        }
        (Some(number), None, DisplayFormat::Win32Error | DisplayFormat::ErrorCode, _) => {
            // A signed code has the bits of its four bytes.
            format!("{:#x}", if matches!(value, Value::Signed(_, 4)) { number & 0xFFFF_FFFF } else { number })
        }
        (Some(number), None, DisplayFormat::FileTime, _) => milliseconds(FileTime(number.cast_signed())),
        _ => value::to_string(value, context),
    }
}

/// `2014-04-04T17:41:34.123Z`, or the number if it is no date.
fn milliseconds(time: FileTime) -> String {
    let mut out = Vec::new();
    if push_filetime(&mut out, time) {
        // Seven digits and `Z`: three stay.
        out.truncate(out.len().saturating_sub(5));
        out.push(b'Z');
    }
    String::from_utf8_lossy(&out).into_owned()
}
