//! Values and fields as JSON.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::decode::{Event, FieldView, Value, Visitor};
use crate::schema::{Field, Notation, Schema};

use super::escape;
use super::nesting::Nesting;
use super::value::{self, ValueContext, Written};
use crate::clock::Clock;

/// Largest integer that every JSON reader keeps exact: 2^53 - 1. Larger ones are written as strings.
pub(crate) const MAX_SAFE: u64 = (1 << 53) - 1;
/// Its digits: what has fewer is smaller.
const SAFE_DIGITS: usize = 16;
/// The member with the number of values that are left out. No field has a name with a number sign first, but for a
/// crafted one.
pub(crate) const LEFT_OUT: &str = "#left_out";

/// Appends a value as JSON: a number, `true`/`false`, or a string.
///
/// Integers beyond ±(2^53 - 1), which readers that use doubles would change, are strings of decimal digits. Hexadecimal
/// values, addresses, times, GUIDs and SIDs are strings; NaN and infinities too.
pub fn write_json_value(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) {
    match value {
        Value::Utf16(text) => quoted(out, |out| escape::push_utf16(out, value::trimmed_utf16(text))),
        Value::Ansi(text) => quoted(out, |out| escape::push_ansi(out, crate::bytes::AnsiText(value::trimmed(text.0)))),
        Value::Utf8(text) => quoted(out, |out| escape::push_utf8(out, value::trimmed(text))),
        _ => plain(out, value, context),
    }
}

/// Writes a quote first where text is to be expected, and mends it where that was wrong: nothing is moved otherwise.
fn plain(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) {
    let start = out.len();
    let expected = is_text(value, context);
    if expected {
        out.push(b'"');
    }
    let written = value::push(out, value, context);
    let quote = match written {
        Written::Number => !is_safe(value, out.get(start + usize::from(expected)..).unwrap_or_default()),
        Written::Bool => false,
        Written::Text => true,
    };
    match (expected, quote) {
        (true, false) => {
            out.remove(start);
        }
        (false, true) => out.insert(start, b'"'),
        _ => {}
    }
    if quote {
        escape_from(out, start + 1);
        out.push(b'"');
    }
}

/// Returns whether a value is likely to be written as text.
const fn is_text(value: Value<'_>, context: ValueContext<'_>) -> bool {
    match (value, value.integer()) {
        (Value::F32(_) | Value::F64(_), _) => false,
        (_, Some((integer, _))) if context.map.is_none() => !matches!(
            context.field.display.notation(integer),
            Notation::Decimal { .. } | Notation::Bool | Notation::Port
        ),
        _ => true,
    }
}

/// Escapes what was written from `start` on, if anything in it needs that: names of maps, single characters, XML.
fn escape_from(out: &mut Vec<u8>, start: usize) {
    let plain = out.get(start..).is_none_or(|text| text.iter().all(|&b| !escape::may_need_escape(b)));
    if !plain {
        let text = out.split_off(start);
        escape::push_utf8(out, &text);
    }
}

/// Returns whether every reader keeps a number as it is written: the field may show another one than the value, of
/// other sign.
fn is_safe(value: Value<'_>, text: &[u8]) -> bool {
    if matches!(value, Value::F32(_) | Value::F64(_)) || text.len() < SAFE_DIGITS {
        return true;
    }
    let number = std::str::from_utf8(text).ok().and_then(|text| text.parse::<i128>().ok());
    number.is_some_and(is_safe_integer)
}

/// Returns whether every reader keeps an integer.
pub(crate) const fn is_safe_integer(number: i128) -> bool {
    number.unsigned_abs() <= MAX_SAFE as u128
}

/// Appends an integer by the same rule.
pub(crate) fn push_integer(out: &mut Vec<u8>, value: i64) {
    let safe = value.unsigned_abs() <= MAX_SAFE;
    let mut buffer = itoa::Buffer::new();
    let text = buffer.format(value).as_bytes();
    if safe { out.extend_from_slice(text) } else { quoted(out, |out| out.extend_from_slice(text)) }
}

pub(crate) fn quoted(out: &mut Vec<u8>, inner: impl FnOnce(&mut Vec<u8>)) {
    out.push(b'"');
    inner(out);
    out.push(b'"');
}

/// Appends `"name":`.
pub(crate) fn push_key(out: &mut Vec<u8>, name: &str) {
    quoted(out, |out| escape::push_str(out, name));
    out.push(b':');
}

/// The JSON key of each field: its name, or `name#2` and so on where one occurs again among its siblings.
#[derive(Clone, Debug)]
pub(crate) struct FieldKeys {
    keys: Box<[Box<[u8]>]>,
}

impl FieldKeys {
    pub(crate) fn new(schema: &Schema) -> Self {
        let key = |name: &Cow<'_, str>| {
            let mut key = Vec::new();
            push_key(&mut key, name);
            key.into()
        };
        Self { keys: unique_names(schema).iter().map(key).collect() }
    }

    /// Returns the key of the field at a place, with quotes and colon.
    pub(crate) fn get(&self, place: usize) -> &[u8] {
        self.keys.get(place).map_or(&[], |key| key)
    }
}

/// Returns the name of each field by its place, unique among its siblings: `name#2` and so on where one occurs again.
/// A number is left out if a sibling is called so.
pub(crate) fn unique_names(schema: &Schema) -> Vec<Cow<'_, str>> {
    let mut names = vec![Cow::Borrowed(""); schema.fields().len()];
    let mut groups: Vec<Vec<(usize, &Field)>> = vec![schema.top_level().collect()];
    groups.extend((0..schema.fields().len()).map(|at| schema.members(at).collect()));
    for group in groups {
        let own: BTreeSet<&str> = group.iter().map(|(_, field)| &*field.name).collect();
        let mut seen = BTreeMap::new();
        for (at, field) in group {
            let times = seen.entry(&*field.name).or_insert(0u32);
            if let Some(name) = names.get_mut(at) {
                *name = next_name(&field.name, times, &own);
            }
        }
    }
    names
}

/// Returns the name of a field whose name occurred some times before, and counts it.
pub(crate) fn next_name<'s>(name: &'s str, times: &mut u32, own: &BTreeSet<&str>) -> Cow<'s, str> {
    *times += 1;
    if *times == 1 {
        return name.into();
    }
    loop {
        let numbered = format!("{name}#{times}");
        if !own.contains(&*numbered) {
            return numbered.into();
        }
        *times += 1;
    }
}

/// Writes `{"name":value,...}` of an event's readable fields.
pub(crate) fn push_fields(out: &mut Vec<u8>, event: &Event<'_>, keys: &FieldKeys, clock: Option<&Clock>) {
    let Some(schema) = event.schema() else { return };
    out.push(b'{');
    let mut writer = FieldWriter::members(out, schema, clock, keys);
    for view in event.shown_fields() {
        view.visit_shown(&mut writer);
    }
    if event.left_out() > 0 {
        push_left_out(writer.out, event.left_out());
    }
    writer.trim_comma();
    writer.out.push(b'}');
}

/// Writes values with commas between, as if they were elements of an array: those that `visit` hands over.
pub(crate) fn push_values(
    out: &mut Vec<u8>,
    schema: &Schema,
    keys: &FieldKeys,
    clock: Option<&Clock>,
    visit: impl FnOnce(&mut FieldWriter<'_, '_>),
) {
    let mut nesting = Nesting::default();
    nesting.open(true);
    let mut writer = FieldWriter { out, schema, clock, keys, nesting };
    visit(&mut writer);
    writer.trim_comma();
}

/// Appends the number of values that are left out.
#[cold]
#[inline(never)]
fn push_left_out(out: &mut Vec<u8>, values: u64) {
    push_key(out, LEFT_OUT);
    push_integer(out, values.cast_signed());
}

/// Writes the value of one field: a single one, an array, or an object.
pub(crate) fn push_field(
    out: &mut Vec<u8>,
    view: &FieldView<'_>,
    schema: &Schema,
    keys: &FieldKeys,
    clock: Option<&Clock>,
) {
    push_values(out, schema, keys, clock, |writer| view.visit_shown(writer));
}

/// Writes members and elements, each followed by a comma that the closing bracket takes back.
pub(crate) struct FieldWriter<'o, 'a> {
    out: &'o mut Vec<u8>,
    schema: &'a Schema,
    clock: Option<&'a Clock>,
    keys: &'a FieldKeys,
    nesting: Nesting,
}

impl<'o, 'a> FieldWriter<'o, 'a> {
    /// Writes members of an object.
    pub(super) fn members(
        out: &'o mut Vec<u8>,
        schema: &'a Schema,
        clock: Option<&'a Clock>,
        keys: &'a FieldKeys,
    ) -> Self {
        Self { out, schema, clock, keys, nesting: Nesting::default() }
    }

    #[inline]
    fn key(&mut self, place: usize) {
        if self.nesting.is_in_array() {
            return;
        }
        self.out.extend_from_slice(self.keys.get(place));
    }

    fn open(&mut self, bracket: u8, array: bool) {
        self.out.push(bracket);
        self.nesting.open(array);
    }

    fn close(&mut self, bracket: u8) {
        self.trim_comma();
        self.out.extend_from_slice(&[bracket, b',']);
        self.nesting.close();
    }

    fn trim_comma(&mut self) {
        if self.out.last() == Some(&b',') {
            self.out.pop();
        }
    }
}

impl Visitor for FieldWriter<'_, '_> {
    #[inline]
    fn value(&mut self, place: usize, field: &Field, value: Value<'_>) {
        self.key(place);
        let context = ValueContext { field, map: self.schema.map(field), clock: self.clock };
        write_json_value(self.out, value, context);
        self.out.push(b',');
    }

    fn begin_array(&mut self, place: usize, _: &Field) {
        self.key(place);
        self.open(b'[', true);
    }

    fn end_array(&mut self, _: usize, _: &Field) {
        self.close(b']');
    }

    fn begin_struct(&mut self, place: usize, _: &Field) {
        self.key(place);
        self.open(b'{', false);
    }

    fn end_struct(&mut self, _: usize, _: &Field) {
        self.close(b'}');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Scalar, SchemaSource, Wire};

    #[test]
    fn a_made_name_is_not_that_of_a_sibling() {
        let names = |of: &[&str]| {
            let mut builder = Schema::builder(SchemaSource::USER.into());
            for name in of {
                builder.field(Field::new((*name).to_owned(), Wire::Scalar(Scalar::U8)));
            }
            let schema = builder.build().unwrap();
            unique_names(&schema).into_iter().map(Cow::into_owned).collect::<Vec<_>>()
        };
        assert_eq!(names(&["A", "A", "B", "A", "a"]), ["A", "A#2", "B", "A#3", "a"]);
        assert_eq!(names(&["A", "A", "A#2"]), ["A", "A#3", "A#2"]);
        assert_eq!(names(&["A#3", "A", "A", "A", "A#3"]), ["A#3", "A", "A#2", "A#4", "A#3#2"]);
    }
}
