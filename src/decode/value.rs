//! One value, borrowed from the payload.

use std::borrow::Cow;

use crate::bytes::{AnsiText, Guid, PointerSize, Sid, Utf16Text, utf16_units};
use crate::format::SystemTime;
use crate::schema::{DisplayFormat, Encoding, Expected, IntegerType, Scalar, masked};

/// A value as in the payload, before its field's [`crate::schema::DisplayFormat`] and map are applied.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value<'d> {
    /// A signed integer and its bytes on the wire.
    Signed(i64, u8),
    /// An unsigned integer and its bytes on the wire.
    Unsigned(u64, u8),
    /// IEEE single.
    F32(f32),
    /// IEEE double.
    F64(f64),
    /// GUID.
    Guid(Guid),
    /// An address or a size as wide as the writer's pointers.
    Pointer(u64, PointerSize),
    /// Date and time of day.
    SystemTime(SystemTime),
    /// UTF-16 text without its NUL.
    Utf16(Utf16Text<'d>),
    /// 8-bit text without its NUL.
    Ansi(AnsiText<'d>),
    /// UTF-8 text without its NUL; may be invalid.
    Utf8(&'d [u8]),
    /// Bytes.
    Bytes(&'d [u8]),
    /// Security identifier; `None` if a MOF SID states there is none.
    Sid(Option<Sid<'d>>),
}

impl<'d> Value<'d> {
    /// Reads a scalar at the start of `rest` and returns it with the number of its bytes; `None` if there are fewer.
    #[inline]
    pub(crate) fn read(scalar: Scalar, rest: &'d [u8], pointer: PointerSize) -> Option<(Self, usize)> {
        Some(match scalar {
            Scalar::I8 => (Self::Signed(i8::from_le_bytes(*rest.first_chunk()?).into(), 1), 1),
            Scalar::U8 => (Self::Unsigned(u8::from_le_bytes(*rest.first_chunk()?).into(), 1), 1),
            Scalar::I16 => (Self::Signed(i16::from_le_bytes(*rest.first_chunk()?).into(), 2), 2),
            Scalar::U16 => (Self::Unsigned(u16::from_le_bytes(*rest.first_chunk()?).into(), 2), 2),
            Scalar::I32 => (Self::Signed(i32::from_le_bytes(*rest.first_chunk()?).into(), 4), 4),
            Scalar::U32 => (Self::Unsigned(u32::from_le_bytes(*rest.first_chunk()?).into(), 4), 4),
            Scalar::I64 => (Self::Signed(i64::from_le_bytes(*rest.first_chunk()?), 8), 8),
            Scalar::U64 => (Self::Unsigned(u64::from_le_bytes(*rest.first_chunk()?), 8), 8),
            Scalar::F32 => (Self::F32(f32::from_le_bytes(*rest.first_chunk()?)), 4),
            Scalar::F64 => (Self::F64(f64::from_le_bytes(*rest.first_chunk()?)), 8),
            Scalar::Guid => (Self::Guid(Guid::from_bytes(*rest.first_chunk()?)), 16),
            Scalar::Pointer => {
                let address = match pointer {
                    PointerSize::Four => u32::from_le_bytes(*rest.first_chunk()?).into(),
                    PointerSize::Eight => u64::from_le_bytes(*rest.first_chunk()?),
                };
                (Self::Pointer(address, pointer), pointer.bytes())
            }
            Scalar::SystemTime => (Self::SystemTime(SystemTime::read(rest.get(..16)?)), 16),
        })
    }

    /// Hands over the scalars that `elements` consists of.
    #[inline]
    pub(crate) fn read_all(scalar: Scalar, elements: &'d [u8], pointer: PointerSize, mut take: impl FnMut(Self)) {
        match scalar {
            Scalar::I8 => each(elements, |bytes| take(Self::Signed(i8::from_le_bytes(bytes).into(), 1))),
            Scalar::U8 => each(elements, |bytes| take(Self::Unsigned(u8::from_le_bytes(bytes).into(), 1))),
            Scalar::I16 => each(elements, |bytes| take(Self::Signed(i16::from_le_bytes(bytes).into(), 2))),
            Scalar::U16 => each(elements, |bytes| take(Self::Unsigned(u16::from_le_bytes(bytes).into(), 2))),
            Scalar::I32 => each(elements, |bytes| take(Self::Signed(i32::from_le_bytes(bytes).into(), 4))),
            Scalar::U32 => each(elements, |bytes| take(Self::Unsigned(u32::from_le_bytes(bytes).into(), 4))),
            Scalar::I64 => each(elements, |bytes| take(Self::Signed(i64::from_le_bytes(bytes), 8))),
            Scalar::U64 => each(elements, |bytes| take(Self::Unsigned(u64::from_le_bytes(bytes), 8))),
            Scalar::F32 => each(elements, |bytes| take(Self::F32(f32::from_le_bytes(bytes)))),
            Scalar::F64 => each(elements, |bytes| take(Self::F64(f64::from_le_bytes(bytes)))),
            Scalar::Guid => each(elements, |bytes| take(Self::Guid(Guid::from_bytes(bytes)))),
            Scalar::Pointer => match pointer {
                PointerSize::Four => {
                    each(elements, |bytes| take(Self::Pointer(u32::from_le_bytes(bytes).into(), pointer)));
                }
                PointerSize::Eight => each(elements, |bytes| take(Self::Pointer(u64::from_le_bytes(bytes), pointer))),
            },
            Scalar::SystemTime => each(elements, |bytes: [u8; 16]| take(Self::SystemTime(SystemTime::read(&bytes)))),
        }
    }

    /// Text of an encoding.
    #[inline]
    pub(super) const fn of_text(encoding: Encoding, bytes: &'d [u8]) -> Self {
        match encoding {
            Encoding::Utf16 => Self::Utf16(Utf16Text(bytes)),
            Encoding::Ansi => Self::Ansi(AnsiText(bytes)),
            Encoding::Utf8 => Self::Utf8(bytes),
        }
    }

    /// Text of characters of one or two bytes each.
    pub(super) const fn of_characters(bytes: &'d [u8], unit: usize) -> Self {
        Self::of_text(if unit == 2 { Encoding::Utf16 } else { Encoding::Ansi }, bytes)
    }

    /// Returns whether the value is what a field's must be.
    pub(super) fn is(&self, expected: &Expected) -> bool {
        match (expected, self) {
            (Expected::Text(text), Self::Utf16(own)) => utf16_units(own.0).eq(text.encode_utf16()),
            (Expected::Text(text), Self::Ansi(AnsiText(own)) | Self::Utf8(own)) => *own == text.as_bytes(),
            (Expected::Text(_), _) => false,
            (Expected::NonZero, _) => self.as_u64() != Some(0),
        }
    }

    /// Returns the bits of an integer, as many as its type has, by which maps name it; `None` if it is not an integer.
    pub const fn bits(&self) -> Option<u64> {
        match *self {
            Self::Signed(v, width) => Some(masked(v.cast_unsigned(), width)),
            _ => self.as_u64(),
        }
    }

    /// Returns the type of an integer, and its bytes; `None` if it is not an integer.
    pub const fn integer(&self) -> Option<(IntegerType, u8)> {
        Some(match *self {
            Self::Signed(_, bytes) => (IntegerType::Signed(bytes), bytes),
            Self::Unsigned(_, bytes) => (IntegerType::Unsigned(bytes), bytes),
            Self::Pointer(_, size) => (IntegerType::Pointer, size.bytes() as u8),
            _ => return None,
        })
    }

    /// Returns the number that a field with this presentation and without a map shows, or that is behind what it shows: a
    /// port in host order, signs as the presentation has them. `None` if it is not an integer.
    pub const fn number(&self, display: DisplayFormat) -> Option<i128> {
        match (self.integer(), self.bits()) {
            (Some((integer, bytes)), Some(bits)) => Some(display.notation(integer).number(bits, bytes)),
            _ => None,
        }
    }

    /// Returns the value as an unsigned number, signed ones by their bits; `None` if it is not an integer.
    pub const fn as_u64(&self) -> Option<u64> {
        match *self {
            Self::Signed(v, _) => Some(v.cast_unsigned()),
            Self::Unsigned(v, _) | Self::Pointer(v, _) => Some(v),
            _ => None,
        }
    }

    /// Returns the value as a signed number; `None` if it is not an integer or too large.
    pub fn as_i64(&self) -> Option<i64> {
        match *self {
            Self::Signed(v, _) => Some(v),
            Self::Unsigned(v, _) | Self::Pointer(v, _) => i64::try_from(v).ok(),
            _ => None,
        }
    }

    /// Returns the value of an `F32` or `F64`.
    pub const fn as_f64(&self) -> Option<f64> {
        match *self {
            Self::F32(v) => Some(v as f64),
            Self::F64(v) => Some(v),
            _ => None,
        }
    }

    /// Returns whether an integer is not 0, as booleans of any width are read.
    pub fn as_bool(&self) -> Option<bool> {
        self.as_u64().map(|v| v != 0)
    }

    /// Returns the value of a `Guid`.
    pub const fn as_guid(&self) -> Option<Guid> {
        if let Self::Guid(guid) = *self { Some(guid) } else { None }
    }

    /// Returns text of any encoding; what is invalid in it is U+FFFD. `None` if it is not text.
    pub fn text(&self) -> Option<Cow<'d, str>> {
        match *self {
            Self::Utf16(text) => Some(String::from(text).into()),
            Self::Ansi(AnsiText(bytes)) => {
                Some(std::str::from_utf8(bytes).map_or_else(|_| AnsiText(bytes).to_string().into(), Cow::from))
            }
            Self::Utf8(bytes) => Some(String::from_utf8_lossy(bytes)),
            _ => None,
        }
    }
}

/// Hands over the elements of an array whose bytes are a whole number of them.
#[inline]
fn each<const N: usize>(elements: &[u8], take: impl FnMut([u8; N])) {
    elements.as_chunks().0.iter().copied().for_each(take);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_taken_as_what_they_are() {
        assert_eq!(Value::Signed(-1, 4).as_i64(), Some(-1));
        assert_eq!((Value::Unsigned(u64::MAX, 8).as_i64(), Value::Unsigned(7, 1).as_i64()), (None, Some(7)));
        assert_eq!((Value::F32(0.5).as_f64(), Value::Unsigned(1, 4).as_f64()), (Some(0.5), None));
        assert_eq!((Value::Unsigned(2, 4).as_bool(), Value::Signed(0, 1).as_bool()), (Some(true), Some(false)));
        assert_eq!((Value::Guid(Guid::NULL).as_guid(), Value::Bytes(&[]).as_guid()), (Some(Guid::NULL), None));
        let texts = [Value::Utf16(Utf16Text(b"a\0")), Value::Ansi(AnsiText(b"\xFC")), Value::Utf8(b"b\xFF")];
        assert_eq!(texts.map(|text| text.text().unwrap()), ["a", "ü", "b\u{FFFD}"]);
        assert_eq!(Value::Bytes(b"a").text(), None);
    }
}
