//! In-types as they lie in a payload.

use etwkit::schema::{Encoding, Len, Scalar, Wire};

use crate::types::{InType, OutType};

/// Bytes after a `u16` byte count: binary fields, and whatever a custom field holds.
pub(crate) const COUNTED_BYTES: Wire = Wire::Bytes { len: Len::Prefix16 };

/// The form of one element; `None` for a number that `TraceLoggingProvider.h` does not define.
pub(crate) fn wire(input: InType, output: OutType) -> Option<Wire> {
    Some(match input {
        // Takes no bytes, and still has a name that says it is there.
        InType::NULL => Wire::Bytes { len: Len::Fixed(0) },
        InType::UTF16 => Wire::Text { encoding: Encoding::Utf16, len: Len::Nul },
        InType::COUNTED_UTF16 => Wire::Text { encoding: Encoding::Utf16, len: Len::Prefix16 },
        InType::ANSI => Wire::Text { encoding: narrow(output), len: Len::Nul },
        InType::COUNTED_ANSI => Wire::Text { encoding: narrow(output), len: Len::Prefix16 },
        InType::BINARY | InType::COUNTED_BINARY => COUNTED_BYTES,
        InType::SID => Wire::Sid { wrapped: false },
        InType::STRUCT => Wire::Struct { fields: 0 },
        _ => Wire::Scalar(scalar(input)?),
    })
}

/// The scalar of an in-type of fixed size.
pub(crate) const fn scalar(input: InType) -> Option<Scalar> {
    Some(match input {
        InType::INT8 => Scalar::I8,
        InType::UINT8 => Scalar::U8,
        InType::INT16 => Scalar::I16,
        InType::UINT16 => Scalar::U16,
        InType::INT32 => Scalar::I32,
        InType::UINT32 | InType::BOOL32 | InType::HEXINT32 => Scalar::U32,
        InType::INT64 => Scalar::I64,
        InType::UINT64 | InType::FILETIME | InType::HEXINT64 => Scalar::U64,
        InType::FLOAT => Scalar::F32,
        InType::DOUBLE => Scalar::F64,
        InType::GUID => Scalar::Guid,
        InType::POINTER => Scalar::Pointer,
        InType::SYSTEMTIME => Scalar::SystemTime,
        _ => return None,
    })
}

/// XML and JSON are UTF-8 like UTF8 itself; other 8-bit text is in the writer's code page.
const fn narrow(output: OutType) -> Encoding {
    match output {
        OutType::UTF8 | OutType::XML | OutType::JSON => Encoding::Utf8,
        _ => Encoding::Ansi,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_types_up_to_25_are_known() {
        for number in 0..=25 {
            assert!(wire(InType(number), OutType(0)).is_some(), "in-type {number}");
        }
        for number in 26..32 {
            assert_eq!(wire(InType(number), OutType(0)), None, "in-type {number}");
        }
    }

    #[test]
    fn narrow_text_is_utf8_where_its_out_type_says_so() {
        for (output, encoding) in [(0, Encoding::Ansi), (2, Encoding::Ansi), (35, Encoding::Utf8), (12, Encoding::Utf8)]
        {
            let len = Len::Prefix16;
            assert_eq!(wire(InType::COUNTED_ANSI, OutType(output)), Some(Wire::Text { encoding, len }));
        }
    }
}
