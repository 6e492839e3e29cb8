//! Integers as text. Blocks of fixed size are appended and cut: a copy of a length that is not known is a call.

use etwkit::bytes::digits::{blank_decimal8, short_decimal8, upper_hex8};

/// Numbers below this have at most eight decimal digits.
const EIGHT_DIGITS: u64 = 100_000_000;

/// Appends `0x` and upper-case digits without leading zeros.
#[inline]
pub(super) fn push_hex(out: &mut Vec<u8>, number: u64) {
    let digits = 16 - ((number | 1).leading_zeros() / 4) as usize;
    out.extend_from_slice(b"0x");
    let low = upper_hex8(number as u32);
    if digits <= 8 {
        return push_last(out, low, digits);
    }
    push_last(out, upper_hex8((number >> 32) as u32), digits - 8);
    out.extend_from_slice(&low.to_le_bytes());
}

/// Appends the last of eight characters.
#[inline]
fn push_last(out: &mut Vec<u8>, text: u64, len: usize) {
    push_first(out, text >> ((8 - len) * 8), len);
}

/// Appends the first of eight characters.
#[inline]
fn push_first(out: &mut Vec<u8>, text: u64, len: usize) {
    out.extend_from_slice(&text.to_le_bytes());
    out.truncate(out.len() - (8 - len));
}

/// Appends a number in decimal.
#[inline]
pub(super) fn push_decimal(out: &mut Vec<u8>, number: u64) {
    if number >= EIGHT_DIGITS {
        return push_long(out, number);
    }
    let (text, len) = short_decimal8(number as u32);
    push_first(out, text, len);
}

/// Appends a number in decimal, aligned to the right in eight columns if it has no more digits.
#[inline]
pub(super) fn push_aligned(out: &mut Vec<u8>, number: u64) {
    if number >= EIGHT_DIGITS {
        return push_long(out, number);
    }
    out.extend_from_slice(&blank_decimal8(number as u32).0.to_le_bytes());
}

fn push_long(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(push: fn(&mut Vec<u8>, u64), number: u64) -> String {
        let mut out = b"=".to_vec();
        push(&mut out, number);
        String::from_utf8(out).unwrap().split_off(1)
    }

    #[test]
    fn numbers_of_every_length() {
        let powers = (0..20).map(|power| 10_u64.pow(power)).chain((0..64).map(|power| 1 << power));
        let near = powers.flat_map(|number| [number - 1, number, number + 1]);
        let spread = (0..EIGHT_DIGITS).step_by(9_973);
        for number in near.chain(spread).chain([u64::MAX, 0x1234_5678_9ABC_DEF0]) {
            assert_eq!(text(push_decimal, number), format!("{number}"));
            assert_eq!(text(push_aligned, number), format!("{number:>8}"));
            assert_eq!(text(push_hex, number), format!("0x{number:X}"));
        }
    }
}
