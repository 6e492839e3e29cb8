//! Numbers, as people write them and as events contain them.

use std::cmp::Ordering;

/// A number of an expression or of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Numeral {
    /// Any integer of 64 bits, signed or not.
    Integer(i128),
    /// Anything else.
    Real(f64),
}

impl Numeral {
    /// Decimal or `0x` hexadecimal, with `_` between digits if wanted; decimal fractions.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        if !digits.starts_with(|c: char| c.is_ascii_digit()) || digits.contains("__") || digits.ends_with('_') {
            return None;
        }
        let digits = digits.replace('_', "");
        let hex = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
        let integer = match hex {
            Some(hex) if hex.starts_with('+') => None,
            Some(hex) => u64::from_str_radix(hex, 16).ok(),
            None => digits.parse::<u64>().ok(),
        };
        match integer.map(i128::from) {
            Some(value) => Some(Self::Integer(if negative { -value } else { value })),
            // A number without point or exponent that does not fit is an error, not a rough number.
            None if hex.is_some() || digits.bytes().all(|digit| digit.is_ascii_digit()) => None,
            None => digits.parse::<f64>().ok().map(|value| Self::Real(if negative { -value } else { value })),
        }
    }

    /// Returns whether a text looks like an integer but has more than 64 bits.
    pub(super) fn is_too_large(text: &str) -> bool {
        if text.contains("__") || text.ends_with('_') {
            return false;
        }
        let text = text.replace('_', "");
        let digits = text.strip_prefix('-').unwrap_or(&text);
        let hex = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
        let all = |text: &str, is: fn(&u8) -> bool| !text.is_empty() && text.as_bytes().iter().all(is);
        match hex {
            Some(hex) => hex.len() > 16 && all(hex, u8::is_ascii_hexdigit),
            None => digits.len() > 19 && all(digits, u8::is_ascii_digit),
        }
    }

    /// Compares two numbers; integers exactly.
    pub(super) fn order(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => Some(a.cmp(&b)),
            (a, b) => a.real().partial_cmp(&b.real()),
        }
    }

    /// Returns whether two integers have a bit in common.
    pub(super) const fn shares_bit(self, other: Self) -> bool {
        matches!((self, other), (Self::Integer(a), Self::Integer(b)) if a & b != 0)
    }

    const fn real(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Real(value) => value,
        }
    }
}
