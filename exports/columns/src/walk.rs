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
    Structs(Elements),
    /// As many scalars.
    Elements(Scalar, Elements),
}

/// How many elements an array has.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Elements {
    Fixed(usize),
    /// As many as the integer at a place states.
    Field(usize),
    /// As a `u16` before them states.
    Prefix,
    /// As fit to the payload's end.
    Rest,
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
        let elements = match field.count {
            Count::One => None,
            Count::Fixed(count) => Some(Elements::Fixed(count.into())),
            Count::Field(place) => Some(Elements::Field(place.into())),
            Count::Prefix16 => Some(Elements::Prefix),
            Count::Rest => Some(Elements::Rest),
            _ => return None,
        };
        Some(match (field.wire, elements) {
            (Wire::Text { encoding: Encoding::Utf16, len: Len::Nul }, None) if field.optional => Self::OptionalUtf16,
            _ if field.optional => return None,
            (Wire::Scalar(scalar), None) => Self::Scalar(scalar),
            (Wire::Scalar(scalar), Some(elements)) => Self::Elements(scalar, elements),
            (Wire::Bits { .. }, None) => Self::Bits,
            (Wire::Text { encoding: Encoding::Utf16, len: Len::Nul }, None) => Self::Utf16,
            (Wire::Text { len: Len::Nul, .. }, None) => Self::Bytes,
            (Wire::Sid { wrapped }, None) => Self::Sid(wrapped),
            (Wire::Struct { .. }, Some(elements)) => Self::Structs(elements),
            _ => return None,
        })
    }
}
