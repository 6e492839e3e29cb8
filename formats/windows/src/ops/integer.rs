//! Integers that go from the payload into the output.

use std::sync::Arc;

use etwkit::bytes::PointerSize;
use etwkit::render::pen::{GrowingPen, Literal};
use etwkit::schema::Scalar;

use super::Tags;

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

/// The names of some values as they are shown, sorted by value.
pub(crate) type Labels = Arc<[(u64, Literal)]>;

/// How an integer is read, and shown.
#[derive(Clone, Debug)]
pub(super) struct Integer {
    width: Width,
    is_signed: bool,
    form: Form,
    labels: Option<Labels>,
}

/// Bytes of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    One,
    Two,
    Four,
    Eight,
    Pointer,
}

impl Integer {
    /// Returns how a scalar is read and shown; `None` if it is no integer, or takes more than its number.
    pub(super) fn new(scalar: Scalar, forms: Forms, labels: Option<Labels>) -> Option<Self> {
        let (width, form) = match scalar {
            Scalar::U8 => (Width::One, forms.unsigned),
            Scalar::U16 => (Width::Two, forms.unsigned),
            Scalar::U32 => (Width::Four, forms.unsigned),
            Scalar::U64 => (Width::Eight, forms.unsigned),
            Scalar::I8 => (Width::One, forms.signed),
            Scalar::I16 => (Width::Two, forms.signed),
            Scalar::I32 => (Width::Four, forms.signed),
            Scalar::I64 => (Width::Eight, forms.signed),
            Scalar::Pointer => (Width::Pointer, forms.pointer),
            _ => return None,
        };
        let form = match form {
            Form::Other => return None,
            Form::Aligned if width != Width::Four => Form::Decimal,
            form => form,
        };
        let is_signed = matches!(scalar, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64);
        Some(Self { width, is_signed, form, labels })
    }

    /// Returns whether it is shown in digits, whatever its value.
    pub(super) const fn is_number(&self) -> bool {
        self.labels.is_none()
    }

    /// Returns the bytes that it takes.
    #[inline]
    pub(super) const fn bytes(&self, pointer: PointerSize) -> usize {
        match self.width {
            Width::One => 1,
            Width::Two => 2,
            Width::Four => 4,
            Width::Eight => 8,
            Width::Pointer => pointer.bytes(),
        }
    }

    /// Returns the bits of the integer that a payload begins with.
    #[inline]
    pub(super) fn read(&self, payload: &[u8], pointer: PointerSize) -> Option<u64> {
        Some(match (self.width, pointer) {
            (Width::Four, _) | (Width::Pointer, PointerSize::Four) => {
                u32::from_le_bytes(*payload.first_chunk()?).into()
            }
            (Width::Eight, _) | (Width::Pointer, PointerSize::Eight) => u64::from_le_bytes(*payload.first_chunk()?),
            (Width::Two, _) => u16::from_le_bytes(*payload.first_chunk()?).into(),
            (Width::One, _) => (*payload.first()?).into(),
        })
    }

    /// Writes an integer between tags; `false` if it is negative and would have a sign.
    #[inline]
    pub(super) fn write(&self, pen: &mut GrowingPen, bits: u64, tags: &Tags) -> bool {
        if let Some(labels) = &self.labels
            && write_label(pen, labels, bits, tags)
        {
            return true;
        }
        let Tags { open, close, .. } = tags;
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

    #[inline]
    const fn is_negative(&self, bits: u64) -> bool {
        bits >> (8 * self.bytes(PointerSize::Eight) - 1) != 0
    }
}

fn write_label(pen: &mut GrowingPen, labels: &[(u64, Literal)], bits: u64, tags: &Tags) -> bool {
    let found = labels.binary_search_by_key(&bits, |(value, _)| *value);
    let Some((_, label)) = found.ok().and_then(|at| labels.get(at)) else { return false };
    pen.literal(&tags.open);
    pen.literal(label);
    pen.literal(&tags.close);
    true
}

fn write_bool(pen: &mut GrowingPen, is_true: bool, tags: &Tags) {
    pen.literal(&tags.open);
    let (word, len) = if is_true { (b"true ", 4) } else { (b"false", 5) };
    pen.block(word, len);
    pen.literal(&tags.close);
}
