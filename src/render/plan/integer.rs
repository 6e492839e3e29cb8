//! Integers of a payload.

use crate::bytes::PointerSize;
use crate::decode::Value;
use crate::schema::{IntegerType, Scalar};

/// The layout of an integer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Integer {
    pub(super) width: Width,
    pub(super) is_signed: bool,
    pub(super) is_pointer: bool,
}

/// Bytes of an integer, as the bits of a word that it does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    One = 56,
    Two = 48,
    Four = 32,
    Eight = 0,
}

impl Integer {
    /// An unsigned byte.
    pub(super) const BYTE: Self = Self::unsigned(Width::One);

    pub(super) const fn unsigned(width: Width) -> Self {
        Self { width, is_signed: false, is_pointer: false }
    }

    /// Returns the layout of a scalar; `None` if it is not an integer.
    pub(super) fn new(scalar: Scalar, pointer: PointerSize) -> Option<Self> {
        let (bytes, is_signed, is_pointer) = match scalar.integer()? {
            IntegerType::Signed(bytes) => (bytes.into(), true, false),
            IntegerType::Unsigned(bytes) => (bytes.into(), false, false),
            IntegerType::Pointer => (pointer.bytes(), false, true),
        };
        Some(Self { width: Width::of(bytes)?, is_signed, is_pointer })
    }

    /// Returns its type.
    pub(super) const fn kind(self) -> IntegerType {
        let bytes = self.width.bytes() as u8;
        match self {
            Self { is_pointer: true, .. } => IntegerType::Pointer,
            Self { is_signed: true, .. } => IntegerType::Signed(bytes),
            Self { .. } => IntegerType::Unsigned(bytes),
        }
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

    /// Returns bits with their sign in all bits above.
    #[inline]
    pub(super) const fn extended(self, bits: u64) -> u64 {
        if self.is_signed { self.width.extend(bits).cast_unsigned() } else { bits }
    }
}

impl Width {
    /// Returns the width of so many bytes; `None` if no integer has it.
    pub(super) const fn of(bytes: usize) -> Option<Self> {
        Some(match bytes {
            1 => Self::One,
            2 => Self::Two,
            4 => Self::Four,
            8 => Self::Eight,
            _ => return None,
        })
    }

    pub(super) const fn bytes(self) -> usize {
        size_of::<u64>() - self as usize / 8
    }

    /// Returns the bits of a word that are beyond it.
    const fn unused(self) -> u32 {
        self as u32
    }

    /// Reads an unsigned integer.
    #[inline]
    pub(super) fn read(self, rest: &[u8]) -> Option<u64> {
        match rest.first_chunk() {
            Some(word) => Some(u64::from_le_bytes(*word) << self.unused() >> self.unused()),
            None => self.read_last(rest),
        }
    }

    /// As [`Width::read`], where less than eight bytes are left.
    fn read_last(self, rest: &[u8]) -> Option<u64> {
        Some(match self {
            Self::One => (*rest.first()?).into(),
            Self::Two => u16::from_le_bytes(*rest.first_chunk()?).into(),
            Self::Four => u32::from_le_bytes(*rest.first_chunk()?).into(),
            Self::Eight => return None,
        })
    }

    /// Calls a function with each unsigned integer of an array.
    #[inline]
    pub(super) fn each(self, elements: &[u8], mut take: impl FnMut(u64)) {
        match self {
            Self::Eight => elements.as_chunks().0.iter().for_each(|word| take(u64::from_le_bytes(*word))),
            Self::Four => elements.as_chunks().0.iter().for_each(|word| take(u32::from_le_bytes(*word).into())),
            _ => elements.chunks_exact(self.bytes()).filter_map(|word| self.read_last(word)).for_each(take),
        }
    }

    /// Returns the signed number of these bits.
    #[inline]
    pub(super) const fn extend(self, bits: u64) -> i64 {
        (bits << self.unused()).cast_signed() >> self.unused()
    }
}
