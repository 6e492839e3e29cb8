//! How a single value is read and shown.

use crate::bytes::PointerSize;
use crate::schema::{Count, Encoding, Field, Len, Scalar, Wire};

use super::Dialect;
use super::compiler::Compiler;
use super::integer::Integer;
use super::number::Number;
use super::shown::Shown;

/// How a value is read, and shown.
#[derive(Debug)]
pub(super) enum Op {
    /// An integer.
    Number(Number, Shown),
    /// An integer that is not shown.
    Hidden(Number),
    /// A GUID.
    Guid,
    /// Text of UTF-16 that ends with a NUL.
    Utf16,
    /// Text of one byte per character that ends with a NUL. Only ASCII is read here.
    Ascii,
}

impl Op {
    /// Returns how a field is read that is no array and no struct; `None` if not in these ways.
    pub(super) fn new<D: Dialect>(compiler: &mut Compiler<'_, D>, field: &Field) -> Option<Self> {
        if field.count != Count::One {
            return None;
        }
        let number = match field.wire {
            Wire::Scalar(Scalar::Guid) => return Some(Self::Guid),
            Wire::Text { encoding: Encoding::Utf16, len: Len::Nul } => return Some(Self::Utf16),
            Wire::Text { len: Len::Nul, .. } => return Some(Self::Ascii),
            Wire::Scalar(scalar) => Number::of_payload(Integer::new(scalar, compiler.pointer)?, field.slot),
            Wire::Bits { of, first, count } => Number::of_bits(compiler.schema, of, first, count)?,
            _ => return None,
        };
        Some(Self::Number(number, Shown::new(compiler, field, number.integer)))
    }

    /// As [`Op::new`], for a field that is not shown.
    pub(super) fn hidden(field: &Field, pointer: PointerSize) -> Option<Self> {
        let Wire::Scalar(scalar) = field.wire else { return None };
        let integer = Integer::new(scalar, pointer).filter(|_| field.count == Count::One)?;
        Some(Self::Hidden(Number::of_payload(integer, field.slot)))
    }

    /// Returns whether every value has bytes in the payload.
    pub(super) fn has_bytes(&self) -> bool {
        if let Self::Number(number, _) | Self::Hidden(number) = self { number.bytes() > 0 } else { true }
    }

    /// Returns whether every value has quotes.
    pub(super) const fn has_quotes<D: Dialect>(&self) -> bool {
        match self {
            Self::Utf16 | Self::Ascii => true,
            Self::Guid | Self::Number(_, Shown::Hex) => D::QUOTES_WORDS,
            Self::Number(..) | Self::Hidden(_) => false,
        }
    }
}
