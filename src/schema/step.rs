//! How fields are found and read, decided once for a schema and a pointer size.

use crate::bytes::PointerSize;

use super::{Count, Encoding, Field, Len, Scalar, Wire};

/// How one field is found and read, by its place in [`Schema::fields`](super::Schema::fields).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) read: Read,
    pub(crate) find: Find,
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
    Text,
    /// Bits of another field.
    Bits,
    /// The executor: an array, a struct or something rare.
    Walk,
}

/// What finds the end of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Find {
    /// It takes this number of bytes, and no other field refers to it.
    Skip(u8),
    /// The NUL of UTF-16 text.
    Nul,
    /// It ends where it begins.
    Nothing,
    /// The executor.
    Walk,
}

impl Step {
    pub(super) fn all(fields: &[Field], pointer: PointerSize) -> Box<[Self]> {
        fields.iter().map(|field| Self::of(field, pointer)).collect()
    }

    fn of(field: &Field, pointer: PointerSize) -> Self {
        if field.count != Count::One {
            return Self { read: Read::Walk, find: Find::Walk };
        }
        match field.wire {
            Wire::Scalar(scalar) => {
                // The executor keeps the values of fields that others refer to.
                let is_kept = field.slot.is_some();
                let find = if is_kept { Find::Walk } else { Find::Skip(scalar.len(pointer) as u8) };
                Self { read: Read::of(scalar, pointer), find }
            }
            Wire::Text { encoding: Encoding::Utf16, len: Len::Nul } => Self { read: Read::Text, find: Find::Nul },
            Wire::Bits { .. } => Self { read: Read::Bits, find: Find::Nothing },
            _ => Self { read: Read::Walk, find: Find::Walk },
        }
    }
}

impl Read {
    const fn of(scalar: Scalar, pointer: PointerSize) -> Self {
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
}
