//! Numbers as digits, eight at a time.

use crate::render::json::MAX_SAFE;

use super::Pen;

const ZEROS: u64 = 0x3030_3030_3030_3030;

/// Returns the eight decimal digits of a number below 10^8 as the values 0 to 9, the first one in the lowest byte.
#[inline]
const fn decimal8(number: u32) -> u64 {
    // Two numbers of four digits, then four of two, then eight of one: each step divides all of them at once.
    let number = number as u64;
    let fours = (number / 10_000) | ((number % 10_000) << 32);
    let hundreds = ((fours * 10_486) >> 20) & 0x7F_0000_007F;
    let twos = hundreds | (fours - hundreds * 100) << 16;
    let tens = ((twos * 103) >> 10) & 0xF_000F_000F_000F;
    tens | (twos - tens * 10) << 8
}

/// Returns the eight decimal digits of a number below 10^8 as text.
#[inline]
pub(super) const fn all_8(number: u32) -> u64 {
    decimal8(number) | ZEROS
}

/// Returns the decimal digits of a number below 10^8 without leading zeros as text, and how many they are; none of zero.
#[inline]
pub(super) const fn below_8(number: u32) -> (u64, usize) {
    let digits = decimal8(number);
    // Zero has no digit that is not zero; callers write it apart.
    let zeros = (digits | 1 << 63).trailing_zeros() / 8;
    ((digits | ZEROS) >> (zeros * 8), 8 - zeros as usize)
}

/// Returns the decimal digits of a number below 10^4 without leading zeros as text, and how many they are; none of zero.
#[inline]
pub(super) const fn below_4(number: u32) -> (u32, usize) {
    let high = (number * 5_243) >> 19;
    let twos = high | (number - high * 100) << 16;
    let tens = ((twos * 103) >> 10) & 0xF_000F;
    let digits = tens | (twos - tens * 10) << 8;
    let zeros = (digits | 1 << 31).trailing_zeros() / 8;
    ((digits | ZEROS as u32) >> (zeros * 8), 4 - zeros as usize)
}

/// Returns the eight hexadecimal digits of a number as lower-case text, the first one in the lowest byte.
#[inline]
pub(super) const fn hex8(number: u32) -> u64 {
    let wide = number as u64;
    let halves = (wide << 16 | wide) & 0x0000_FFFF_0000_FFFF;
    let bytes = (halves << 8 | halves) & 0x00FF_00FF_00FF_00FF;
    let nibbles = ((bytes << 4 | bytes) & 0x0F0F_0F0F_0F0F_0F0F).swap_bytes();
    // A nibble above nine carries into bit 4 when six is added: letters begin 39 places after the digits.
    let letters = (nibbles + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101;
    nibbles + ZEROS + letters * 39
}

/// Returns the eight characters of a number below 10^8 with blanks in place of the zeros before it, the first one in the
/// lowest byte, and the number of its digits.
#[inline]
const fn blank8(number: u32) -> (u64, usize) {
    let digits = decimal8(number);
    // The last digit stays, whatever it is.
    let zeros = (digits | 1 << 56).trailing_zeros() / 8;
    let blanks = 0x1010_1010_1010_1010 & ((1 << (zeros * 8)) - 1);
    ((digits | ZEROS) ^ blanks, 8 - zeros as usize)
}

impl Pen {
    /// Writes a number in decimal, with blanks before it to a width of at most eight characters.
    #[inline]
    pub(crate) fn decimal_right(&mut self, number: u64, width: usize) {
        match u32::try_from(number) {
            Ok(small) if small < 100_000_000 => {
                let (text, digits) = blank8(small);
                let len = digits.max(width.min(8));
                self.block(&(text >> ((8 - len) * 8)).to_le_bytes(), len);
            }
            _ => self.decimal_above_8(number),
        }
    }

    /// Writes a number in decimal.
    #[inline]
    pub(crate) fn decimal(&mut self, number: u64) {
        match u32::try_from(number) {
            Ok(small) if small < 100_000_000 => self.decimal_below_8(small),
            _ => self.decimal_above_8(number),
        }
    }

    /// Writes a signed number in decimal.
    #[inline]
    pub(crate) fn signed(&mut self, number: i64) {
        if number < 0 {
            self.byte(b'-');
        }
        self.decimal(number.unsigned_abs());
    }

    /// Writes an integer as JSON: a string beyond what every reader keeps exact.
    #[inline]
    pub(crate) fn json_integer(&mut self, number: i64) {
        if number.unsigned_abs() <= MAX_SAFE { self.signed(number) } else { self.quoted_integer(number) }
    }

    #[cold]
    fn quoted_integer(&mut self, number: i64) {
        self.byte(b'"');
        self.signed(number);
        self.byte(b'"');
    }

    #[inline]
    fn decimal_below_8(&mut self, number: u32) {
        if number < 10 {
            return self.byte(b'0' + number as u8);
        }
        let (digits, len) = below_8(number);
        self.block(&digits.to_le_bytes(), len);
    }

    fn decimal_above_8(&mut self, number: u64) {
        let (high, low) = (number / 100_000_000, number % 100_000_000);
        self.decimal(high);
        self.decimal8(low as u32);
    }

    #[inline]
    fn decimal8(&mut self, number: u32) {
        self.block(&all_8(number).to_le_bytes(), 8);
    }

    /// Writes the seven digits of a number below 10^7.
    #[inline]
    pub(crate) fn decimal7(&mut self, number: u32) {
        self.block(&(all_8(number) >> 8).to_le_bytes(), 7);
    }

    /// Writes a number as lower-case hexadecimal digits without leading zeros.
    #[inline]
    pub(crate) fn hex(&mut self, number: u64) {
        let zeros = (number | 1).leading_zeros() / 4;
        if let Ok(small) = u32::try_from(number) {
            return self.block(&(hex8(small) >> ((zeros - 8) * 8)).to_le_bytes(), 16 - zeros as usize);
        }
        let (high, low) = (hex8((number >> 32) as u32), hex8(number as u32));
        self.block(&(high >> (zeros * 8)).to_le_bytes(), 8 - zeros as usize);
        self.block(&low.to_le_bytes(), 8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Pen)) -> String {
        let mut pen = Pen::default();
        pen.begin(20);
        write(&mut pen);
        String::from_utf8(pen.text().unwrap().to_vec()).unwrap()
    }

    fn numbers() -> impl Iterator<Item = u64> {
        let powers = (0..20).map(|n| 10_u64.saturating_pow(n));
        let bits = (0..64).map(|n| 1_u64 << n);
        let mixed = (0..2000_u64).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (n % 64));
        let all = powers.chain(bits).flat_map(|n| [n.wrapping_sub(1), n, n.wrapping_add(1)]);
        (0..2000).chain(all).chain(mixed).chain([u64::MAX])
    }

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        for number in numbers() {
            assert_eq!(written(|pen| pen.decimal(number)), number.to_string());
            assert_eq!(written(|pen| pen.hex(number)), format!("{number:x}"));
            for width in [0, 1, 6, 8] {
                assert_eq!(written(|pen| pen.decimal_right(number, width)), format!("{number:>width$}"));
            }
            let signed = number.cast_signed();
            assert_eq!(written(|pen| pen.signed(signed)), signed.to_string());
            let seven = (number % 10_000_000) as u32;
            assert_eq!(written(|pen| pen.decimal7(seven)), format!("{seven:07}"));
        }
    }
}
