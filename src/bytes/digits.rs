//! Digits of numbers, eight at a time: a register holds eight characters, the first one in its lowest byte.

const ONES: u64 = 0x0101_0101_0101_0101;
const ZEROS: u64 = b'0' as u64 * ONES;

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
    fn digits_are_those_of_the_standard_library() {
        let powers = (0..8).flat_map(|power| [10_u32.pow(power) - 1, 10_u32.pow(power), 10_u32.pow(power) + 1]);
        for number in powers.chain((0..100_000_000).step_by(9_973)) {
            assert_eq!(text((decimal8(number), 8)), format!("{number:08}"));
            assert_eq!(text(short_decimal8(number)), format!("{number}"));
            let (blank, digits) = blank_decimal8(number);
            assert_eq!((text((blank, 8)), digits), (format!("{number:8}"), number.to_string().len()));
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
