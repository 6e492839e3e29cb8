//! A value on its way from a payload to text.

use etwkit::bytes::Guid;
use etwkit::decode::Value;
use etwkit::format::SystemTime;
use etwkit::schema::{DisplayFormat, Field};

/// A value, without regard to what it will be shown as.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    /// Nothing, which shows as nothing.
    Null,
    /// An integer and its bytes on the wire (8 if it was computed).
    Int(i64, u8),
    /// An unsigned integer and its bytes on the wire.
    Uint(u64, u8),
    Single(f32),
    Double(f64),
    Text(String),
    Guid(Guid),
    /// FILETIME.
    Time(i64),
    Date(SystemTime),
    Bytes(Vec<u8>),
    List(Vec<Self>),
    /// Members of a struct.
    Struct(Vec<(String, Self)>),
}

impl Cell {
    /// Reads a field's value by its presentation.
    pub(crate) fn new(field: &Field, value: Value<'_>) -> Self {
        match (field.display, value) {
            (DisplayFormat::Port, Value::Unsigned(port, 2)) => Self::Uint((port as u16).swap_bytes().into(), 2),
            (DisplayFormat::Ipv4, Value::Unsigned(address, 4)) => {
                let [a, b, c, d] = (address as u32).to_le_bytes();
                Self::Text(format!("{a}.{b}.{c}.{d}"))
            }
            (DisplayFormat::Ipv6, Value::Bytes(bytes)) => match <[u8; 16]>::try_from(bytes) {
                Ok(bytes) => Self::Text(std::net::Ipv6Addr::from(bytes).to_string()),
                Err(_) => Self::Bytes(bytes.to_vec()),
            },
            (DisplayFormat::FileTime, Value::Unsigned(time, 8) | Value::Pointer(time, _)) => {
                Self::Time(time.cast_signed())
            }
            (DisplayFormat::FileTime, Value::Signed(time, 8)) => Self::Time(time),
            (_, value) => Self::plain(value),
        }
    }

    fn plain(value: Value<'_>) -> Self {
        match value {
            Value::Signed(value, size) => Self::Int(value, size),
            Value::Unsigned(value, size) => Self::Uint(value, size),
            Value::Pointer(value, size) => Self::Uint(value, size.bytes() as u8),
            Value::F32(value) => Self::Single(value),
            Value::F64(value) => Self::Double(value),
            Value::Guid(guid) => Self::Guid(guid),
            Value::SystemTime(time) => Self::Date(time),
            Value::Utf16(text) => Self::text(text.to_string()),
            Value::Ansi(text) => Self::text(text.to_string()),
            Value::Utf8(text) => Self::text(String::from_utf8_lossy(text).into_owned()),
            Value::Bytes(bytes) => Self::Bytes(bytes.to_vec()),
            Value::Sid(sid) => sid.map_or(Self::Null, |sid| Self::Text(sid.to_string())),
            _ => Self::Null,
        }
    }

    /// Text up to a NUL: what follows is the rest of a field of fixed size.
    fn text(mut text: String) -> Self {
        text.truncate(text.find('\0').unwrap_or(text.len()));
        Self::Text(text)
    }

    /// A computed number.
    pub(crate) const fn number(value: i64) -> Self {
        Self::Int(value, 8)
    }

    /// Returns its bits, if it is an integer.
    pub(crate) const fn bits(&self) -> Option<u64> {
        match *self {
            Self::Int(value, _) | Self::Time(value) => Some(value.cast_unsigned()),
            Self::Uint(value, _) => Some(value),
            _ => None,
        }
    }
}
