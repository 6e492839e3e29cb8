//! Numbers that can be read before the layout of a payload is known.

use crate::bytes::PointerSize;
use crate::schema::{Count, Scalar, Schema, Wire};

/// Chosen fields of a schema that are numbers at the same place in every payload, whichever of the schema's
/// alternatives it fits. They are read directly, with the same result as by [`Event::locate`](super::Event::locate).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FixedNumbers {
    four: Box<[FixedNumber]>,
    eight: Box<[FixedNumber]>,
}

/// The place of a little-endian number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FixedNumber {
    start: u32,
    /// 1, 2, 4 or 8 bytes; 0 if the field must be located.
    len: u8,
    is_signed: bool,
}

impl FixedNumbers {
    /// Finds the fields of these names in a schema and its alternatives. A field must be located where it is not an
    /// integer, where its place differs or depends on other fields, and where values decide whether a layout fits.
    pub fn of(schema: &Schema, names: &[&str]) -> Self {
        let of = |pointer| names.iter().map(|name| FixedNumber::of(schema, name, pointer)).collect();
        Self { four: of(PointerSize::Four), eight: of(PointerSize::Eight) }
    }

    /// Returns those of one payload.
    #[inline]
    pub fn of_payload<'a>(&'a self, payload: &'a [u8], pointer: PointerSize) -> FixedValues<'a> {
        let numbers = match pointer {
            PointerSize::Four => &self.four,
            PointerSize::Eight => &self.eight,
        };
        FixedValues { numbers, payload }
    }
}

/// The values of [`FixedNumbers`] in one payload.
#[derive(Clone, Copy, Debug)]
pub struct FixedValues<'a> {
    numbers: &'a [FixedNumber],
    payload: &'a [u8],
}

impl FixedValues<'_> {
    /// Reads the field of the `number`-th name, a signed one as 64 bits; `None` if it must be located, or if the
    /// payload ends before.
    #[inline]
    pub fn get(&self, number: usize) -> Option<u64> {
        let FixedNumber { start, len, is_signed } = *self.numbers.get(number)?;
        let rest = self.payload.get(start as usize..)?;
        let word = match rest.first_chunk() {
            Some(word) if len > 0 => u64::from_le_bytes(*word),
            _ => last_word(rest, len)?,
        };
        let unused = 64 - 8 * u32::from(len);
        let word = word << unused;
        Some(if is_signed { (word.cast_signed() >> unused).cast_unsigned() } else { word >> unused })
    }
}

/// Reads a number at the end of a payload.
#[cold]
fn last_word(rest: &[u8], len: u8) -> Option<u64> {
    let bytes = rest.get(..usize::from(len)).filter(|bytes| !bytes.is_empty())?;
    Some(bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)))
}

impl FixedNumber {
    const NONE: Self = Self { start: 0, len: 0, is_signed: false };

    fn of(schema: &Schema, name: &str, pointer: PointerSize) -> Self {
        let mut all = schema.with_alternatives();
        let first = all.next().map_or(Self::NONE, |schema| Self::of_layout(schema, name, pointer));
        let is_same = all.all(|schema| Self::of_layout(schema, name, pointer) == first);
        if is_same { first } else { Self::NONE }
    }

    /// Returns the place in one layout.
    fn of_layout(schema: &Schema, name: &str, pointer: PointerSize) -> Self {
        let is_plain = schema.converter().is_none() && !schema.is_guarded();
        let place = schema.index_of(name).filter(|_| is_plain);
        let found = place.and_then(|place| schema.fields().get(place).zip(schema.fixed_prefix(pointer).get(place)));
        let Some((field, span)) = found.filter(|(field, _)| field.count == Count::One) else { return Self::NONE };
        let is_signed = match field.wire {
            Wire::Scalar(Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64) => true,
            Wire::Scalar(Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::Pointer) => false,
            _ => return Self::NONE,
        };
        Self { start: span.start, len: (span.end - span.start) as u8, is_signed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Field, SchemaSource};

    fn schema(fields: &[(&str, Scalar)]) -> Schema {
        let mut builder = Schema::builder(SchemaSource::USER.into());
        for (name, scalar) in fields {
            builder.field(Field::new(*name, Wire::Scalar(*scalar)));
        }
        builder.build().unwrap()
    }

    const PAYLOAD: [u8; 14] = [1, 2, 3, 4, 5, 6, 7, 8, 0xFE, 0xFF, 0xFF, 0xFF, 9, 0x80];

    #[test]
    fn a_number_after_pointers_is_where_the_pointer_size_says() {
        let schema = schema(&[("Base", Scalar::Pointer), ("Pid", Scalar::I32), ("Small", Scalar::U8)]);
        let read = |name: &str, pointer| FixedNumbers::of(&schema, &[name]).of_payload(&PAYLOAD, pointer).get(0);
        assert_eq!(read("Base", PointerSize::Four), Some(0x0403_0201));
        assert_eq!(read("Base", PointerSize::Eight), Some(0x0807_0605_0403_0201));
        assert_eq!(read("pid", PointerSize::Four), Some(0x0807_0605));
        assert_eq!(read("Pid", PointerSize::Eight), Some(-2_i64 as u64));
        assert_eq!(read("Small", PointerSize::Eight), Some(9));
        assert_eq!(read("Size", PointerSize::Eight), None);
        assert_eq!(FixedNumbers::of(&schema, &["Pid"]).of_payload(&PAYLOAD[..11], PointerSize::Eight).get(0), None);
    }

    #[test]
    fn a_number_that_moves_is_not_fixed() {
        let next = schema(&[("A", Scalar::U32), ("X", Scalar::U16), ("B", Scalar::U16), ("C", Scalar::I16)]);
        let first = schema(&[("A", Scalar::U32), ("B", Scalar::U32), ("C", Scalar::U16)]).or(next);
        let read = |name: &str| FixedNumbers::of(&first, &[name]).of_payload(&PAYLOAD, PointerSize::Eight).get(0);
        assert_eq!([read("A"), read("B"), read("C")], [Some(0x0403_0201), None, None]);
    }
}
