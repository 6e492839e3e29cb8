//! In-types as stored in a payload (sections 9.1, 9.3).

use super::{InType, OutType};
use crate::schema::{Encoding, Len, Scalar, Wire};

/// Returns the form of one element; `None` for a number that `tdh.h` does not define. `length` is the property's own,
/// if it has one: characters of text, bytes of binary. Scalars do not need it.
pub(super) fn wire(input: InType, output: OutType, length: Option<Len>) -> Option<Wire> {
    let wide = |len| Wire::Text { encoding: Encoding::Utf16, len };
    let narrow = |len| Wire::Text { encoding: narrow(output), len };
    Some(match input {
        InType::NULL => Wire::Bytes { len: Len::Fixed(0) },
        InType::UNICODESTRING => wide(length.unwrap_or(Len::Nul)),
        InType::ANSISTRING => narrow(length.unwrap_or(Len::Nul)),
        InType::BINARY => Wire::Bytes { len: length.unwrap_or(Len::Fixed(default_len(output))) },
        InType::MANIFEST_COUNTEDSTRING | InType::COUNTEDSTRING => wide(Len::Prefix16),
        InType::MANIFEST_COUNTEDANSISTRING | InType::COUNTEDANSISTRING => narrow(Len::Prefix16),
        InType::MANIFEST_COUNTEDBINARY => Wire::Bytes { len: Len::Prefix16 },
        InType::REVERSEDCOUNTEDSTRING => wide(Len::Prefix16Swapped),
        InType::REVERSEDCOUNTEDANSISTRING => narrow(Len::Prefix16Swapped),
        InType::NONNULLTERMINATEDSTRING => wide(Len::Rest),
        InType::NONNULLTERMINATEDANSISTRING => narrow(Len::Rest),
        InType::HEXDUMP => Wire::Bytes { len: Len::Prefix32 },
        InType::SID => Wire::Sid { wrapped: false },
        InType::WBEMSID => Wire::Sid { wrapped: true },
        _ => Wire::Scalar(scalar(input)?),
    })
}

const fn scalar(input: InType) -> Option<Scalar> {
    Some(match input {
        InType::INT8 => Scalar::I8,
        InType::UINT8 | InType::ANSICHAR => Scalar::U8,
        InType::INT16 => Scalar::I16,
        InType::UINT16 | InType::UNICODECHAR => Scalar::U16,
        InType::INT32 => Scalar::I32,
        InType::UINT32 | InType::BOOLEAN | InType::HEXINT32 => Scalar::U32,
        InType::INT64 => Scalar::I64,
        InType::UINT64 | InType::FILETIME | InType::HEXINT64 => Scalar::U64,
        InType::FLOAT => Scalar::F32,
        InType::DOUBLE => Scalar::F64,
        InType::GUID => Scalar::Guid,
        InType::POINTER | InType::SIZET => Scalar::Pointer,
        InType::SYSTEMTIME => Scalar::SystemTime,
        _ => return None,
    })
}

/// Bytes of binary without a length: none, but an IPv6 address is one (section 9.3, rule 4).
const fn default_len(output: OutType) -> u16 {
    if matches!(output, OutType::IPV6) { 16 } else { 0 }
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
    fn every_number_of_the_header_is_known() {
        let known = (0..400).filter(|number| wire(InType(*number), OutType::NULL, None).is_some());
        assert!(known.eq((0..24).chain([25]).chain(300..311)));
    }

    #[test]
    fn a_length_counts_for_text_and_bytes_only() {
        let four = Some(Len::Fixed(4));
        assert_eq!(wire(InType::UINT32, OutType::NULL, four), Some(Wire::Scalar(Scalar::U32)));
        assert_eq!(wire(InType::BINARY, OutType::NULL, four), Some(Wire::Bytes { len: Len::Fixed(4) }));
        assert_eq!(wire(InType::BINARY, OutType::IPV6, None), Some(Wire::Bytes { len: Len::Fixed(16) }));
        let utf8 = Wire::Text { encoding: Encoding::Utf8, len: Len::Nul };
        assert_eq!(wire(InType::ANSISTRING, OutType::JSON, None), Some(utf8));
    }
}
