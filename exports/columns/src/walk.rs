//! How the fields of a layout follow one another, if a walk needs to know no more than sizes, counts and NULs.

use etwkit::schema::{Count, Encoding, Field, Len, Scalar, Schema, Wire};

/// A top-level field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WalkStep {
    /// Its place in the schema.
    pub(crate) place: usize,
    pub(crate) form: Form,
}

/// What a field takes of a payload.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    Scalar(Scalar),
    /// Bits of an earlier scalar: nothing.
    Bits,
    /// UTF-16 that ends with a NUL.
    Utf16,
    /// The same, unless the payload ends before it.
    OptionalUtf16,
    /// 8-bit text that ends with a NUL.
    Bytes,
    /// A security identifier; `true` if it is wrapped as in MOF.
    Sid(bool),
    /// As many structs.
    Structs(Count),
    /// As many scalars.
    Elements(Scalar, Count),
}

/// Returns the fields of a schema; `None` if a payload must be located by the engine.
pub(crate) fn walk(schema: &Schema) -> Option<Box<[WalkStep]>> {
    if !schema.is_walkable() {
        return None;
    }
    schema.top_level().map(|(place, field)| Some(WalkStep { place, form: Form::of(field)? })).collect()
}

impl Form {
    fn of(field: &Field) -> Option<Self> {
        Some(match (field.wire, field.count) {
            (Wire::Text { encoding: Encoding::Utf16, len: Len::Nul }, Count::One) if field.optional => {
                Self::OptionalUtf16
            }
            _ if field.optional => return None,
            (Wire::Scalar(scalar), Count::One) => Self::Scalar(scalar),
            (Wire::Scalar(scalar), count) => Self::Elements(scalar, count),
            (Wire::Bits { .. }, Count::One) => Self::Bits,
            (Wire::Text { encoding: Encoding::Utf16, len: Len::Nul }, Count::One) => Self::Utf16,
            (Wire::Text { len: Len::Nul, .. }, Count::One) => Self::Bytes,
            (Wire::Sid { wrapped }, Count::One) => Self::Sid(wrapped),
            (Wire::Struct { .. }, count) if count != Count::One => Self::Structs(count),
            _ => return None,
        })
    }
}
