//! One field: its layout in the payload, the number of elements, and how they are shown.

use crate::bytes::PointerSize;

/// A field of a payload.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field {
    /// Its name; may be empty, need not be unique.
    pub name: Box<str>,
    /// Another name under which it is found, as other programs call it. A field of that very name comes first.
    pub alias: Option<Box<str>>,
    /// The layout of one element in the payload.
    pub wire: Wire,
    /// How many elements.
    pub count: Count,
    /// How it is displayed.
    pub display: DisplayFormat,
    /// Index of its value map among the schema's maps.
    pub map: Option<u16>,
    /// The field may be absent: a payload that ends right before it is whole.
    pub optional: bool,
    /// The required value: with another value the schema does not apply to the payload, and the field does not fit.
    /// Only applies to fields that are not an array or struct and not inside a struct.
    pub expected: Option<Expected>,
    /// TraceLogging tag or `TRACE_EVENT_INFO` tag, 28 bits.
    pub tag: u32,
    /// Where the executor keeps its value when other fields refer to it. Set by the builder.
    pub slot: Option<u16>,
}

impl Field {
    /// Makes a field of a single scalar, text or whatever `wire` states, shown plainly.
    pub fn new(name: impl Into<Box<str>>, wire: Wire) -> Self {
        Self {
            name: name.into(),
            alias: None,
            wire,
            count: Count::One,
            display: DisplayFormat::Plain,
            map: None,
            optional: false,
            expected: None,
            tag: 0,
            slot: None,
        }
    }

    /// Returns the same field, displayed as `display`.
    #[must_use]
    pub const fn displayed(mut self, display: DisplayFormat) -> Self {
        self.display = display;
        self
    }

    /// Returns the same field as an array.
    #[must_use]
    pub const fn counted(mut self, count: Count) -> Self {
        self.count = count;
        self
    }

    /// Returns the same field, allowed to be absent at the payload's end.
    #[must_use]
    pub const fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    /// Returns the bytes of its names.
    pub(super) fn names_len(&self) -> usize {
        self.name.len() + self.alias.as_ref().map_or(0, |alias| alias.len())
    }

    /// About how many bytes of memory it takes: an allocation is at least two words longer than its text.
    pub(super) fn weight(&self) -> usize {
        size_of::<Self>() + self.names_len() + 2 * size_of::<usize>()
    }

    /// Returns whether this is its other name, without regard to ASCII case.
    pub fn is_alias(&self, name: &str) -> bool {
        self.alias.as_ref().is_some_and(|alias| alias.eq_ignore_ascii_case(name))
    }

    /// Returns whether it is an array of single characters, which is shown and read as one text.
    #[inline]
    pub fn is_characters(&self) -> bool {
        self.display == DisplayFormat::Char
            && self.count != Count::One
            && self.map.is_none()
            && matches!(self.wire, Wire::Scalar(Scalar::U8 | Scalar::I8 | Scalar::U16 | Scalar::I16))
    }

    /// Returns whether it is one integer, so that it can give a length or a count, or be an id.
    pub const fn is_single_integer(&self) -> bool {
        matches!((self.wire, self.count), (Wire::Scalar(scalar), Count::One) if scalar.is_integer())
    }

    /// Returns how many places it takes in [`super::Schema::fields`]: 1, plus those of the members of a struct.
    pub fn span(&self) -> usize {
        match self.wire {
            Wire::Struct { fields } => 1 + usize::from(fields),
            _ => 1,
        }
    }
}

/// The value that a field must have for its schema to apply.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Expected {
    /// This text.
    Text(Box<str>),
    /// A number other than 0.
    NonZero,
}

/// The layout of one element in the payload. Integers are little endian, and fields are not aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Wire {
    /// A number or something else of fixed size.
    Scalar(Scalar),
    /// Text.
    Text {
        /// Its coding.
        encoding: Encoding,
        /// The source of its length. Lengths by constant or field count characters: 2 bytes each in UTF-16.
        len: Len,
    },
    /// Bytes.
    Bytes {
        /// The source of their number.
        len: Len,
    },
    /// A security identifier, which includes its own length.
    Sid {
        /// As in MOF: a lone zero `u32`, or two pointers (a `TOKEN_USER` image) before it.
        wrapped: bool,
    },
    /// Bits of an earlier integer, as an unsigned number. It takes no bytes of the payload.
    Bits {
        /// The place of the integer.
        of: u16,
        /// The lowest bit, from 0.
        first: u8,
        /// How many bits.
        count: u8,
    },
    /// The `fields` next places of the field list (members of members included) are one element.
    Struct {
        /// How many places.
        fields: u16,
    },
}

/// Something of fixed size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scalar {
    /// `i8`.
    I8,
    /// `u8`.
    U8,
    /// `i16`.
    I16,
    /// `u16`.
    U16,
    /// `i32`.
    I32,
    /// `u32`.
    U32,
    /// `i64`.
    I64,
    /// `u64`.
    U64,
    /// IEEE single.
    F32,
    /// IEEE double.
    F64,
    /// 16 bytes, mixed endian.
    Guid,
    /// 4 or 8 bytes, as the event's header states.
    Pointer,
    /// `SYSTEMTIME`, eight `u16`.
    SystemTime,
}

impl Scalar {
    /// Returns how many bytes it takes in a payload with such pointers.
    #[inline]
    pub const fn len(self, pointer: PointerSize) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
            Self::Guid | Self::SystemTime => 16,
            Self::Pointer => pointer.bytes(),
        }
    }
}

/// How text is coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// UTF-16, little endian.
    Utf16,
    /// 8 bit, code page unknown; see [`crate::bytes::AnsiText`].
    Ansi,
    /// UTF-8.
    Utf8,
}

/// The source of a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Len {
    /// A constant.
    Fixed(u16),
    /// The value of an earlier field, by its place.
    Field(u16),
    /// The value of an earlier field, of the room for a constant number, which is what it takes in the payload. A value
    /// that is larger means all of it.
    Within {
        /// The place of the field.
        used: u16,
        /// The constant.
        room: u16,
    },
    /// A NUL ends it; at the payload's end the NUL may be missing. (Not for bytes.)
    Nul,
    /// A `u16` byte count before it.
    Prefix16,
    /// A big-endian `u16` byte count before it.
    Prefix16Swapped,
    /// A `u32` byte count before it.
    Prefix32,
    /// The rest of the payload.
    Rest,
}

/// How many elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Count {
    /// One, and it is not an array.
    One,
    /// An array of constant length.
    Fixed(u16),
    /// The value of an earlier field, by its place.
    Field(u16),
    /// A `u16` count before the elements.
    Prefix16,
    /// As many as fit to the payload's end.
    Rest,
}

/// How a value is displayed (TDH's and TraceLogging's out-types). Presentation only: it never changes what is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum DisplayFormat {
    /// As its type: decimal, text, hexadecimal bytes.
    #[default]
    Plain,
    /// Not meant to be shown; still delivered on request.
    Hidden,
    /// `0x` and hexadecimal digits.
    Hex,
    /// True or false.
    Bool,
    /// One character.
    Char,
    /// A signed number whatever the wire states.
    Signed,
    /// An unsigned number whatever the wire states.
    Unsigned,
    /// Process id.
    Pid,
    /// Thread id.
    Tid,
    /// Port, big endian on the wire.
    Port,
    /// IPv4 address in network order.
    Ipv4,
    /// IPv6 address.
    Ipv6,
    /// `sockaddr` of either family.
    SocketAddress,
    /// MAC address.
    Mac,
    /// FILETIME, or `SYSTEMTIME` in UTC.
    FileTime,
    /// Seconds since 1970, as in PE images.
    UnixTime,
    /// Raw session clock (ETWTIME, `WmiTime`).
    ClockTime,
    /// XML text.
    Xml,
    /// JSON text.
    Json,
    /// Win32 error code.
    Win32Error,
    /// NTSTATUS.
    NtStatus,
    /// HRESULT.
    HResult,
    /// Error code of an unknown kind.
    ErrorCode,
    /// Address of code.
    CodePointer,
    /// PKCS#7 message with type information.
    Pkcs7,
    /// Bytes that are a GUID.
    Guid,
}
