//! How the value of a field is read, decided once for a layout.

use etwkit::schema::{Count, DisplayFormat, Encoding, Field, Len, Map, MapKind, Scalar, Schema, Wire};

use crate::data_type::DataType;
use crate::integer::Integer;
use crate::struct_list::StructList;

/// How a value is read.
#[derive(Clone, Debug)]
pub(crate) enum Read {
    /// An integer, into a column of integers.
    Integer(Integer),
    Bool(Integer),
    F32,
    F64,
    FileTime,
    /// A time of the session's clock.
    ClockTime,
    /// Some bits of the integer at another place, shifted and masked.
    Bits {
        of: usize,
        integer: Integer,
        first: u8,
        mask: u64,
    },
    /// The name that a map gives an integer, sorted by value.
    Label(Integer, Box<[(u64, Box<str>)]>),
    /// An integer that is shown in another way than as a number.
    Shown(Integer),
    Guid,
    /// Text of UTF-16 that ends with a NUL.
    Utf16,
    /// Text of one byte per character that ends with a NUL, as long as it is ASCII.
    Ascii,
    /// The same, unless the payload ends before it.
    OptionalUtf16,
    /// A security identifier.
    Sid,
    /// A list of structs.
    Structs(StructList),
    /// A list of integers; `true` if a `u16` before them has their number.
    Integers(Integer, bool),
    /// Anything else; `true` for the integer behind a name or a time.
    Located(bool),
}

impl Read {
    /// `None` for what must be located.
    pub(crate) fn new(schema: &Schema, place: usize, is_number: bool, of: &DataType) -> Option<Self> {
        let field = schema.fields().get(place)?;
        if field.optional {
            let is_text = matches!(field.wire, Wire::Text { encoding: Encoding::Utf16, len: Len::Nul });
            return (is_text && field.count == Count::One && !is_number).then_some(Self::OptionalUtf16);
        }
        let map = schema.map(field);
        let scalar = match field.wire {
            Wire::Scalar(scalar) => scalar,
            Wire::Bits { of: place, first, count } => return Self::bits(schema, field, (place, first, count), of),
            Wire::Struct { .. } if !is_number => return StructList::new(schema, place, of).map(Self::Structs),
            _ if is_number || field.count != Count::One => return None,
            Wire::Sid { .. } => return Some(Self::Sid),
            Wire::Text { encoding: Encoding::Utf16, len: Len::Nul } => return Some(Self::Utf16),
            Wire::Text { len: Len::Nul, .. } => return Some(Self::Ascii),
            _ => return None,
        };
        let own = Integer::new(scalar);
        match (of, field.count) {
            // No integer type holds those of all versions.
            (DataType::Text, _) if is_number => None,
            (_, Count::One) if is_number => Some(Self::Integer(own?.shown(field)?)),
            (DataType::Signed(_) | DataType::Unsigned(_), Count::One) => Some(Self::Integer(own?.shown(field)?)),
            (DataType::Bool, Count::One) => own.map(Self::Bool),
            (DataType::F32 | DataType::F64, Count::One) if scalar == Scalar::F32 => Some(Self::F32),
            (DataType::F32 | DataType::F64, Count::One) if scalar == Scalar::F64 => Some(Self::F64),
            (DataType::Time, Count::One) if is_time(scalar, field, DisplayFormat::FileTime) => Some(Self::FileTime),
            (DataType::Time, Count::One) if is_time(scalar, field, DisplayFormat::ClockTime) => Some(Self::ClockTime),
            // Its text depends on the clock.
            (DataType::Text, Count::One) if field.display == DisplayFormat::ClockTime => None,
            (DataType::Text, Count::One) if scalar == Scalar::Guid => Some(Self::Guid),
            (DataType::Text, Count::One) => Self::text(own?.unsigned(), map),
            (DataType::List(of), Count::Fixed(_) | Count::Field(_) | Count::Rest | Count::Prefix16) => {
                let is_integer = matches!(**of, DataType::Signed(_) | DataType::Unsigned(_));
                let integer = own.filter(|_| is_integer && !field.is_characters())?.shown(field)?;
                Some(Self::Integers(integer, field.count == Count::Prefix16))
            }
            _ => None,
        }
    }

    /// Of bits that are shown as a plain number.
    fn bits(schema: &Schema, field: &Field, (place, first, count): (u16, u8, u8), of: &DataType) -> Option<Self> {
        let is_plain = matches!(of, DataType::Signed(_) | DataType::Unsigned(_) | DataType::Bool)
            && field.count == Count::One
            && matches!(
                field.display,
                DisplayFormat::Plain | DisplayFormat::Unsigned | DisplayFormat::Hex | DisplayFormat::Bool
            );
        let whole = schema.fields().get(usize::from(place)).filter(|whole| is_plain && whole.count == Count::One)?;
        let Wire::Scalar(scalar) = whole.wire else { return None };
        let mask = 1_u64.checked_shl(count.into()).unwrap_or(0).wrapping_sub(1);
        let integer = Integer::new(scalar)?.bits().filter(|_| first < 64 && !whole.optional)?;
        Some(Self::Bits { of: place.into(), integer, first, mask })
    }

    /// Of an integer into a column of texts.
    fn text(integer: Integer, map: Option<&Map>) -> Option<Self> {
        match map.filter(|map| map.kind() == MapKind::Values) {
            Some(_) if integer.is_pointer() => None,
            Some(map) => {
                Some(Self::Label(integer, map.entries().map(|(value, name)| (value, Box::from(name))).collect()))
            }
            None => Some(Self::Shown(integer)),
        }
    }
}

/// Returns whether a field is a time of this form, of which the payload has all 64 bits: those of an address may be fewer.
fn is_time(scalar: Scalar, field: &Field, of: DisplayFormat) -> bool {
    field.display == of && matches!(scalar, Scalar::I64 | Scalar::U64)
}
