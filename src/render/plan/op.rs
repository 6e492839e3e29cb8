//! How the value of a field is read.

use crate::bytes::PointerSize;
use crate::schema::{Count, Encoding, Field, Len, Scalar, Schema, Wire};

use super::Dialect;
use super::integer::{Integer, Width};
use super::shown::Shown;

/// How a field is read, and shown.
#[derive(Debug)]
pub(super) enum Op {
    /// An unsigned integer in decimal.
    Decimal(Integer),
    /// An integer in hexadecimal.
    Hex(Integer),
    /// Another integer.
    Number(Integer, Shown),
    /// An integer that is not shown.
    Hidden(Integer),
    /// Some bits of an earlier integer, which take no bytes themselves.
    Bits(Bits, Shown),
    /// A GUID.
    Guid,
    /// Text of UTF-16 that ends with a NUL.
    Utf16,
    /// Text of one byte per character that ends with a NUL. Only ASCII is read here.
    Ascii,
    /// An array of integers.
    Array(Elements, Integer, Shown),
    /// Anything else, through the executor.
    Other,
}

/// The number of elements of an array.
#[derive(Clone, Copy, Debug)]
pub(super) enum Elements {
    Fixed(u16),
    /// The value of an earlier field.
    Slot(u16),
    /// A `u16` before the elements.
    Prefix,
    /// As many as fit to the payload's end.
    Rest,
}

/// Where bits are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits {
    slot: u16,
    /// The first one; below 64.
    first: u8,
    mask: u64,
    /// The number that they are read as.
    pub(super) integer: Integer,
}

impl Op {
    pub(super) fn new<D: Dialect>(schema: &Schema, field: &Field, pointer: PointerSize) -> Self {
        if field.count != Count::One {
            return Self::array::<D>(schema, field, pointer).unwrap_or(Self::Other);
        }
        let map = schema.map(field);
        match field.wire {
            Wire::Scalar(Scalar::Guid) => Self::Guid,
            Wire::Text { encoding: Encoding::Utf16, len: Len::Nul } => Self::Utf16,
            Wire::Text { len: Len::Nul, .. } => Self::Ascii,
            Wire::Scalar(scalar) => match Integer::new(scalar, pointer) {
                Some(integer) => Self::number(integer, Shown::new::<D>(field.display, map, integer)),
                None => Self::Other,
            },
            Wire::Bits { of, first, count } => match Bits::new(schema, of, first, count) {
                Some(bits) => Self::Bits(bits, Shown::new::<D>(field.display, map, bits.integer)),
                None => Self::Other,
            },
            _ => Self::Other,
        }
    }

    fn number(integer: Integer, shown: Shown) -> Self {
        match shown {
            Shown::Unsigned => Self::Decimal(integer),
            Shown::Hex => Self::Hex(integer),
            other => Self::Number(integer, other),
        }
    }

    fn array<D: Dialect>(schema: &Schema, field: &Field, pointer: PointerSize) -> Option<Self> {
        let Wire::Scalar(scalar) = field.wire else { return None };
        let integer = Integer::new(scalar, pointer).filter(|_| !field.is_characters() && field.slot.is_none())?;
        let elements = match field.count {
            Count::Fixed(count) => Elements::Fixed(count),
            Count::Field(place) => Elements::Slot(schema.fields().get(usize::from(place))?.slot?),
            Count::Prefix16 => Elements::Prefix,
            Count::Rest => Elements::Rest,
            Count::One => return None,
        };
        let shown = Shown::new::<D>(field.display, schema.map(field), integer);
        shown.is_short().then_some(Self::Array(elements, integer, shown))
    }

    /// As [`Op::new`], for a field that is not shown.
    pub(super) fn hidden(field: &Field, pointer: PointerSize) -> Self {
        match field.wire {
            Wire::Scalar(scalar) if field.count == Count::One => match Integer::new(scalar, pointer) {
                Some(integer) => Self::Hidden(integer),
                None => Self::Other,
            },
            _ => Self::Other,
        }
    }

    /// Returns whether every value has quotes.
    pub(super) fn has_quotes<D: Dialect>(&self) -> bool {
        match self {
            Self::Utf16 | Self::Ascii => true,
            Self::Guid | Self::Hex(_) => D::QUOTES_WORDS,
            Self::Bits(_, shown) => D::QUOTES_WORDS && matches!(shown, Shown::Hex),
            Self::Decimal(_) | Self::Number(..) | Self::Hidden(_) | Self::Array(..) | Self::Other => false,
        }
    }
}

impl Elements {
    /// Returns the number of elements in the rest of a payload, and the bytes before them. `None` if they do not fit.
    #[inline]
    pub(super) fn read(self, rest: &[u8], width: Width, slots: &[u64]) -> Option<(usize, usize)> {
        let (count, start) = match self {
            Self::Fixed(count) => (count.into(), 0),
            Self::Slot(slot) => (usize::try_from(*slots.get(usize::from(slot))?).ok()?, 0),
            Self::Prefix => (u16::from_le_bytes(*rest.first_chunk()?).into(), 2),
            Self::Rest => (rest.len().div_ceil(width.bytes()), 0),
        };
        let end = count.checked_mul(width.bytes())?.checked_add(start)?;
        (end <= rest.len()).then_some((count, start))
    }
}

impl Bits {
    /// `None` if the earlier integer is not kept, or if there is no integer of as many bytes as the bits need.
    fn new(schema: &Schema, of: u16, first: u8, count: u8) -> Option<Self> {
        let slot = schema.fields().get(usize::from(of))?.slot?;
        let width = match count.div_ceil(8) {
            1 => Width::One,
            2 => Width::Two,
            4 => Width::Four,
            8 => Width::Eight,
            _ => return None,
        };
        let mask = 1_u64.checked_shl(count.into()).unwrap_or(0).wrapping_sub(1);
        // There are no bits beyond the last one.
        let (first, mask) = if first < 64 { (first, mask) } else { (0, 0) };
        Some(Self { slot, first, mask, integer: Integer::unsigned(width) })
    }

    /// Returns the bits of the integer that was read before.
    #[inline]
    pub(super) fn read(self, slots: &[u64]) -> Option<u64> {
        Some(slots.get(usize::from(self.slot))? >> (self.first % 64) & self.mask)
    }
}
