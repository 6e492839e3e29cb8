//! One field of a plan.

use crate::bytes::PointerSize;
use crate::clock::Clock;
use crate::decode::Value;
use crate::render::json::MAX_SAFE;
use crate::render::pen::{Literal, Mark, Pen};
use crate::render::value::ValueContext;
use crate::schema::{DisplayFormat, Field, Schema};

use super::Dialect;
use super::integer::Integer;
use super::op::Op;
use super::shown::{Shown, large, unsigned};

/// One field outside of structs.
#[derive(Debug)]
pub(super) struct Step {
    /// The text before the value, with its quote. Empty for a field that is not shown.
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
    pub(super) fn new<D: Dialect>(
        schema: &Schema,
        place: usize,
        field: &Field,
        keys: &D::Keys,
        pointer: PointerSize,
    ) -> Self {
        let is_hidden = field.display == DisplayFormat::Hidden;
        let op = if is_hidden { Op::hidden(field, pointer) } else { Op::new::<D>(schema, field, pointer) };
        let mut key = Vec::new();
        if !is_hidden {
            D::push_key(&mut key, keys, schema, place);
        }
        if op.has_quotes::<D>() {
            key.extend_from_slice(D::QUOTE.bytes());
        }
        Self { key: Literal::new(&key), op, place, is_optional: field.optional, is_hidden, slot: field.slot }
    }

    /// Writes the field at the start of `rest`, and what is after it. Returns its bytes in the payload; `None` if it does not
    /// fit, and if it is for the executor.
    #[inline]
    pub(super) fn write<D: Dialect>(
        &mut self,
        pen: &mut Pen,
        rest: &[u8],
        slots: &mut [u64],
        source: Source<'_>,
    ) -> Option<usize> {
        let Self { key, op, place, slot, .. } = self;
        match op {
            Op::Decimal(integer) => {
                let number = integer.read(rest, *slot, slots)?;
                decimal::<D>(pen, key, number);
                Some(integer.width.bytes())
            }
            Op::Hex(integer) => {
                let number = integer.read(rest, *slot, slots)?;
                pen.keyed_hex(key, number, D::AFTER.of(D::QUOTES_WORDS));
                Some(integer.width.bytes())
            }
            Op::Number(integer, shown) => {
                let number = integer.read(rest, *slot, slots)?;
                presented::<D>(pen, key, shown, (*integer, number), (*place, source));
                Some(integer.width.bytes())
            }
            Op::Hidden(integer) => {
                integer.read(rest, *slot, slots)?;
                Some(integer.width.bytes())
            }
            Op::Bits(bits, shown) => {
                let number = bits.read(slots)?;
                match shown {
                    Shown::Unsigned => decimal::<D>(pen, key, number),
                    Shown::Hex => pen.keyed_hex(key, number, D::AFTER.of(D::QUOTES_WORDS)),
                    _ => presented::<D>(pen, key, shown, (bits.integer, number), (*place, source)),
                }
                Some(0)
            }
            Op::Utf16 if !rest.is_empty() => text::<D>(pen, key, true, |pen| pen.utf16::<D::Escape>(rest)),
            Op::Ascii if !rest.is_empty() => text::<D>(pen, key, true, |pen| pen.ascii::<D::Escape>(rest)),
            Op::Guid => {
                let bytes = rest.first_chunk()?;
                text::<D>(pen, key, D::QUOTES_WORDS, |pen| {
                    pen.guid(bytes);
                    Some(bytes.len())
                })
            }
            Op::Array(elements, integer, shown) => {
                let (count, start) = elements.read(rest, integer.width, slots)?;
                let elements = rest.get(start..start + count * integer.width.bytes())?;
                pen.literal(key);
                array::<D>(pen, elements, *integer, shown);
                Some(start + elements.len())
            }
            Op::Utf16 | Op::Ascii | Op::Other => None,
        }
    }
}

/// Writes a number in decimal.
#[inline]
fn decimal<D: Dialect>(pen: &mut Pen, key: &Literal, number: u64) {
    if !D::QUOTES_WORDS || number <= MAX_SAFE {
        pen.keyed_decimal(key, number, D::AFTER.plain);
    } else {
        pen.literal(key);
        large::<D>(pen, number);
        D::AFTER.plain.write(pen);
    }
}

/// Writes the elements of an array in brackets.
fn array<D: Dialect>(pen: &mut Pen, elements: &[u8], integer: Integer, shown: &mut Shown) {
    pen.byte(b'[');
    match shown {
        Shown::Hex => {
            let before = if D::QUOTES_WORDS { D::QUOTE } else { Mark::NONE };
            let after = D::BETWEEN.of(D::QUOTES_WORDS);
            integer.width.each(elements, |number| pen.marked_hex(before, number, after));
        }
        Shown::Unsigned => integer.width.each(elements, |number| {
            unsigned::<D>(pen, number);
            D::BETWEEN.plain.write(pen);
        }),
        _ => integer.width.each(elements, |number| {
            shown.write::<D>(pen, integer.width, (number, D::BETWEEN), 0, |_| {});
        }),
    }
    if !elements.is_empty() {
        pen.rewind(pen.place().saturating_sub(1));
    }
    pen.byte(b']');
    D::AFTER.plain.write(pen);
}

/// Writes a number of the field at a place, as it is shown.
#[inline(never)]
fn presented<D: Dialect>(
    pen: &mut Pen,
    key: &Literal,
    shown: &mut Shown,
    (integer, number): (Integer, u64),
    (place, source): (usize, Source<'_>),
) {
    pen.literal(key);
    let push = |out: &mut Vec<u8>| push_value::<D>(out, integer.value(number), place, source);
    shown.write::<D>(pen, integer.width, (number, D::AFTER), source.file, push);
}

/// Writes a text or a word, if it can be written.
#[inline]
fn text<D: Dialect>(
    pen: &mut Pen,
    key: &Literal,
    has_quotes: bool,
    write: impl FnOnce(&mut Pen) -> Option<usize>,
) -> Option<usize> {
    let place = pen.place();
    pen.literal(key);
    let taken = write(pen);
    match taken {
        Some(_) => D::AFTER.of(has_quotes).write(pen),
        None => pen.rewind(place),
    }
    taken
}

/// Appends the text of a value as the executor's callers do.
fn push_value<D: Dialect>(out: &mut Vec<u8>, value: Value<'_>, place: usize, source: Source<'_>) {
    let Source { schema, clock, .. } = source;
    if let Some(field) = schema.fields().get(place) {
        D::push_value(out, value, ValueContext { field, map: schema.map(field), clock });
    }
}
