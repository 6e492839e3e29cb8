//! Integers of a payload.

use crate::bytes::PointerSize;
use crate::decode::Value;
use crate::schema::Scalar;

/// The layout of an integer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Integer {
    pub(super) width: Width,
    pub(super) is_signed: bool,
    pub(super) is_pointer: bool,
}

/// Bytes of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    One,
    Two,
    Four,
    Eight,
}

impl Integer {
    pub(super) const fn unsigned(width: Width) -> Self {
        Self { width, is_signed: false, is_pointer: false }
    }

    const fn signed(width: Width) -> Self {
        Self { width, is_signed: true, is_pointer: false }
    }

    /// Returns the layout of a scalar; `None` if it is no integer.
    pub(super) const fn new(scalar: Scalar, pointer: PointerSize) -> Option<Self> {
        Some(match scalar {
            Scalar::U8 => Self::unsigned(Width::One),
            Scalar::U16 => Self::unsigned(Width::Two),
            Scalar::U32 => Self::unsigned(Width::Four),
            Scalar::U64 => Self::unsigned(Width::Eight),
            Scalar::I8 => Self::signed(Width::One),
            Scalar::I16 => Self::signed(Width::Two),
            Scalar::I32 => Self::signed(Width::Four),
            Scalar::I64 => Self::signed(Width::Eight),
            Scalar::Pointer => {
                let width = if matches!(pointer, PointerSize::Four) { Width::Four } else { Width::Eight };
                Self { width, is_signed: false, is_pointer: true }
            }
            _ => return None,
        })
    }

    /// Returns a number as a value.
    pub(super) const fn value(self, number: u64) -> Value<'static> {
        match self {
            Self { is_pointer: true, width: Width::Four, .. } => Value::Pointer(number, PointerSize::Four),
            Self { is_pointer: true, .. } => Value::Pointer(number, PointerSize::Eight),
            Self { is_signed: true, width, .. } => Value::Signed(width.extend(number), width.bytes() as u8),
            Self { width, .. } => Value::Unsigned(number, width.bytes() as u8),
        }
    }

    /// Reads its bits at the start of `rest`, and keeps its value, with its sign, if others refer to it.
    #[inline]
    pub(super) fn read(self, rest: &[u8], slot: Option<u16>, slots: &mut [u64]) -> Option<u64> {
        let bits = self.width.read(rest)?;
        if let Some(slot) = slot.and_then(|slot| slots.get_mut(usize::from(slot))) {
            *slot = if self.is_signed { self.width.extend(bits).cast_unsigned() } else { bits };
        }
        Some(bits)
    }
}

impl Width {
    pub(super) const fn bytes(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
            Self::Eight => 8,
        }
    }

    /// Reads an unsigned integer.
    #[inline]
    pub(super) fn read(self, rest: &[u8]) -> Option<u64> {
        Some(match self {
            Self::One => (*rest.first()?).into(),
            Self::Two => u16::from_le_bytes(*rest.first_chunk()?).into(),
            Self::Four => u32::from_le_bytes(*rest.first_chunk()?).into(),
            Self::Eight => u64::from_le_bytes(*rest.first_chunk()?),
        })
    }

    /// Returns the signed number of these bits.
    #[inline]
    pub(super) const fn extend(self, bits: u64) -> i64 {
        match self {
            Self::One => (bits as u8).cast_signed() as i64,
            Self::Two => (bits as u16).cast_signed() as i64,
            Self::Four => (bits as u32).cast_signed() as i64,
            Self::Eight => bits.cast_signed(),
        }
    }
}
