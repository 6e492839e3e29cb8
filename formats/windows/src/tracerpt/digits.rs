//! Integers as text. Blocks of fixed size are appended and cut: a copy of a length that is not known is a call.

/// Numbers below this have at most eight decimal digits.
const EIGHT_DIGITS: u64 = 100_000_000;
/// One in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The digit zero in each byte.
const ZEROS: u64 = b'0' as u64 * ONES;

/// Appends `0x` and upper-case digits without leading zeros.
#[inline]
pub(super) fn push_hex(out: &mut Vec<u8>, number: u64) {
    let unused = number.leading_zeros() / 4;
    out.extend_from_slice(b"0x");
    if unused >= 8 {
        let unused = (unused - 8).min(7);
        out.extend_from_slice(&eight_hex(number << (4 * unused)).to_be_bytes());
        out.truncate(out.len() - unused as usize);
    } else {
        out.extend_from_slice(&upper_hex(number << (4 * unused)));
        out.truncate(out.len() - unused as usize);
    }
}

/// Returns the sixteen upper-case digits of a number.
#[inline]
pub(super) const fn upper_hex(number: u64) -> [u8; 16] {
    let (high, low) = (eight_hex(number >> 32), eight_hex(number & 0xFFFF_FFFF));
    ((high as u128) << 64 | low as u128).to_be_bytes()
}

/// Returns the eight digits of a number of 32 bits, the first one in the highest byte.
#[inline]
const fn eight_hex(number: u64) -> u64 {
    let mut digits = (number | number << 16) & 0x0000_FFFF_0000_FFFF;
    digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF;
    digits = (digits | digits << 4) & (15 * ONES);
    let are_letters = (digits + 6 * ONES) >> 4 & ONES;
    digits + ZEROS + are_letters * (b'A' - b'9' - 1) as u64
}

/// Appends a number in decimal.
#[inline]
pub(super) fn push_decimal(out: &mut Vec<u8>, number: u64) {
    if number >= EIGHT_DIGITS {
        return push_long(out, number);
    }
    let digits = eight_decimal(number);
    let zeros = leading_zeros(digits);
    out.extend_from_slice(&((digits | ZEROS) >> (8 * zeros)).to_le_bytes());
    out.truncate(out.len() - zeros as usize);
}

/// Appends a number in decimal, aligned to the right in eight columns if it has no more digits.
#[inline]
pub(super) fn push_aligned(out: &mut Vec<u8>, number: u64) {
    if number >= EIGHT_DIGITS {
        return push_long(out, number);
    }
    let digits = eight_decimal(number);
    let leading = (1_u64 << (8 * leading_zeros(digits))) - 1;
    let to_blank = (u64::from(b'0' ^ b' ') * ONES) & leading;
    out.extend_from_slice(&((digits | ZEROS) ^ to_blank).to_le_bytes());
}

fn push_long(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Returns the values of the eight digits of a number below [`EIGHT_DIGITS`], the first one in the lowest byte. All are
/// computed at once: thousands, then hundreds in halves, then tens in quarters.
#[inline]
const fn eight_decimal(number: u64) -> u64 {
    let fours = (number / 10_000) | ((number % 10_000) << 32);
    let hundreds = ((fours * 10_486) >> 20) & 0x0000_007F_0000_007F;
    let twos = hundreds | (fours - 100 * hundreds) << 16;
    let tens = ((twos * 103) >> 10) & 0x000F_000F_000F_000F;
    tens | (twos - 10 * tens) << 8
}

/// Returns how many digits before the last one, and before the first other one, are zero.
#[inline]
const fn leading_zeros(digits: u64) -> u32 {
    (digits | 1 << 56).trailing_zeros() / 8
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
