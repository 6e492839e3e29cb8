//! A value of TDH types as a field.

use super::{InType, OutType, display_format::display_format, wire::wire};
use crate::schema::{Count, Field, Len};

/// Returns the field of a value of these types, or of an array of such values; `None` for an in-type that `tdh.h` does
/// not define.
///
/// `length` is the property's own, if it has one: characters of text, bytes of binary. Other in-types do not need it.
///
/// An array of characters ([`InType::UNICODECHAR`], [`InType::ANSICHAR`]) is one text of that many characters: MOF
/// classes declare buffers of text this way, such as `char16 ComputerName[256]`. A single one stays a character.
pub fn field(
    name: impl Into<Box<str>>,
    input: InType,
    output: OutType,
    length: Option<Len>,
    count: Count,
) -> Option<Field> {
    let (input, length, count) = match text_of_characters(input, count) {
        Some((text, characters)) => (text, Some(characters), Count::One),
        None => (input, length, count),
    };
    let wire = wire(input, output, length)?;
    Some(Field::new(name, wire).displayed(display_format(input, output)).counted(count))
}

/// Returns the in-type and the length of the text that an array of characters is.
const fn text_of_characters(input: InType, count: Count) -> Option<(InType, Len)> {
    let text = match input {
        InType::UNICODECHAR => InType::UNICODESTRING,
        InType::ANSICHAR => InType::ANSISTRING,
        _ => return None,
    };
    let length = match count {
        Count::Fixed(count) => Len::Fixed(count),
        Count::Field(place) => Len::Field(place),
        Count::Rest => Len::Rest,
        // TDH has no counts in front of elements.
        Count::One | Count::Prefix16 => return None,
    };
    Some((text, length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{DisplayFormat, Encoding, Scalar, Wire};

    fn made(input: InType, output: OutType, length: Option<Len>, count: Count) -> Option<(Wire, DisplayFormat, Count)> {
        field("x", input, output, length, count).map(|field| (field.wire, field.display, field.count))
    }

    #[test]
    fn one_character_is_a_character_and_an_array_of_them_is_a_text() {
        for (input, scalar, encoding) in
            [(InType::UNICODECHAR, Scalar::U16, Encoding::Utf16), (InType::ANSICHAR, Scalar::U8, Encoding::Ansi)]
        {
            let one = made(input, OutType::NULL, None, Count::One);
            assert_eq!(one, Some((Wire::Scalar(scalar), DisplayFormat::Char, Count::One)));
            for (count, len) in
                [(Count::Fixed(256), Len::Fixed(256)), (Count::Field(3), Len::Field(3)), (Count::Rest, Len::Rest)]
            {
                let array = made(input, OutType::NULL, None, count);
                assert_eq!(array, Some((Wire::Text { encoding, len }, DisplayFormat::Plain, Count::One)));
            }
        }
        // The types that `tdh.h` recommends instead are integers: their arrays stay arrays.
        let array = made(InType::UINT16, OutType::STRING, None, Count::Fixed(4));
        assert_eq!(array, Some((Wire::Scalar(Scalar::U16), DisplayFormat::Char, Count::Fixed(4))));
    }

    #[test]
    fn other_types_keep_length_and_count() {
        let texts = made(InType::UNICODESTRING, OutType::XML, Some(Len::Fixed(8)), Count::Fixed(2));
        let text = Wire::Text { encoding: Encoding::Utf16, len: Len::Fixed(8) };
        assert_eq!(texts, Some((text, DisplayFormat::Xml, Count::Fixed(2))));
        assert_eq!(made(InType(24), OutType::NULL, None, Count::One), None);
    }
}
