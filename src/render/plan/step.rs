//! One field of a plan.

use crate::bytes::PointerSize;
use crate::clock::Clock;
use crate::decode::Value;
use crate::render::json::{FieldKeys, MAX_SAFE, write_json_value};
use crate::render::pen::{After, Literal, Pen};
use crate::render::value::ValueContext;
use crate::schema::{DisplayFormat, Field, Schema};

use super::integer::Integer;
use super::op::Op;
use super::shown::Shown;

const COMMA: After = After { text: [b','; 2], len: 1 };
const QUOTE_COMMA: After = After { text: *b"\",", len: 2 };

/// One field outside of structs.
#[derive(Debug)]
pub(super) struct Step {
    /// The key, and for strings the quote after it. Empty for a field that is not shown.
    key: Literal,
    pub(super) op: Op,
    /// Its place in the schema.
    pub(super) place: usize,
    pub(super) is_optional: bool,
    /// It is read and not shown.
    pub(super) is_hidden: bool,
    /// Where its value goes if others refer to it.
    slot: Option<u16>,
}

/// What the text of a value depends on in addition to the field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub(super) schema: &'a Schema,
    pub(super) clock: Option<&'a Clock>,
    pub(super) file: u16,
}

impl Step {
    pub(super) fn new(schema: &Schema, place: usize, field: &Field, keys: &FieldKeys, pointer: PointerSize) -> Self {
        let is_hidden = field.display == DisplayFormat::Hidden;
        let op = if is_hidden { Op::hidden(field, pointer) } else { Op::new(schema, field, pointer) };
        let mut key = if is_hidden { Vec::new() } else { keys.get(place).to_vec() };
        if op.is_string() {
            key.push(b'"');
        }
        Self { key: Literal::new(&key), op, place, is_optional: field.optional, is_hidden, slot: field.slot }
    }

    /// Returns the bytes of its constant text.
    pub(super) fn most(&self) -> usize {
        self.key.len() + self.op.most()
    }

    /// Writes the member at the start of `rest`, and a comma. Returns its bytes in the payload; `None` if it does not
    /// fit, and if it is for the executor.
    #[inline]
    pub(super) fn write(&mut self, pen: &mut Pen, rest: &[u8], slots: &mut [u64], source: Source<'_>) -> Option<usize> {
        let Self { key, op, place, slot, .. } = self;
        let place = *place;
        let member = |pen: &mut Pen, shown: &mut Shown, integer: Integer, number: u64| {
            pen.literal(key);
            let push = |out: &mut Vec<u8>| push_value(out, integer.value(number), place, source);
            shown.write(pen, integer.width, number, source.file, push);
            pen.byte(b',');
        };
        match op {
            Op::Number(integer, shown) => {
                let number = integer.read(rest, *slot, slots)?;
                match shown {
                    Shown::Unsigned if number <= MAX_SAFE => pen.keyed_decimal(key, number, COMMA),
                    Shown::Hex => pen.keyed_hex(key, number, QUOTE_COMMA),
                    _ => member(pen, shown, *integer, number),
                }
                Some(integer.width.bytes())
            }
            Op::Hidden(integer) => {
                integer.read(rest, *slot, slots)?;
                Some(integer.width.bytes())
            }
            Op::Bits(bits, shown) => {
                let number = bits.read(slots)?;
                member(pen, shown, bits.integer, number);
                Some(0)
            }
            Op::Utf16 if !rest.is_empty() => text(pen, key, |pen| pen.json_utf16(rest)),
            Op::Ascii if !rest.is_empty() => text(pen, key, |pen| pen.json_ascii(rest)),
            Op::Guid => {
                let bytes = rest.first_chunk()?;
                text(pen, key, |pen| {
                    pen.guid(bytes);
                    Some(bytes.len())
                })
            }
            Op::Array(elements, integer, shown) => {
                let (count, start) = elements.read(rest, integer.width, slots)?;
                pen.literal(key);
                pen.byte(b'[');
                let mut at = start;
                for _ in 0..count {
                    let number = integer.width.read(rest.get(at..)?)?;
                    if matches!(shown, Shown::Hex) {
                        pen.hex_element(number);
                    } else {
                        shown.write(pen, integer.width, number, source.file, |_| {});
                        pen.byte(b',');
                    }
                    at += integer.width.bytes();
                }
                pen.replace_last(b',', b']');
                pen.byte(b',');
                Some(at)
            }
            Op::Utf16 | Op::Ascii | Op::Other => None,
        }
    }
}

/// Writes a string, if it can be written.
#[inline]
fn text(pen: &mut Pen, key: &Literal, write: impl FnOnce(&mut Pen) -> Option<usize>) -> Option<usize> {
    let place = pen.place();
    pen.literal(key);
    let taken = write(pen);
    if taken.is_none() {
        pen.rewind(place);
    }
    pen.block(b"\",", if taken.is_some() { 2 } else { 0 });
    taken
}

/// Appends the text of a value as the executor's callers do.
fn push_value(out: &mut Vec<u8>, value: Value<'_>, place: usize, source: Source<'_>) {
    let Source { schema, clock, .. } = source;
    if let Some(field) = schema.fields().get(place) {
        write_json_value(out, value, ValueContext { field, map: schema.map(field), clock });
    }
}
