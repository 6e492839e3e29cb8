//! Numbers between constant texts, in the forms of reports.

use crate::bytes::digits::{blank_decimal8, hex8, short_decimal8, upper_hex8};

use super::{Literal, Memory, Pen};

/// Bytes that are written to at once: a block of constant text, a number of up to twenty characters, another block.
type Window = [u8; 96];
/// Bytes of the first block of a [`Literal`].
const BLOCK: usize = 32;
/// Numbers below it have eight digits at most.
const EIGHT_DIGITS: u64 = 100_000_000;

impl<M: Memory> Pen<M> {
    /// Writes a number as `0x` and upper-case digits without leading zeros between two texts.
    #[inline]
    pub fn tagged_upper_hex(&mut self, before: &Literal, number: u64, after: &Literal) {
        self.tagged(before, after, |window, at| hex(window, at, number, upper_hex8));
    }

    /// As [`Pen::tagged_upper_hex`], with lower-case digits.
    #[inline]
    pub fn tagged_lower_hex(&mut self, before: &Literal, number: u64, after: &Literal) {
        self.tagged(before, after, |window, at| hex(window, at, number, hex8));
    }

    /// Writes a number in decimal between two texts.
    #[inline]
    pub fn tagged_decimal(&mut self, before: &Literal, number: u64, after: &Literal) {
        if number >= EIGHT_DIGITS {
            return self.tagged_long(before, number, after);
        }
        self.tagged(before, after, |window, at| {
            let (digits, len) = short_decimal8(number as u32);
            put(window, at, digits.to_le_bytes());
            at + len
        });
    }

    /// Writes a number in decimal between two texts, aligned to the right in eight columns if it has no more digits.
    #[inline]
    pub fn tagged_columns(&mut self, before: &Literal, number: u64, after: &Literal) {
        if number >= EIGHT_DIGITS {
            return self.tagged_long(before, number, after);
        }
        self.tagged(before, after, |window, at| {
            put(window, at, blank_decimal8(number as u32).0.to_le_bytes());
            at + 8
        });
    }

    #[cold]
    fn tagged_long(&mut self, before: &Literal, number: u64, after: &Literal) {
        self.literal(before);
        self.decimal(number);
        self.literal(after);
    }

    #[inline]
    fn tagged(&mut self, before: &Literal, after: &Literal, number: impl FnOnce(&mut Window, usize) -> usize) {
        let is_block = before.len <= BLOCK;
        if !is_block {
            self.literal(before);
        }
        let start = if is_block { before.len } else { 0 };
        let Some(window) = self.room.window(self.at) else { return };
        if is_block {
            put(window, 0, before.first);
        }
        let end = number(window, start);
        put(window, end, after.first);
        if after.len <= BLOCK {
            self.at += end + after.len;
        } else {
            self.at += end;
            self.literal(after);
        }
    }
}

/// Writes a block at a place, which is within the window.
#[inline]
fn put<const N: usize>(window: &mut Window, at: usize, block: [u8; N]) {
    if let Some(slot) = window.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        *slot = block;
    }
}

/// Writes a number as `0x` and digits and returns the place after it.
#[inline]
fn hex(window: &mut Window, at: usize, number: u64, eight: fn(u32) -> u64) -> usize {
    put(window, at, *b"0x");
    let at = at + 2;
    let digits = 16 - ((number | 1).leading_zeros() / 4) as usize;
    let low = eight(number as u32);
    if digits <= 8 {
        put(window, at, (low >> ((8 - digits) * 8)).to_le_bytes());
        return at + digits;
    }
    let high = eight((number >> 32) as u32);
    put(window, at, (high >> ((16 - digits) * 8)).to_le_bytes());
    put(window, at + digits - 8, low.to_le_bytes());
    at + digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::pen::GrowingPen;

    #[test]
    fn tagged_numbers_are_the_parts_one_after_the_other() {
        let lens = [0, 1, 20, BLOCK - 1, BLOCK, BLOCK + 1, 100];
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
