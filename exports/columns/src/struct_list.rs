//! Lists of structs of simple members, read from payloads into columns.

use etwkit::bytes::{PointerSize, push_utf16_nul, utf16_nul};
use etwkit::schema::{Count, Encoding, Field, Len, Schema, Wire};

use crate::array::{Array, Values};
use crate::data_type::DataType;
use crate::integer::Integer;
use crate::strided::Strided;

/// How the elements of a list are read, by their members.
#[derive(Clone, Debug)]
pub(crate) struct StructList(Box<[Member]>);

/// How a member is read.
#[derive(Clone, Copy, Debug)]
enum Member {
    Integer(Integer),
    /// Text of UTF-16 that ends with a NUL.
    Utf16,
}

impl StructList {
    /// Of the field at a place of a schema, into a column of a type; `None` if the engine must read it.
    pub(crate) fn new(schema: &Schema, place: usize, of: &DataType) -> Option<Self> {
        let DataType::List(one) = of else { return None };
        let DataType::Struct(types) = &**one else { return None };
        let fields: Vec<&Field> = schema.members(place).map(|(_, field)| field).collect();
        if fields.len() != types.len() || fields.is_empty() {
            return None;
        }
        let member = |(field, of): (&&Field, &crate::data_type::Member)| Member::new(schema, field, &of.data_type);
        fields.iter().zip(types).map(member).collect::<Option<_>>().map(Self)
    }

    /// Returns the bytes of so many elements at the start of `rest`; `None` if they are not there.
    pub(crate) fn len(&self, rest: &[u8], count: usize, pointer: PointerSize) -> Option<usize> {
        if let Some(stride) = self.stride(pointer) {
            return count.checked_mul(stride).filter(|len| *len <= rest.len());
        }
        let mut at = 0;
        for _ in 0..count {
            for member in &self.0 {
                at += member.len(rest.get(at..)?, pointer)?;
            }
        }
        Some(at)
    }

    /// Appends elements to an array of structs, given exactly their bytes.
    pub(crate) fn push(&self, elements: &[u8], count: usize, pointer: PointerSize, items: &mut Array) {
        let Values::Struct(arrays) = &mut items.values else { return };
        if let Some(stride) = self.stride(pointer) {
            let mut at = 0;
            for (member, array) in self.0.iter().zip(arrays) {
                let Member::Integer(integer) = member else { continue };
                integer.push_all(Strided::at(elements, at, stride), pointer, array);
                at += integer.bytes(pointer);
            }
        } else {
            let mut rest = elements;
            for _ in 0..count {
                for (member, array) in self.0.iter().zip(&mut *arrays) {
                    let taken = member.push(rest, pointer, array);
                    rest = rest.get(taken..).unwrap_or_default();
                }
            }
        }
        items.validity.push_all(true, count);
    }

    /// Returns the bytes of an element, if all have as many.
    pub(crate) fn stride(&self, pointer: PointerSize) -> Option<usize> {
        self.0.iter().map(|member| member.width(pointer)).sum()
    }
}

impl Member {
    fn new(schema: &Schema, field: &Field, of: &DataType) -> Option<Self> {
        if field.count != Count::One || field.optional || field.expected.is_some() || schema.map(field).is_some() {
            return None;
        }
        match (field.wire, of) {
            (Wire::Scalar(scalar), DataType::Signed(_) | DataType::Unsigned(_)) => {
                Some(Self::Integer(Integer::new(scalar)?.shown(field)?))
            }
            (Wire::Scalar(scalar), DataType::Bool) => Some(Self::Integer(Integer::new(scalar)?)),
            (Wire::Text { encoding: Encoding::Utf16, len: Len::Nul }, DataType::Text) => Some(Self::Utf16),
            _ => None,
        }
    }

    fn width(self, pointer: PointerSize) -> Option<usize> {
        match self {
            Self::Integer(integer) => Some(integer.bytes(pointer)),
            Self::Utf16 => None,
        }
    }

    fn len(self, rest: &[u8], pointer: PointerSize) -> Option<usize> {
        match self {
            Self::Integer(integer) => Some(integer.bytes(pointer)).filter(|len| *len <= rest.len()),
            Self::Utf16 => {
                let (text, taken) = utf16_nul(rest);
                (taken > text.len()).then_some(taken)
            }
        }
    }

    /// Appends the value that `rest` begins with, and returns its bytes there.
    fn push(self, rest: &[u8], pointer: PointerSize, array: &mut Array) -> usize {
        match self {
            Self::Integer(integer) => {
                array.push_bits(integer.read(rest, pointer).unwrap_or(0));
                integer.bytes(pointer)
            }
            Self::Utf16 => {
                let mut taken = None;
                array.push_text(|out| taken = push_utf16_nul(rest, out));
                taken.unwrap_or(0)
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]
mod tests {
    use etwkit::schema::{Scalar, SchemaBuilder, SchemaSource};

    use super::*;
    use crate::data_type::Member as Named;

    /// A list of structs of an address, a number, and a text if wanted.
    fn list(has_text: bool) -> (StructList, DataType) {
        let mut builder: SchemaBuilder = Schema::builder(SchemaSource::USER.into());
        let mut types =
            vec![Named::new("a".to_owned(), DataType::Unsigned(64)), Named::new("b".to_owned(), DataType::Signed(16))];
        builder.begin_struct(Field::new("s", Wire::Struct { fields: 0 }).counted(Count::Rest));
        builder.field(Field::new("a", Wire::Scalar(Scalar::Pointer)));
        builder.field(Field::new("b", Wire::Scalar(Scalar::I16)));
        if has_text {
            builder.field(Field::new("c", Wire::Text { encoding: Encoding::Utf16, len: Len::Nul }));
            types.push(Named::new("c".to_owned(), DataType::Text));
        }
        builder.end_struct();
        let of = DataType::List(Box::new(DataType::Struct(types)));
        (StructList::new(&builder.build().unwrap(), 0, &of).unwrap(), of)
    }

    #[test]
    fn members_go_to_their_columns() {
        let element = |text: &[u8]| [&[1, 0, 0, 0x80, 0xFE, 0xFF][..], text].concat();
        for (has_text, text) in [(false, &b""[..]), (true, b"x\0y\0\0\0")] {
            let (list, of) = list(has_text);
            let DataType::List(one) = of else { return };
            let (mut items, bytes) = (Array::new(&one), [element(text), element(text)].concat());
            assert_eq!(list.len(&bytes, 2, PointerSize::Four), Some(bytes.len()));
            list.push(&bytes, 2, PointerSize::Four, &mut items);
            let Values::Struct(members) = items.values() else { return };
            assert_eq!(items.len(), 2);
            assert_eq!(members[0].values(), &Values::U64(vec![0x8000_0001; 2]));
            assert_eq!(members[1].values(), &Values::I16(vec![-2; 2]));
            assert!(members.iter().all(|member| member.len() == 2));
        }
    }

    #[test]
    fn elements_that_are_not_there_do_not_fit() {
        let (fixed, _) = list(false);
        assert_eq!(fixed.len(&[0; 11], 2, PointerSize::Four), None);
        assert_eq!(fixed.len(&[], usize::MAX, PointerSize::Four), None);
        let (longer, _) = list(true);
        // A text without its NUL.
        assert_eq!(longer.len(&[1, 0, 0, 0, 2, 0, b'x', 0], 1, PointerSize::Four), None);
        assert_eq!(longer.len(&[0; 1000], usize::MAX, PointerSize::Four), None);
    }
}
