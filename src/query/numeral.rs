//! Numbers, as people write them and as events contain them.

use std::cmp::Ordering;

use crate::bytes::number;

/// A number of an expression or of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Numeral {
    /// Any integer of 64 bits, signed or not.
    Integer(i128),
    /// Any other number of an event.
    Real(f64),
    /// A decimal fraction of an expression.
    Fraction(Fraction),
}

/// A decimal fraction: exact beside integers, and the nearest double beside doubles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fraction {
    nearest: f64,
    /// The largest integer that is not above it; the last one of its type if it is beyond.
    floor: i128,
    /// It is that integer.
    is_whole: bool,
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
        let is_hex = digits.starts_with("0x") || digits.starts_with("0X");
        match number(&digits).map(i128::from) {
            Some(value) => Some(Self::Integer(if negative { -value } else { value })),
            // A number without point or exponent that does not fit is an error, not a rough number.
            None if is_hex || digits.bytes().all(|digit| digit.is_ascii_digit()) => None,
            None => Fraction::parse(negative, &digits).map(Self::Fraction),
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

    /// Compares two numbers; integers exactly, with integers and with decimal fractions.
    pub(super) fn order(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => Some(a.cmp(&b)),
            (Self::Integer(a), Self::Fraction(b)) => Some(b.order(a).reverse()),
            (Self::Fraction(a), Self::Integer(b)) => Some(a.order(b)),
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
            Self::Real(value) | Self::Fraction(Fraction { nearest: value, .. }) => value,
        }
    }
}

impl Fraction {
    /// Reads decimal digits with a point or an exponent.
    fn parse(negative: bool, digits: &str) -> Option<Self> {
        let nearest: f64 = digits.parse().ok()?;
        let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
        let (whole, rest) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        // An exponent that does not fit moves the point beyond all digits.
        let beyond = if exponent.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 };
        let point = exponent.parse::<i64>().map_or(beyond, |exponent| exponent.clamp(i64::MIN / 2, i64::MAX / 2));
        let point = point.saturating_add(i64::try_from(whole.len()).unwrap_or(i64::MAX));
        let (size, is_whole) = truncated(whole.bytes().chain(rest.bytes()), point);
        let floor = match (negative, is_whole) {
            (false, _) => size,
            (true, true) => -size,
            (true, false) => -size - 1,
        };
        Some(Self { nearest: if negative { -nearest } else { nearest }, floor, is_whole })
    }

    fn order(self, integer: i128) -> Ordering {
        let above = if self.is_whole { Ordering::Equal } else { Ordering::Greater };
        self.floor.cmp(&integer).then(above)
    }
}

/// Returns the integer that the digits before a point are, or the largest one, and whether only zeros come after it.
fn truncated(digits: impl Iterator<Item = u8>, point: i64) -> (i128, bool) {
    let (mut size, mut place, mut is_whole) = (0_i128, 0, true);
    for digit in digits.map(|digit| i128::from(digit.wrapping_sub(b'0'))) {
        if place < point {
            size = size.saturating_mul(10).saturating_add(digit);
        } else {
            is_whole &= digit == 0;
        }
        place += 1;
    }
    // Zeros that are not written.
    while place < point && size != 0 && size != i128::MAX {
        size = size.saturating_mul(10);
        place += 1;
    }
    (size, is_whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(integer: i128, text: &str) -> Ordering {
        let wanted = Numeral::parse(text).unwrap();
        let order = Numeral::Integer(integer).order(wanted).unwrap();
        assert_eq!(wanted.order(Numeral::Integer(integer)), Some(order.reverse()), "{integer} {text}");
        order
    }

    #[test]
    fn integers_and_fractions_are_compared_exactly() {
        let (first, last) = (i128::from(i64::MIN), i128::from(u64::MAX));
        let exact = 9_007_199_254_740_993;
        for (integer, text) in [
            (exact, "9007199254740993.0"),
            (exact, "9007199254740.993e3"),
            (exact, "90071992547409930e-1"),
            (exact, "9_007_199_254_740_993."),
            (0, "-0.0"),
            (0, "0e99999999999999999999"),
            (-15, "-1.5e1"),
            (1000, "1E+3"),
        ] {
            assert_eq!(order(integer, text), Ordering::Equal, "{integer} {text}");
        }
        for (less, text, more) in [
            (exact - 1, "9007199254740992.5", exact),
            (last - 1, "18446744073709551614.5", last),
            (first, "-9223372036854775807.5", first + 1),
            (-1, "-0.5", 0),
            (0, "1e-400", 1),
            (-1, "-1e-99999999999999999999", 0),
            (0, "0.0000000000000000000000000000000000000000000000000001", 1),
        ] {
            assert_eq!((order(less, text), order(more, text)), (Ordering::Less, Ordering::Greater), "{text}");
        }
        for text in ["1e300", "1e99999999999999999999", "340282366920938463463374607431768211456.5"] {
            assert_eq!(order(last, text), Ordering::Less, "{text}");
            assert_eq!(order(first, &format!("-{text}")), Ordering::Greater, "{text}");
        }
    }

    #[test]
    fn a_double_is_the_number_that_its_digits_are() {
        for value in [0.1, 1e300, 5e-324, 1.844_674_407_370_955_2e19, -0.0, 9_007_199_254_740_992.0] {
            let wanted = Numeral::parse(&format!("{value:?}")).unwrap();
            assert_eq!(Numeral::Real(value).order(wanted), Some(Ordering::Equal), "{value:?}");
        }
        assert_eq!(Numeral::Real(f64::NAN).order(Numeral::parse("1.5").unwrap()), None);
    }
}
