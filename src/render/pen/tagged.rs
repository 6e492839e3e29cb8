//! Numbers between constant texts, in the forms of reports.

use crate::bytes::digits::{blank_decimal8, hex8, upper_hex8};

use super::{Literal, Memory, Pen};

/// Numbers below it have eight digits at most.
const EIGHT_DIGITS: u64 = 100_000_000;

impl<M: Memory> Pen<M> {
    /// Writes a number as `0x` and upper-case digits without leading zeros between two texts.
    #[inline]
    pub fn tagged_upper_hex(&mut self, before: &Literal, number: u64, after: &Literal) {
        self.literal(before);
        self.hex(number, upper_hex8);
        self.literal(after);
    }

    /// As [`Pen::tagged_upper_hex`], with lower-case digits.
    #[inline]
    pub fn tagged_lower_hex(&mut self, before: &Literal, number: u64, after: &Literal) {
        self.literal(before);
        self.hex(number, hex8);
        self.literal(after);
    }

    /// Writes a number in decimal between two texts.
    #[inline]
    pub fn tagged_decimal(&mut self, before: &Literal, number: u64, after: &Literal) {
        self.literal(before);
        self.decimal(number);
        self.literal(after);
    }

    /// Writes a number in decimal between two texts, aligned to the right in eight columns if it has no more digits.
    #[inline]
    pub fn tagged_columns(&mut self, before: &Literal, number: u64, after: &Literal) {
        self.literal(before);
        if number < EIGHT_DIGITS {
            self.block(&blank_decimal8(number as u32).0.to_le_bytes(), 8);
        } else {
            self.decimal(number);
        }
        self.literal(after);
    }

    /// Writes a number as `0x` and digits, of which a function makes eight.
    #[inline]
    fn hex(&mut self, number: u64, eight: fn(u32) -> u64) {
        self.block(b"0x", 2);
        let digits = 16 - ((number | 1).leading_zeros() / 4) as usize;
        let low = eight(number as u32);
        if digits <= 8 {
            return self.block(&(low >> ((8 - digits) * 8)).to_le_bytes(), digits);
        }
        let high = eight((number >> 32) as u32);
        self.block(&(high >> ((16 - digits) * 8)).to_le_bytes(), digits - 8);
        self.block(&low.to_le_bytes(), 8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::pen::GrowingPen;

    #[test]
    fn tagged_numbers_are_the_parts_one_after_the_other() {
        let lens = [0, 1, 20, 32 - 1, 32, 32 + 1, 100];
        let numbers = (0..64)
            .flat_map(|shift| [u64::MAX >> shift, 1 << shift, 0x0123_4567_89AB_CDEF >> shift, 10_u64.pow(shift % 20)]);
        for ((before, after), number) in lens
            .iter()
            .flat_map(|before| lens.iter().map(move |after| (*before, *after)))
            .zip(numbers.cycle())
            .cycle()
            .take(5_000)
        {
            let (before, after) = ("b".repeat(before), "a".repeat(after));
            let [b, a] = [&before, &after].map(|text| Literal::new(text.as_bytes()));
            let text = |write: fn(&mut GrowingPen, &Literal, u64, &Literal)| {
                let mut pen = GrowingPen::default();
                pen.begin();
                write(&mut pen, &b, number, &a);
                String::from_utf8(pen.text().unwrap().to_vec()).unwrap()
            };
            assert_eq!(text(GrowingPen::tagged_upper_hex), format!("{before}0x{number:X}{after}"));
            assert_eq!(text(GrowingPen::tagged_lower_hex), format!("{before}{number:#x}{after}"));
            assert_eq!(text(GrowingPen::tagged_decimal), format!("{before}{number}{after}"));
            assert_eq!(text(GrowingPen::tagged_columns), format!("{before}{number:>8}{after}"));
        }
    }
}
