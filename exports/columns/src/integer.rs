//! Integers of a payload.

use etwkit::bytes::PointerSize;
use etwkit::decode::Value;
use etwkit::schema::{Field, IntegerType, Notation, Scalar};

use crate::array::{Array, Values};
use crate::strided::Strided;

/// How an integer is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Integer {
    /// Its type in the payload.
    kind: IntegerType,
    form: Form,
}

/// What its bits are for a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Signed,
    Unsigned,
    /// A port, whose bytes are the other way round.
    Port,
}

impl Form {
    /// As the type has it.
    const fn of(kind: IntegerType) -> Self {
        if matches!(kind, IntegerType::Signed(_)) { Self::Signed } else { Self::Unsigned }
    }
}

impl Integer {
    /// Returns how a scalar is read; `None` if it is not an integer.
    pub(crate) fn new(scalar: Scalar) -> Option<Self> {
        let kind = scalar.integer()?;
        Some(Self { kind, form: Form::of(kind) })
    }

    /// As a field shows it; `None` for an address with a sign, and for a byte that is a port.
    pub(crate) fn shown(self, field: &Field) -> Option<Self> {
        let form = match (field.display.notation(self.kind), self.kind) {
            (Notation::Port, IntegerType::Unsigned(1) | IntegerType::Signed(1))
            | (Notation::Port | Notation::Decimal { is_signed: true }, IntegerType::Pointer) => return None,
            (Notation::Port, _) => Form::Port,
            (Notation::Decimal { is_signed: true } | Notation::Time { is_signed: true }, _) => Form::Signed,
            _ => Form::Unsigned,
        };
        Some(Self { form, ..self })
    }

    /// As its bits.
    pub(crate) const fn unsigned(self) -> Self {
        Self { form: Form::Unsigned, ..self }
    }

    /// Returns whether it is an address.
    pub(crate) const fn is_pointer(self) -> bool {
        matches!(self.kind, IntegerType::Pointer)
    }

    /// Returns the bytes that it takes.
    #[inline]
    pub(crate) const fn bytes(self, pointer: PointerSize) -> usize {
        match self.kind {
            IntegerType::Signed(bytes) | IntegerType::Unsigned(bytes) => bytes as usize,
            IntegerType::Pointer => pointer.bytes(),
        }
    }

    /// Returns whether some bits of it can be taken: those of an address are of no width before the payload comes.
    pub(crate) const fn bits(self) -> Option<Self> {
        if self.is_pointer() { None } else { Some(self.unsigned()) }
    }

    /// Returns the integer that a payload begins with, with its sign in 64 bits.
    #[inline]
    pub(crate) fn read(self, payload: &[u8], pointer: PointerSize) -> Option<u64> {
        let bytes = self.bytes(pointer);
        let unused = (64 - 8 * bytes as u32) % 64;
        let word = match payload.first_chunk() {
            Some(word) => u64::from_le_bytes(*word),
            None => last(payload, bytes)?,
        };
        Some(match self.form {
            Form::Unsigned => word << unused >> unused,
            Form::Signed => ((word << unused).cast_signed() >> unused).cast_unsigned(),
            Form::Port => u64::from((word as u16).swap_bytes()),
        })
    }

    /// Returns the value that a payload begins with.
    pub(crate) fn value(self, payload: &[u8], pointer: PointerSize) -> Option<Value<'static>> {
        let bits = Self { form: Form::of(self.kind), ..self }.read(payload, pointer)?;
        Some(match self.kind {
            IntegerType::Pointer => Value::Pointer(bits, pointer),
            IntegerType::Signed(bytes) => Value::Signed(bits.cast_signed(), bytes),
            IntegerType::Unsigned(bytes) => Value::Unsigned(bits, bytes),
        })
    }
}

impl Integer {
    /// Appends the integers that lie at equal distances to an array, which holds them. The first byte is that of the
    /// first one, and the last one is whole.
    pub(crate) fn push_all(self, run: Strided<'_>, pointer: PointerSize, array: &mut Array) {
        self.push_mapped(run, pointer, array, |bits| bits);
    }

    /// Appends integers of some bytes each that lie one after the other.
    #[inline]
    pub(crate) fn push_list(self, elements: &[u8], width: usize, array: &mut Array) {
        match &mut array.values {
            // Stacks, and offsets.
            Values::U64(all) if width == 8 && self.form == Form::Unsigned => {
                let (elements, _) = elements.as_chunks();
                all.extend(elements.iter().map(|bytes| u64::from_le_bytes(*bytes)));
                array.validity.push_all(true, elements.len());
            }
            Values::U32(all) if width == 4 && self.form == Form::Unsigned => {
                let (elements, _) = elements.as_chunks();
                all.extend(elements.iter().map(|bytes| u32::from_le_bytes(*bytes)));
                array.validity.push_all(true, elements.len());
            }
            _ => {
                let pointer = if width == 4 { PointerSize::Four } else { PointerSize::Eight };
                self.push_all(Strided::new(elements, width), pointer, array);
            }
        }
    }

    /// The same of what `map` makes of their bits.
    #[inline]
    pub(crate) fn push_mapped(
        self,
        run: Strided<'_>,
        pointer: PointerSize,
        array: &mut Array,
        map: impl Fn(u64) -> u64,
    ) {
        let is_signed = self.form == Form::Signed;
        match (self.bytes(pointer), self.form) {
            (_, Form::Port) => {
                array.extend_bits(run.pieces::<2>().map(|bytes| map(u16::from_be_bytes(bytes).into())));
            }
            (1, _) if is_signed => array.extend_bits(run.pieces().map(|bytes| map(signed(i8::from_le_bytes(bytes))))),
            (1, _) => array.extend_bits(run.pieces().map(|bytes| map(u8::from_le_bytes(bytes).into()))),
            (2, _) if is_signed => array.extend_bits(run.pieces().map(|bytes| map(signed(i16::from_le_bytes(bytes))))),
            (2, _) => array.extend_bits(run.pieces().map(|bytes| map(u16::from_le_bytes(bytes).into()))),
            (4, _) if is_signed => match run.dense() {
                Some(all) => array.extend_bits(all.iter().map(|bytes| map(signed(i32::from_le_bytes(*bytes))))),
                None => array.extend_bits(run.pieces().map(|bytes| map(signed(i32::from_le_bytes(bytes))))),
            },
            (4, _) => match run.dense() {
                Some(all) => array.extend_bits(all.iter().map(|bytes| map(u32::from_le_bytes(*bytes).into()))),
                None => array.extend_bits(run.pieces().map(|bytes| map(u32::from_le_bytes(bytes).into()))),
            },
            _ => match run.dense() {
                Some(all) => array.extend_bits(all.iter().map(|bytes| map(u64::from_le_bytes(*bytes)))),
                None => array.extend_bits(run.pieces().map(|bytes| map(u64::from_le_bytes(bytes)))),
            },
        }
    }
}

fn signed(value: impl Into<i64>) -> u64 {
    value.into().cast_unsigned()
}

/// Returns the bits at the end of a payload.
fn last(payload: &[u8], bytes: usize) -> Option<u64> {
    let mut word = [0; 8];
    word.iter_mut().zip(payload.get(..bytes)?).for_each(|(slot, byte)| *slot = *byte);
    Some(u64::from_le_bytes(word))
}

#[cfg(test)]
mod tests {
    use etwkit::schema::{DisplayFormat, Wire};

    use super::*;

    #[test]
    fn integers_are_read_as_they_are_shown() {
        use DisplayFormat as D;
        let read = |scalar, display, bytes: &[u8]| {
            let field = Field::new("x", Wire::Scalar(scalar)).displayed(display);
            Integer::new(scalar)?.shown(&field)?.read(bytes, PointerSize::Four)
        };
        for bytes in [&[0xFE, 0xFF][..], &[0xFE, 0xFF, 1, 2, 3, 4, 5, 6, 7]] {
            assert_eq!(read(Scalar::U8, D::Plain, bytes), Some(0xFE));
            assert_eq!(read(Scalar::I16, D::Plain, bytes), Some(-2_i64 as u64));
            assert_eq!(read(Scalar::I16, D::Hex, bytes), Some(0xFFFE));
            assert_eq!(read(Scalar::U16, D::Signed, bytes), Some(-2_i64 as u64));
            assert_eq!(read(Scalar::U16, D::Port, bytes), Some(0xFEFF));
        }
        assert_eq!(read(Scalar::Pointer, D::Plain, &[1, 0, 0, 0x80]), Some(0x8000_0001));
        assert_eq!(read(Scalar::Pointer, D::Signed, &[1, 0, 0, 0x80]), None);
        assert_eq!(read(Scalar::U32, D::Plain, &[1, 2, 3]), None);
    }
}
