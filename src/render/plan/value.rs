//! The value of one field, with the text around it.

use crate::decode;
use crate::render::pen::{Literal, Pen};
use crate::render::value::ValueContext;

use super::Dialect;
use super::integer::Integer;
use super::number::Number;
use super::op::Op;
use super::shown::{Shown, unsigned};
use super::source::Source;

/// A value, with the text before it.
#[derive(Debug)]
pub(super) struct Value {
    /// The text before it, with its quote. Empty for a field that is not shown.
    pub(super) key: Literal,
    kind: Kind,
    /// Bytes of a number and of the integers after it that are not shown; without meaning for others.
    bytes: usize,
    number: Number,
    /// `None` if it is not a single value, or is read by the executor.
    op: Option<Op>,
    /// The place of the field in the schema.
    place: usize,
}

/// How a value is written: the most frequent ways, and one for all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// An unsigned integer in decimal.
    Decimal,
    /// An integer in hexadecimal.
    Hex,
    /// An integer that is not shown and that others refer to.
    Kept,
    /// Integers that are not shown.
    Skipped,
    /// Text of UTF-16 that ends with a NUL.
    Utf16,
    /// What the operation states.
    Rare,
}

impl Value {
    pub(super) fn new<D: Dialect>(op: Option<Op>, mut key: Vec<u8>, place: usize) -> Self {
        if op.as_ref().is_some_and(Op::has_quotes::<D>) {
            key.extend_from_slice(D::QUOTE.bytes());
        }
        let none = Number::of_payload(Integer::BYTE, None);
        let (kind, number) = match &op {
            Some(Op::Number(number, Shown::Unsigned)) => (Kind::Decimal, *number),
            Some(Op::Number(number, Shown::Hex)) => (Kind::Hex, *number),
            Some(Op::Hidden(number)) if number.is_kept() => (Kind::Kept, *number),
            Some(Op::Hidden(number)) => (Kind::Skipped, *number),
            Some(Op::Number(number, _)) => (Kind::Rare, *number),
            Some(Op::Utf16) => (Kind::Utf16, none),
            Some(Op::Guid | Op::Ascii) | None => (Kind::Rare, none),
        };
        Self { key: Literal::new(&key), kind, bytes: number.bytes(), number, op, place }
    }

    /// Returns whether it is a single value that is read here.
    pub(super) const fn is_single(&self) -> bool {
        self.op.is_some()
    }

    /// Takes in the next value, if it is not shown and nothing refers to it. Returns whether it did.
    pub(super) fn absorb(&mut self, next: &Self) -> bool {
        let has_constant_size = matches!(self.kind, Kind::Decimal | Kind::Hex | Kind::Kept | Kind::Skipped);
        let is_absorbed = has_constant_size && next.kind == Kind::Skipped;
        self.bytes += if is_absorbed { next.bytes } else { 0 };
        is_absorbed
    }

    /// Writes the value at the start of `rest`, and what is after it. Returns its bytes in the payload, which may be more
    /// than there are if it took in others; `None` if it does not fit, and if it is not read here.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "measured: the loop over the fields calls nothing for most of them")]
    pub(super) fn write<D: Dialect>(&mut self, pen: &mut Pen, rest: &[u8], source: &mut Source<'_>) -> Option<usize> {
        let Self { key, bytes, number, .. } = self;
        match self.kind {
            Kind::Decimal => {
                let number = number.read(rest, source.slots)?;
                pen.literal(key);
                unsigned::<D>(pen, number);
                D::AFTER.plain.write(pen);
                Some(*bytes)
            }
            Kind::Hex => {
                pen.keyed_hex(key, number.read(rest, source.slots)?, D::AFTER.of(D::QUOTES_WORDS));
                Some(*bytes)
            }
            Kind::Kept => {
                number.read(rest, source.slots)?;
                Some(*bytes)
            }
            Kind::Skipped => Some(*bytes),
            Kind::Utf16 if rest.is_empty() => None,
            Kind::Utf16 => text::<D>(pen, key, true, |pen| pen.utf16::<D::Escape>(rest)),
            Kind::Rare => self.write_rare::<D>(pen, rest, source),
        }
    }

    #[inline(never)]
    fn write_rare<D: Dialect>(&mut self, pen: &mut Pen, rest: &[u8], source: &mut Source<'_>) -> Option<usize> {
        let Self { key, bytes, op, place, .. } = self;
        match op.as_mut()? {
            Op::Number(number, shown) => {
                let read = number.read(rest, source.slots)?;
                presented::<D>(pen, key, shown, (number.integer, read), (*place, source));
                Some(*bytes)
            }
            Op::Ascii if !rest.is_empty() => text::<D>(pen, key, true, |pen| pen.ascii::<D::Escape>(rest)),
            Op::Guid => {
                let bytes = rest.first_chunk()?;
                text::<D>(pen, key, D::QUOTES_WORDS, |pen| {
                    pen.guid(bytes);
                    Some(bytes.len())
                })
            }
            Op::Hidden(_) | Op::Ascii | Op::Utf16 => None,
        }
    }
}

/// Writes a number of the field at a place, as it is shown.
#[inline(never)]
fn presented<D: Dialect>(
    pen: &mut Pen,
    key: &Literal,
    shown: &mut Shown,
    (integer, number): (Integer, u64),
    (place, source): (usize, &Source<'_>),
) {
    pen.literal(key);
    let push = |out: &mut Vec<u8>| push_value::<D>(out, integer.value(number), place, source);
    shown.write::<D>(pen, integer, (number, D::AFTER), source, push);
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
fn push_value<D: Dialect>(out: &mut Vec<u8>, value: decode::Value<'_>, place: usize, source: &Source<'_>) {
    let Source { schema, clock, .. } = *source;
    if let Some(field) = schema.fields().get(place) {
        D::push_value(out, value, ValueContext { field, map: schema.map(field), clock });
    }
}
