//! How fields are found and read, decided once for a schema and a pointer size.

use crate::bytes::PointerSize;

use super::{Count, Encoding, Field, Len, Scalar, Wire};

/// All that locating and reading need of a field, by its place in [`Schema::fields`](super::Schema::fields): a
/// [`Field`] is large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) read: Read,
    pub(crate) find: Find,
    pub(crate) presence: Presence,
    /// Places that it takes, see [`Field::span`].
    pub(crate) places: u32,
}

/// Whether a field is one of the top-level fields of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    Always,
    /// The payload may end before it.
    Optional,
    /// It is a member of a struct.
    Never,
}

/// What reads the value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
    Guid,
    Pointer4,
    Pointer8,
    SystemTime,
    /// UTF-16 up to its NUL.
    Utf16,
    /// 8-bit text up to its NUL.
    Ansi,
    /// UTF-8 up to its NUL.
    Utf8,
    /// Some bits of the integer in a slot.
    Bits {
        slot: u16,
        first: u8,
        count: u8,
    },
    /// The executor: an array, a struct or something rare.
    Walk,
}

/// What finds the end of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Find {
    /// It takes this number of bytes, and no other field refers to it.
    Skip(u16),
    /// It is an integer of this number of bytes, whose value is kept in a slot.
    Keep { slot: u16, len: u8 },
    /// The NUL of UTF-16 text.
    Nul,
    /// The NUL of 8-bit text or UTF-8.
    Nul8,
    /// It ends where it begins.
    Nothing,
    /// It has as many elements as the value in a slot states, of this number of bytes each.
    Elements { slot: u16, width: u8 },
    /// The executor.
    Walk,
}

impl Step {
    pub(super) fn all(fields: &[Field], pointer: PointerSize) -> Box<[Self]> {
        let mut end_of_struct = 0;
        let of = |(place, field): (usize, &Field)| {
            let is_member = place < end_of_struct;
            end_of_struct = end_of_struct.max(place + field.span());
            let step = Self::of(field, fields, pointer);
            if is_member { Self { presence: Presence::Never, ..step } } else { step }
        };
        fields.iter().enumerate().map(of).collect()
    }

    fn of(field: &Field, fields: &[Field], pointer: PointerSize) -> Self {
        let (read, find) = match field.count {
            Count::One => (Read::of(field, fields, pointer), Find::of_one(field, pointer)),
            _ => (Read::Walk, Find::of_array(field, fields, pointer)),
        };
        let presence = if field.optional { Presence::Optional } else { Presence::Always };
        Self { read, find, presence, places: field.span() as u32 }
    }
}

impl Read {
    fn of(field: &Field, fields: &[Field], pointer: PointerSize) -> Self {
        match field.wire {
            Wire::Scalar(scalar) => Self::of_scalar(scalar, pointer),
            Wire::Text { encoding: Encoding::Utf16, len: Len::Nul } => Self::Utf16,
            Wire::Text { encoding: Encoding::Ansi, len: Len::Nul } => Self::Ansi,
            Wire::Text { encoding: Encoding::Utf8, len: Len::Nul } => Self::Utf8,
            Wire::Bits { of, first, count } => {
                slot_of(of, fields).map_or(Self::Walk, |slot| Self::Bits { slot, first, count })
            }
            _ => Self::Walk,
        }
    }

    const fn of_scalar(scalar: Scalar, pointer: PointerSize) -> Self {
        match scalar {
            Scalar::I8 => Self::I8,
            Scalar::U8 => Self::U8,
            Scalar::I16 => Self::I16,
            Scalar::U16 => Self::U16,
            Scalar::I32 => Self::I32,
            Scalar::U32 => Self::U32,
            Scalar::I64 => Self::I64,
            Scalar::U64 => Self::U64,
            Scalar::F32 => Self::F32,
            Scalar::F64 => Self::F64,
            Scalar::Guid => Self::Guid,
            Scalar::Pointer if matches!(pointer, PointerSize::Four) => Self::Pointer4,
            Scalar::Pointer => Self::Pointer8,
            Scalar::SystemTime => Self::SystemTime,
        }
    }

    /// Returns the integer at the start of `rest`, a signed one with its sign extended, and the number of its bytes.
    /// `None` for what is not an integer, and if there are fewer bytes.
    #[inline]
    pub(crate) fn integer(self, rest: &[u8]) -> Option<(u64, usize)> {
        Some(match self {
            Self::I8 => (i64::from(i8::from_le_bytes(*rest.first_chunk()?)).cast_unsigned(), 1),
            Self::U8 => (u8::from_le_bytes(*rest.first_chunk()?).into(), 1),
            Self::I16 => (i64::from(i16::from_le_bytes(*rest.first_chunk()?)).cast_unsigned(), 2),
            Self::U16 => (u16::from_le_bytes(*rest.first_chunk()?).into(), 2),
            Self::I32 => (i64::from(i32::from_le_bytes(*rest.first_chunk()?)).cast_unsigned(), 4),
            Self::U32 | Self::Pointer4 => (u32::from_le_bytes(*rest.first_chunk()?).into(), 4),
            Self::I64 | Self::U64 | Self::Pointer8 => (u64::from_le_bytes(*rest.first_chunk()?), 8),
            _ => return None,
        })
    }
}

impl Find {
    fn of_one(field: &Field, pointer: PointerSize) -> Self {
        match field.wire {
            Wire::Scalar(scalar) => match field.slot {
                None => Self::Skip(scalar.len(pointer) as u16),
                Some(slot) if scalar.is_integer() => Self::Keep { slot, len: scalar.len(pointer) as u8 },
                Some(_) => Self::Walk,
            },
            Wire::Text { encoding: Encoding::Utf16, len: Len::Nul } => Self::Nul,
            Wire::Text { len: Len::Nul, .. } => Self::Nul8,
            Wire::Bits { .. } => Self::Nothing,
            _ => Self::Walk,
        }
    }

    fn of_array(field: &Field, fields: &[Field], pointer: PointerSize) -> Self {
        let Wire::Scalar(scalar) = field.wire else { return Self::Walk };
        let width = scalar.len(pointer);
        match field.count {
            Count::Fixed(count) => u16::try_from(width * usize::from(count)).map_or(Self::Walk, Self::Skip),
            Count::Field(place) => {
                slot_of(place, fields).map_or(Self::Walk, |slot| Self::Elements { slot, width: width as u8 })
            }
            _ => Self::Walk,
        }
    }
}

fn slot_of(place: u16, fields: &[Field]) -> Option<u16> {
    fields.get(usize::from(place))?.slot
}
