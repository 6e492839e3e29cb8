//! How many elements an array has.

use crate::schema::{Count, Schema};

use super::integer::Width;

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

impl Elements {
    /// `None` for what is no array, and for a count that is not kept.
    pub(super) fn new(schema: &Schema, count: Count) -> Option<Self> {
        Some(match count {
            Count::Fixed(count) => Self::Fixed(count),
            Count::Field(place) => Self::Slot(schema.fields().get(usize::from(place))?.slot?),
            Count::Prefix16 => Self::Prefix,
            Count::Rest => Self::Rest,
            Count::One => return None,
        })
    }

    /// Returns the most elements that there are in the rest of a payload, and the bytes before the first one.
    #[inline]
    pub(super) fn first(self, rest: &[u8], slots: &[u64]) -> Option<(usize, usize)> {
        Some(match self {
            Self::Fixed(count) => (count.into(), 0),
            Self::Slot(slot) => (usize::try_from(*slots.get(usize::from(slot))?).ok()?, 0),
            Self::Prefix => (u16::from_le_bytes(*rest.first_chunk()?).into(), 2),
            Self::Rest => (usize::MAX, 0),
        })
    }

    /// Returns the number of integers in the rest of a payload, and the bytes before them. `None` if they do not fit.
    #[inline]
    pub(super) fn read(self, rest: &[u8], width: Width, slots: &[u64]) -> Option<(usize, usize)> {
        let (count, start) = match self {
            Self::Rest => (rest.len().div_ceil(width.bytes()), 0),
            counted => counted.first(rest, slots)?,
        };
        let end = count.checked_mul(width.bytes())?.checked_add(start)?;
        (end <= rest.len()).then_some((count, start))
    }
}
