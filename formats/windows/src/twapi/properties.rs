//! The payload of an event as a Tcl dictionary.

use std::io::Write as _;

use etwkit::FileTime;
use etwkit::bytes::write_hex;
use etwkit::clock::Clock;
use etwkit::decode::{Event, Value, Visitor};
use etwkit::event::Kind;
use etwkit::render::time::push_filetime;
use etwkit::render::value::{self, ValueContext};
use etwkit::schema::{DisplayFormat, Field, MapKind, Schema};

use super::labels::Labels;
use super::list::{is_word, list, push_element};
use crate::decimal::push_decimal;
use crate::names::{FieldAppearance, whole};

/// Memory that is used again for each event.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    /// The value that is being written.
    value: Vec<u8>,
    open: Vec<Open>,
    spare: Vec<String>,
}

impl Buffers {
    /// Returns empty text.
    fn take(&mut self) -> String {
        let mut text = self.spare.pop().unwrap_or_default();
        text.clear();
        text
    }

    /// Takes memory back.
    pub(super) fn give(&mut self, text: String) {
        self.spare.push(text);
    }
}

/// Name and value of each field; a value is the list of the field's elements (several for an array).
pub(super) fn dictionary(event: &Event<'_>, labels: &Labels, clock: Option<&Clock>, buffers: &mut Buffers) -> String {
    let name = if event.raw().kind() == Kind::Classic { "_mofdata" } else { "_userdata" };
    let Some(schema) = event.layout_schema() else {
        return with_bytes(String::new(), name, event.payload());
    };
    let dict = buffers.take();
    buffers.open.clear();
    buffers.open.push(Open::Dict(dict));
    let mut writer = Writer { event, schema, labels, clock, buffers };
    for view in event.fields().filter(|view| labels.look(view.index()) != FieldAppearance::Hidden) {
        view.visit(&mut writer);
    }
    let mut dict = writer.finish();
    if event.left_out() > 0 {
        push_element(&mut dict, "_leftout");
        push_element(&mut dict, &event.left_out().to_string());
    }
    if event.remainder().is_empty() { dict } else { with_bytes(dict, name, event.remainder()) }
}

/// Appends name and value of the field at a place, with a blank before them unless they are the first ones.
pub(super) fn push_entry(
    out: &mut Vec<u8>,
    event: &Event<'_>,
    (place, is_first): (usize, bool),
    labels: &Labels,
    buffers: &mut Buffers,
) {
    let (Some(schema), Some(view)) = (event.schema(), event.field_at(place)) else { return };
    let mut dict = buffers.take();
    // What is before an element decides how it is protected.
    let before = if is_first { "" } else { "x" };
    dict.push_str(before);
    buffers.open.clear();
    buffers.open.push(Open::Dict(dict));
    let mut writer = Writer { event, schema, labels, clock: event.clock(), buffers };
    view.visit(&mut writer);
    let dict = writer.finish();
    out.extend_from_slice(dict.get(before.len()..).unwrap_or_default().as_bytes());
    buffers.give(dict);
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
    buffers: &'a mut Buffers,
}

impl Writer<'_, '_> {
    /// Puts an element into the array that is open, or as a whole value into the dictionary.
    fn put(&mut self, place: usize, field: &Field, element: &str) {
        match self.buffers.open.last_mut() {
            Some(Open::Array(elements)) => push_element(elements, element),
            _ if is_word(element.as_bytes()) => self.entry(place, field, element),
            _ => {
                let mut elements = self.buffers.take();
                push_element(&mut elements, element);
                self.entry(place, field, &elements);
                self.buffers.give(elements);
            }
        }
    }

    fn entry(&mut self, place: usize, field: &Field, elements: &str) {
        let name = self.labels.name(place).unwrap_or(&field.name);
        if let Some(Open::Dict(dict)) = self.buffers.open.last_mut() {
            push_element(dict, name);
            push_element(dict, elements);
        }
    }

    fn close(&mut self) -> String {
        match self.buffers.open.pop() {
            Some(Open::Dict(text) | Open::Array(text)) => text,
            None => String::new(),
        }
    }

    fn finish(mut self) -> String {
        self.buffers.open.truncate(1);
        self.close()
    }
}

impl Visitor for Writer<'_, '_> {
    fn value(&mut self, place: usize, field: &Field, value: Value<'_>) {
        let look = self.labels.look(place);
        if look != FieldAppearance::Hidden {
            let value = whole(self.event, place, look, value);
            let mut text = std::mem::take(&mut self.buffers.value);
            text.clear();
            push_text(
                &mut text,
                value,
                ValueContext::new(field).map(self.labels.map(self.schema, (place, field))).clock(self.clock),
                look,
            );
            match std::str::from_utf8(&text) {
                Ok(text) => self.put(place, field, text),
                Err(_) => self.put(place, field, &String::from_utf8_lossy(&text)),
            }
            self.buffers.value = text;
        }
    }

    fn begin_array(&mut self, _: usize, _: &Field) {
        let elements = self.buffers.take();
        self.buffers.open.push(Open::Array(elements));
    }

    fn end_array(&mut self, place: usize, field: &Field) {
        let elements = self.close();
        // Arrays of arrays are arrays of structs: what is open now is a dictionary.
        self.entry(place, field, &elements);
        self.buffers.give(elements);
    }

    fn begin_struct(&mut self, _: usize, _: &Field) {
        let dict = self.buffers.take();
        self.buffers.open.push(Open::Dict(dict));
    }

    fn end_struct(&mut self, place: usize, field: &Field) {
        let dict = self.close();
        self.put(place, field, &dict);
        self.buffers.give(dict);
    }
}

/// Appends a value: error codes in hexadecimal, times with milliseconds, the bits of a bit map as a list of their
/// names.
fn push_text(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>, look: FieldAppearance) {
    match (value.bits(), context.map, context.field.display, look) {
        (Some(number), Some(map), _, _) if map.kind() == MapKind::Bits => {
            let (names, left) = map.bits(number);
            let mut names = list(names);
            if left != 0 {
                push_element(&mut names, &format!("{left:#x}"));
            }
            out.extend_from_slice(names.as_bytes());
        }
        (Some(number), Some(map), _, _) if map.value(number).is_some() => drop(value::push(out, value, context)),
        (Some(_), _, _, FieldAppearance::Decimal | FieldAppearance::Whole(_)) => push_decimal(out, value),
        // Writing to a vector cannot fail.
        (Some(number), _, _, FieldAppearance::Hex) => drop(write!(out, "{number:#x}")),
        (Some(code), None, DisplayFormat::Win32Error | DisplayFormat::ErrorCode, _) => drop(write!(out, "{code:#x}")),
        (Some(_), None, DisplayFormat::FileTime, _) => match value.as_i64() {
            Some(time) => push_milliseconds(out, FileTime(time)),
            None => push_decimal(out, value),
        },
        _ => {
            value::push(out, value, context);
        }
    }
}

/// Appends a value of a message that Windows describes: as the engine does, with integers as Windows has them.
pub(super) fn push_insert(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>, look: FieldAppearance) {
    match (value.bits(), look) {
        (Some(_), FieldAppearance::Decimal | FieldAppearance::Hex) if context.map.is_none() => {
            push_text(out, value, context, look);
        }
        _ => drop(value::push(out, value, context)),
    }
}

/// `2014-04-04T17:41:34.123Z`, or the number if it is not a date.
fn push_milliseconds(out: &mut Vec<u8>, time: FileTime) {
    if push_filetime(out, time) {
        // Seven digits and `Z`: three stay.
        out.truncate(out.len().saturating_sub(5));
        out.push(b'Z');
    }
}
