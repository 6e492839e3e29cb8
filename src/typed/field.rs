//! The types of accessors.

use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};

use crate::bytes::{Guid, Sid};
use crate::decode::Value;
use crate::format::SystemTime;
use crate::schema::Show;

use super::{Event, FieldView};

/// The first readable field that has one of these names.
///
/// The accessors of all views go through here.
#[inline]
pub(super) fn find<'a>(event: &'a Event<'a>, names: &[&str]) -> Option<FieldView<'a>> {
    names.iter().find_map(|name| event.field(name))
}

/// What a field can be read as; `None` where the field holds something else, or a number that does not fit.
pub trait FromField<'a>: Sized {
    /// The value of a field.
    fn from_field(field: FieldView<'a>) -> Option<Self>;
}

/// An array, a struct or anything else, to be visited.
impl<'a> FromField<'a> for FieldView<'a> {
    #[inline]
    fn from_field(field: Self) -> Option<Self> {
        Some(field)
    }
}

macro_rules! integers {
    ($($int:ident)+) => {$(
        /// A number; `None` if it is too large or too small.
        impl<'a> FromField<'a> for $int {
            #[inline]
            fn from_field(field: FieldView<'a>) -> Option<Self> {
                integer(field.value()?, field.field.show)
            }
        }
    )+};
}

integers!(i8 u8 i16 u16 i32 u32 i64 u64);

/// A number, where presentation does not change it: ports are big endian on the wire.
#[inline]
pub(super) fn integer<T: TryFrom<u64> + TryFrom<i64>>(value: Value<'_>, show: Show) -> Option<T> {
    match value {
        Value::Unsigned(port, 2) if show == Show::Port => T::try_from(u64::from((port as u16).swap_bytes())).ok(),
        Value::Unsigned(number, _) | Value::Pointer(number, _) => T::try_from(number).ok(),
        Value::Signed(number, _) => T::try_from(number).ok(),
        _ => None,
    }
}

/// Whether a number is not 0.
impl<'a> FromField<'a> for bool {
    #[inline]
    fn from_field(field: FieldView<'a>) -> Option<Self> {
        field.value()?.as_bool()
    }
}

impl<'a> FromField<'a> for f32 {
    #[inline]
    fn from_field(field: FieldView<'a>) -> Option<Self> {
        if let Value::F32(number) = field.value()? { Some(number) } else { None }
    }
}

/// A single or a double.
impl<'a> FromField<'a> for f64 {
    #[inline]
    fn from_field(field: FieldView<'a>) -> Option<Self> {
        field.value()?.as_f64()
    }
}

/// A GUID, or 16 bytes that are one.
impl<'a> FromField<'a> for Guid {
    #[inline]
    fn from_field(field: FieldView<'a>) -> Option<Self> {
        match field.value()? {
            Value::Guid(guid) => Some(guid),
            Value::Bytes(bytes) if field.field.show == Show::Guid => bytes.try_into().ok().map(Self::from_bytes),
            _ => None,
        }
    }
}

/// A security identifier; `None` also where the event says that there is none.
impl<'a> FromField<'a> for Sid<'a> {
    #[inline]
    fn from_field(field: FieldView<'a>) -> Option<Self> {
        if let Value::Sid(sid) = field.value()? { sid } else { None }
    }
}

/// Text of any encoding; what is invalid in it is U+FFFD.
impl<'a> FromField<'a> for Cow<'a, str> {
    #[inline]
    fn from_field(field: FieldView<'a>) -> Option<Self> {
        field.value()?.text()
    }
}

/// Bytes without the prefix that counts them.
impl<'a> FromField<'a> for &'a [u8] {
    #[inline]
    fn from_field(field: FieldView<'a>) -> Option<Self> {
        if let Value::Bytes(bytes) = field.value()? { Some(bytes) } else { None }
    }
}

/// Date and time of day.
impl<'a> FromField<'a> for SystemTime {
    #[inline]
    fn from_field(field: FieldView<'a>) -> Option<Self> {
        if let Value::SystemTime(time) = field.value()? { Some(time) } else { None }
    }
}

/// Four bytes in network order, as a number or as bytes.
impl<'a> FromField<'a> for Ipv4Addr {
    #[inline]
    fn from_field(field: FieldView<'a>) -> Option<Self> {
        match field.value()? {
            Value::Unsigned(address, 4) => Some((address as u32).to_le_bytes().into()),
            Value::Bytes(bytes) => <[u8; 4]>::try_from(bytes).ok().map(Self::from),
            _ => None,
        }
    }
}

/// Sixteen bytes.
impl<'a> FromField<'a> for Ipv6Addr {
    #[inline]
    fn from_field(field: FieldView<'a>) -> Option<Self> {
        if let Value::Bytes(bytes) = field.value()? { <[u8; 16]>::try_from(bytes).ok().map(Self::from) } else { None }
    }
}
