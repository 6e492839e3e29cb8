//! How integers are shown: decided by the type and the presentation of their field.

use super::{DisplayFormat, Field, Scalar, Wire};

/// The type of an integer in a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IntegerType {
    /// Two's complement, of so many bytes.
    Signed(u8),
    /// Without a sign, of so many bytes.
    Unsigned(u8),
    /// An address: 4 or 8 bytes, as the event's header states.
    Pointer,
}

/// How an integer is shown that no map names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Notation {
    /// Decimal digits.
    Decimal {
        /// Whether its highest bit is a sign.
        is_signed: bool,
    },
    /// `0x` and hexadecimal digits of its bits.
    Hex,
    /// `false` if all bits are 0, otherwise `true`.
    Bool,
    /// One character.
    Character,
    /// The decimal digits of a port, whose two bytes are in network order.
    Port,
    /// The IPv4 address that its four bytes are.
    Ipv4,
    /// The MAC address that its first six bytes are.
    Mac,
    /// A time, where it counts to one. Otherwise, as decimal digits; no time is a negative number.
    Time {
        /// Whether its highest bit is a sign.
        is_signed: bool,
    },
}

impl Scalar {
    /// Returns the type of an integer; `None` for anything else.
    #[inline]
    pub const fn integer(self) -> Option<IntegerType> {
        Some(match self {
            Self::I8 => IntegerType::Signed(1),
            Self::I16 => IntegerType::Signed(2),
            Self::I32 => IntegerType::Signed(4),
            Self::I64 => IntegerType::Signed(8),
            Self::U8 => IntegerType::Unsigned(1),
            Self::U16 => IntegerType::Unsigned(2),
            Self::U32 => IntegerType::Unsigned(4),
            Self::U64 => IntegerType::Unsigned(8),
            Self::Pointer => IntegerType::Pointer,
            Self::F32 | Self::F64 | Self::Guid | Self::SystemTime => return None,
        })
    }

    /// Returns whether it is an integer; an address is one.
    #[inline]
    pub const fn is_integer(self) -> bool {
        self.integer().is_some()
    }
}

impl Field {
    /// Returns the type of the integers that its values are; `None` if they are something else.
    pub const fn integer(&self) -> Option<IntegerType> {
        match self.wire {
            Wire::Scalar(scalar) => scalar.integer(),
            Wire::Bits { count, .. } if count <= 8 => Some(IntegerType::Unsigned(1)),
            Wire::Bits { count, .. } => Some(IntegerType::Unsigned(count.div_ceil(8).next_power_of_two())),
            _ => None,
        }
    }
}

impl DisplayFormat {
    /// Returns how an integer of a type is shown. A presentation that does not fit the type means nothing.
    pub const fn notation(self, integer: IntegerType) -> Notation {
        let is_signed = matches!(integer, IntegerType::Signed(_));
        match (self, integer) {
            (Self::Plain, IntegerType::Pointer)
            | (Self::Hex | Self::CodePointer | Self::NtStatus | Self::HResult, _) => Notation::Hex,
            (Self::Bool, _) => Notation::Bool,
            (Self::Char, _) => Notation::Character,
            (Self::Signed, _) => Notation::Decimal { is_signed: true },
            (Self::Unsigned, _) => Notation::Decimal { is_signed: false },
            (Self::Port, _) => Notation::Port,
            (Self::Ipv4, IntegerType::Signed(4) | IntegerType::Unsigned(4)) => Notation::Ipv4,
            (Self::Mac, IntegerType::Signed(8) | IntegerType::Unsigned(8)) => Notation::Mac,
            (Self::FileTime | Self::UnixTime | Self::ClockTime, _) => Notation::Time { is_signed },
            _ => Notation::Decimal { is_signed },
        }
    }
}

impl Notation {
    /// Returns the number that is shown for an integer, or that is behind what is shown. `bits` are those of the payload,
    /// and 0 beyond its `bytes` (1 to 8).
    pub const fn number(self, bits: u64, bytes: u8) -> i128 {
        match self {
            Self::Decimal { is_signed: true } | Self::Time { is_signed: true } => sign_extend(bits, bytes) as i128,
            Self::Port => (bits as u16).swap_bytes() as i128,
            _ => bits as i128,
        }
    }
}

/// Returns the low `bytes` (1 to 8) of an integer: its bits in the payload.
pub(crate) const fn masked(bits: u64, bytes: u8) -> u64 {
    if bytes >= 8 { bits } else { bits & ((1 << (bytes as u32 * 8)) - 1) }
}

/// Returns the signed number that the low `bytes` (1 to 8) are.
pub(crate) const fn sign_extend(bits: u64, bytes: u8) -> i64 {
    let unused = 64 - (bytes as u32 * 8);
    (bits << unused).cast_signed() >> unused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_the_one_that_is_shown() {
        use DisplayFormat as D;

        let number = |display: DisplayFormat, integer| match integer {
            IntegerType::Signed(bytes) | IntegerType::Unsigned(bytes) => {
                display.notation(integer).number(masked(u64::MAX - 1, bytes), bytes)
            }
            IntegerType::Pointer => display.notation(integer).number(0xFFFF_FFFE, 4),
        };
        assert_eq!(number(D::Plain, IntegerType::Signed(2)), -2);
        assert_eq!(number(D::Plain, IntegerType::Unsigned(2)), 0xFFFE);
        assert_eq!(number(D::Hex, IntegerType::Signed(4)), 0xFFFF_FFFE);
        assert_eq!(number(D::Signed, IntegerType::Unsigned(8)), -2);
        assert_eq!(number(D::Signed, IntegerType::Pointer), -2);
        assert_eq!(number(D::Plain, IntegerType::Pointer), 0xFFFF_FFFE);
        assert_eq!(number(D::Port, IntegerType::Unsigned(2)), 0xFEFF);
        assert_eq!(number(D::FileTime, IntegerType::Signed(8)), -2);
        assert_eq!(number(D::Mac, IntegerType::Signed(4)), -2);
    }

    #[test]
    fn addresses_of_a_network_have_a_width() {
        assert_eq!(DisplayFormat::Ipv4.notation(IntegerType::Unsigned(4)), Notation::Ipv4);
        assert_eq!(DisplayFormat::Ipv4.notation(IntegerType::Unsigned(8)), Notation::Decimal { is_signed: false });
        assert_eq!(DisplayFormat::Mac.notation(IntegerType::Signed(8)), Notation::Mac);
        assert_eq!(DisplayFormat::Mac.notation(IntegerType::Signed(4)), Notation::Decimal { is_signed: true });
    }
}
