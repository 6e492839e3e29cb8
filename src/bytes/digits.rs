//! Digits of numbers, eight at a time: a register holds eight characters, the first one in its lowest byte. Decimal
//! numbers of three digits, which most are, have a table.

use wide::u8x16;

const ONES: u64 = 0x0101_0101_0101_0101;
const ZEROS: u64 = b'0' as u64 * ONES;
const BLANKS: u64 = b' ' as u64 * ONES;

/// Returns the eight decimal digits of a number below 10^8.
#[inline]
pub const fn decimal8(number: u32) -> u64 {
    values8(number) | ZEROS
}

/// Returns the decimal digits of a number below 10^8 without leading zeros, and how many they are.
#[inline]
pub const fn short_decimal8(number: u32) -> (u64, usize) {
    let values = values8(number);
    let zeros = leading_zeros(values);
    ((values | ZEROS) >> (zeros * 8), 8 - zeros)
}

/// Returns the decimal digits of a number below 10^8 with blanks in place of leading zeros, and how many digits there
/// are.
#[inline]
pub const fn blank_decimal8(number: u32) -> (u64, usize) {
    let values = values8(number);
    let zeros = leading_zeros(values);
    let to_blank = ((b'0' ^ b' ') as u64 * ONES) & ((1 << (zeros * 8)) - 1);
    ((values | ZEROS) ^ to_blank, 8 - zeros)
}

/// Returns the decimal digits of a number below 10^4 without leading zeros, and how many they are.
#[inline]
pub const fn short_decimal4(number: u32) -> (u32, usize) {
    let high = (number * 5_243) >> 19;
    let twos = high | (number - high * 100) << 16;
    let tens = ((twos * 103) >> 10) & 0xF_000F;
    let values = tens | (twos - tens * 10) << 8;
    let zeros = (values | 1 << 24).trailing_zeros() / 8;
    ((values | ZEROS as u32) >> (zeros * 8), 4 - zeros as usize)
}

/// The digits of a number below 1,000 without leading zeros, and how many they are in the highest byte.
static SHORT: [u32; 1_000] = digits_of_all(false);
/// The three digits of a number below 1,000.
static PADDED: [u32; 1_000] = digits_of_all(true);

#[expect(clippy::indexing_slicing, reason = "at compile time")]
const fn digits_of_all(is_padded: bool) -> [u32; 1_000] {
    let mut table = [0; 1_000];
    let mut number = 0;
    while number < table.len() {
        let padded = digits_of(number as u32);
        let len = if number < 10 {
            1
        } else if number < 100 {
            2
        } else {
            3
        };
        table[number] = if is_padded { padded } else { padded >> ((3 - len) * 8) | len << 24 };
        number += 1;
    }
    table
}

/// Returns the three digits of a number below 1,000, the first one in the lowest byte.
const fn digits_of(number: u32) -> u32 {
    (number / 100) | (number / 10 % 10) << 8 | (number % 10) << 16 | 0x0030_3030
}

/// Returns the digits of a number below 1,000 without leading zeros, the first one in the lowest byte, and how many
/// they are. The other bytes are unspecified.
#[inline]
pub fn short_decimal3(number: u32) -> (u32, usize) {
    let entry = SHORT.get(number as usize).copied().unwrap_or(0);
    (entry, (entry >> 24) as usize)
}

/// Returns the decimal digits of a number below 1,000 with five blanks or more before them.
#[inline]
pub fn blank_decimal3(number: u32) -> u64 {
    let (digits, len) = short_decimal3(number);
    u64::from(digits) << ((8 - len) * 8) | BLANKS >> (len * 8)
}

/// Returns the three digits of a number below 1,000, the first one in the lowest byte.
#[inline]
pub fn padded_decimal3(number: u32) -> u32 {
    PADDED.get(number as usize).copied().unwrap_or(0)
}

/// Returns the lower-case hexadecimal digits of a number, without leading zeros and from the first byte on, and how
/// many they are. Zeros are after them.
#[inline]
pub fn hex_from_left(number: u64) -> ([u8; 16], usize) {
    digits_from_left(number, b'a')
}

/// Returns the digits of [`hex_from_left`], in upper-case digits.
#[inline]
pub fn upper_hex_from_left(number: u64) -> ([u8; 16], usize) {
    digits_from_left(number, b'A')
}

/// Returns the two lower-case hexadecimal digits of each of eight bytes.
#[inline]
pub fn hex_of_bytes(bytes: [u8; 8]) -> [u8; 16] {
    digits_of_bytes(bytes, b'a')
}

#[inline]
fn digits_from_left(number: u64, ten: u8) -> ([u8; 16], usize) {
    let zeros = (number | 1).leading_zeros() as usize / 4;
    (digits_of_bytes((number << (zeros * 4)).to_be_bytes(), ten), 16 - zeros)
}

#[inline]
fn digits_of_bytes(bytes: [u8; 8], ten: u8) -> [u8; 16] {
    let word = u64::from_le_bytes(bytes);
    let nibbles = |bits: u64| u8x16::new(u128::from(bits & 0x0F0F_0F0F_0F0F_0F0F).to_le_bytes());
    let values = u8x16::unpack_low(nibbles(word >> 4), nibbles(word));
    let letters = values.cmp_eq(values.max(u8x16::splat(10))) & u8x16::splat(ten - b'0' - 10);
    (values + letters + u8x16::splat(b'0')).to_array()
}

/// Returns the eight lower-case hexadecimal digits of a number.
#[inline]
pub const fn hex8(number: u32) -> u64 {
    letters_from(number, b'a')
}

/// Returns the eight upper-case hexadecimal digits of a number.
#[inline]
pub const fn upper_hex8(number: u32) -> u64 {
    letters_from(number, b'A')
}

/// Returns the values 0 to 9 of the eight decimal digits of a number.
#[inline]
const fn values8(number: u32) -> u64 {
    // Two numbers of four digits, then four of two, then eight of one: each step divides all of them at once.
    let number = number as u64;
    let fours = (number / 10_000) | ((number % 10_000) << 32);
    let hundreds = ((fours * 10_486) >> 20) & 0x7F_0000_007F;
    let twos = hundreds | (fours - hundreds * 100) << 16;
    let tens = ((twos * 103) >> 10) & 0xF_000F_000F_000F;
    tens | (twos - tens * 10) << 8
}

/// Returns how many digits are zero before the first other one, and before the last one.
#[inline]
const fn leading_zeros(values: u64) -> usize {
    (values | 1 << 56).trailing_zeros() as usize / 8
}

#[inline]
const fn letters_from(number: u32, ten: u8) -> u64 {
    let wide = number as u64;
    let halves = (wide << 16 | wide) & 0x0000_FFFF_0000_FFFF;
    let bytes = (halves << 8 | halves) & 0x00FF_00FF_00FF_00FF;
    let nibbles = ((bytes << 4 | bytes) & 0x0F0F_0F0F_0F0F_0F0F).swap_bytes();
    // A nibble above nine carries into bit 4 when six is added.
    let letters = (nibbles + 6 * ONES) >> 4 & ONES;
    nibbles + ZEROS + letters * (ten - b'0' - 10) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text((digits, len): (u64, usize)) -> String {
        String::from_utf8(digits.to_le_bytes()[..len].to_vec()).unwrap()
    }

    #[test]
    #[cfg_attr(miri, ignore = "so many numbers take hours")]
    fn digits_are_those_of_the_standard_library() {
        let powers = (0..8).flat_map(|power| [10_u32.pow(power) - 1, 10_u32.pow(power), 10_u32.pow(power) + 1]);
        for number in powers.chain((0..100_000_000).step_by(9_973)) {
            assert_eq!(text((decimal8(number), 8)), format!("{number:08}"));
            assert_eq!(text(short_decimal8(number)), format!("{number}"));
            let (blank, digits) = blank_decimal8(number);
            assert_eq!((text((blank, 8)), digits), (format!("{number:8}"), number.to_string().len()));
        }
        for number in 0..1_000 {
            let (digits, len) = short_decimal3(number);
            assert_eq!(text((digits.into(), len)), format!("{number}"));
            assert_eq!(text((padded_decimal3(number).into(), 3)), format!("{number:03}"));
            assert_eq!(text((blank_decimal3(number), 8)), format!("{number:8}"));
        }
        for number in (0..64).flat_map(|bit| [u64::MAX >> bit, 1 << bit, 0x0123_4567_89AB_CDEF >> bit, 0]) {
            let (digits, len) = hex_from_left(number);
            assert_eq!(String::from_utf8_lossy(&digits[..len]), format!("{number:x}"));
            let of_bytes = hex_of_bytes(number.to_be_bytes());
            assert_eq!(String::from_utf8_lossy(&of_bytes), format!("{number:016x}"));
            let (digits, len) = upper_hex_from_left(number);
            assert_eq!(String::from_utf8_lossy(&digits[..len]), format!("{number:X}"));
        }
        for number in 0..10_000 {
            let (digits, len) = short_decimal4(number);
            assert_eq!(text((digits.into(), len)), format!("{number}"));
        }
        for number in (0..32).map(|bit| u32::MAX >> bit).chain((0..u32::MAX).step_by(99_991)) {
            assert_eq!(text((hex8(number), 8)), format!("{number:08x}"));
            assert_eq!(text((upper_hex8(number), 8)), format!("{number:08X}"));
        }
    }
}
