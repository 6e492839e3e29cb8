//! Integers that go from the payload into the output.

use etwkit::bytes::PointerSize;
use etwkit::render::pen::{Memory, Pen};
use etwkit::schema::Scalar;

use super::{Labels, Tags};

/// The text of an integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Form {
    /// It takes more than the number.
    #[default]
    Other,
    Decimal,
    /// Decimal, and aligned to the right in eight columns if it has 32 bits.
    Aligned,
    /// `0x` and upper-case digits.
    Hex,
    /// `0x` and lower-case digits.
    LowerHex,
    /// `true` or `false`.
    Bool,
}

/// The forms of a field's integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Forms {
    pub(crate) unsigned: Form,
    /// Of numbers that are not negative.
    pub(crate) signed: Form,
    pub(crate) pointer: Form,
}

impl Forms {
    /// Without blanks before numbers.
    pub(crate) fn unaligned(self) -> Self {
        let form = |form| if form == Form::Aligned { Form::Decimal } else { form };
        Self { unsigned: form(self.unsigned), signed: form(self.signed), pointer: form(self.pointer) }
    }
}

/// How an integer is read, and shown.
#[derive(Clone, Debug)]
pub(super) struct Integer {
    /// Bytes that it takes; those of an address depend on the payload.
    bytes: u8,
    is_pointer: bool,
    is_signed: bool,
    form: Form,
    labels: Option<Labels>,
}

impl Integer {
    /// Returns how a scalar is read and shown; `None` if it is not an integer, or takes more than its number.
    pub(super) fn new(scalar: Scalar, forms: Forms, labels: Option<Labels>) -> Option<Self> {
        let (bytes, form) = match scalar {
            Scalar::U8 => (1, forms.unsigned),
            Scalar::U16 => (2, forms.unsigned),
            Scalar::U32 => (4, forms.unsigned),
            Scalar::U64 => (8, forms.unsigned),
            Scalar::I8 => (1, forms.signed),
            Scalar::I16 => (2, forms.signed),
            Scalar::I32 => (4, forms.signed),
            Scalar::I64 => (8, forms.signed),
            Scalar::Pointer => (0, forms.pointer),
            _ => return None,
        };
        let form = match form {
            Form::Other => return None,
            Form::Aligned if bytes != 4 => Form::Decimal,
            form => form,
        };
        let is_signed = matches!(scalar, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64);
        Some(Self { bytes, is_pointer: scalar == Scalar::Pointer, is_signed, form, labels })
    }

    /// Returns whether it is shown in digits, whatever its value.
    pub(super) const fn is_number(&self) -> bool {
        self.labels.is_none()
    }

    /// Returns the bytes that it takes.
    #[inline]
    pub(super) const fn bytes(&self, pointer: PointerSize) -> usize {
        if self.is_pointer { pointer.bytes() } else { self.bytes as usize }
    }

    /// Returns the bits of the integer that a payload begins with.
    #[inline]
    pub(super) fn read(&self, payload: &[u8], pointer: PointerSize) -> Option<u64> {
        let bytes = self.bytes(pointer);
        let Some(word) = payload.first_chunk() else { return read_last(payload, bytes) };
        let unused = (64 - 8 * bytes as u32) % 64;
        Some(u64::from_le_bytes(*word) << unused >> unused)
    }

    /// Writes an integer between tags; `false` if it is negative and would have a sign.
    #[expect(clippy::inline_always, reason = "measured: stage `xml` of `cargo xtask bench`")]
    #[inline(always)]
    pub(super) fn write<M: Memory>(&self, pen: &mut Pen<M>, bits: u64, tags: &Tags) -> bool {
        let Tags { open, close, .. } = tags;
        if let Some(labels) = &self.labels
            && labels.write(pen, bits, open)
        {
            pen.literal(close);
            return true;
        }
        match self.form {
            Form::Hex => pen.tagged_upper_hex(open, bits, close),
            Form::LowerHex => pen.tagged_lower_hex(open, bits, close),
            Form::Bool => write_bool(pen, bits != 0, tags),
            _ if self.is_signed && self.is_negative(bits) => return false,
            Form::Aligned => pen.tagged_columns(open, bits, close),
            Form::Decimal | Form::Other => pen.tagged_decimal(open, bits, close),
        }
        true
    }

    /// Writes the elements of an array between tags, those after the first one between the second tags; `false` if one
    /// is negative and would have a sign.
    pub(super) fn write_all<M: Memory>(
        &self,
        pen: &mut Pen<M>,
        elements: &[u8],
        pointer: PointerSize,
        (mut tags, others): (&Tags, &Tags),
    ) -> bool {
        let mut next = || {
            let Tags { open, close, .. } = std::mem::replace(&mut tags, others);
            (open, close)
        };
        let bytes = self.bytes(pointer);
        let is_plain = self.labels.is_none() && !self.is_signed;
        match self.form {
            Form::Hex if self.labels.is_none() => each(elements, bytes, |bits| {
                let (open, close) = next();
                pen.tagged_upper_hex(open, bits, close);
            }),
            Form::Aligned if is_plain => each(elements, bytes, |bits| {
                let (open, close) = next();
                pen.tagged_columns(open, bits, close);
            }),
            Form::Decimal if is_plain => each(elements, bytes, |bits| {
                let (open, close) = next();
                pen.tagged_decimal(open, bits, close);
            }),
            _ => {
                return elements.chunks_exact(bytes).all(|element| {
                    let tags = std::mem::replace(&mut tags, others);
                    read_last(element, bytes).is_some_and(|bits| self.write(pen, bits, tags))
                });
            }
        }
        true
    }

    #[inline]
    const fn is_negative(&self, bits: u64) -> bool {
        bits >> (8 * self.bytes - 1) != 0
    }
}

/// Calls a function with each integer of an array.
#[inline]
fn each(elements: &[u8], bytes: usize, mut take: impl FnMut(u64)) {
    match bytes {
        8 => elements.as_chunks().0.iter().for_each(|word| take(u64::from_le_bytes(*word))),
        4 => elements.as_chunks().0.iter().for_each(|word| take(u32::from_le_bytes(*word).into())),
        _ => elements.chunks_exact(bytes).filter_map(|word| read_last(word, bytes)).for_each(take),
    }
}

/// Returns the bits of an integer of so many bytes that a payload begins with.
#[inline]
fn read_last(payload: &[u8], bytes: usize) -> Option<u64> {
    Some(match bytes {
        8 => u64::from_le_bytes(*payload.first_chunk()?),
        4 => u32::from_le_bytes(*payload.first_chunk()?).into(),
        2 => u16::from_le_bytes(*payload.first_chunk()?).into(),
        _ => (*payload.first()?).into(),
    })
}

fn write_bool<M: Memory>(pen: &mut Pen<M>, is_true: bool, tags: &Tags) {
    pen.literal(&tags.open);
    let (word, len) = if is_true { (b"true ", 4) } else { (b"false", 5) };
    pen.block(word, len);
    pen.literal(&tags.close);
}
