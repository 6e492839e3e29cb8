//! Numbers between constant texts, in the forms of reports.

use crate::bytes::digits::{
    blank_decimal3, blank_decimal8, hex_from_left, short_decimal3, short_decimal8, upper_hex_from_left,
};

use super::{Literal, Memory, Pen};

/// Bytes that are written to at once: a block of constant text, a number of up to twenty characters, another block.
type Window = [u8; 128];
/// Bytes of the first block of the text after a number.
const BLOCK: usize = 32;
/// Numbers below it have at most eight digits.
const EIGHT_DIGITS: u64 = 100_000_000;
/// Numbers below it have a table of digits.
const THREE_DIGITS: u64 = 1_000;

impl<M: Memory> Pen<M> {
    /// Writes a number as `0x` and upper-case digits without leading zeros between two texts.
    #[expect(clippy::inline_always, reason = "measured: stage `xml` of `cargo xtask bench`")]
    #[inline(always)]
    pub fn tagged_upper_hex<const N: usize>(&mut self, before: &Literal<N>, number: u64, after: &Literal) {
        self.tagged(before, after, |window, at| hex(window, at, upper_hex_from_left(number)));
    }

    /// Writes as [`Pen::tagged_upper_hex`] does, with lower-case digits.
    #[inline]
    pub fn tagged_lower_hex<const N: usize>(&mut self, before: &Literal<N>, number: u64, after: &Literal) {
        self.tagged(before, after, |window, at| hex(window, at, hex_from_left(number)));
    }

    /// Writes a number in decimal between two texts.
    #[expect(clippy::inline_always, reason = "measured: stage `xml` of `cargo xtask bench`")]
    #[inline(always)]
    pub fn tagged_decimal<const N: usize>(&mut self, before: &Literal<N>, number: u64, after: &Literal) {
        if number >= EIGHT_DIGITS {
            return self.tagged_long(before, number, after);
        }
        self.tagged(before, after, |window, at| {
            if number < THREE_DIGITS {
                let (digits, len) = short_decimal3(number as u32);
                put(window, at, digits.to_le_bytes());
                return at + len;
            }
            let (digits, len) = short_decimal8(number as u32);
            put(window, at, digits.to_le_bytes());
            at + len
        });
    }

    /// Writes a number in decimal between two texts, aligned to the right in eight columns if it has no more digits.
    #[expect(clippy::inline_always, reason = "measured: stage `xml` of `cargo xtask bench`")]
    #[inline(always)]
    pub fn tagged_columns<const N: usize>(&mut self, before: &Literal<N>, number: u64, after: &Literal) {
        if number >= EIGHT_DIGITS {
            return self.tagged_long(before, number, after);
        }
        self.tagged(before, after, |window, at| {
            let number = number as u32;
            let is_short = number < THREE_DIGITS as u32;
            let text = if is_short { blank_decimal3(number) } else { blank_decimal8(number).0 };
            put(window, at, text.to_le_bytes());
            at + 8
        });
    }

    #[inline(never)]
    fn tagged_long<const N: usize>(&mut self, before: &Literal<N>, number: u64, after: &Literal) {
        self.literal(before);
        self.decimal(number);
        self.literal(after);
    }

    #[expect(clippy::inline_always, reason = "measured: stage `xml` of `cargo xtask bench`")]
    #[inline(always)]
    fn tagged<const N: usize>(
        &mut self,
        before: &Literal<N>,
        after: &Literal,
        number: impl FnOnce(&mut Window, usize) -> usize,
    ) {
        const { assert!(N + 20 + BLOCK <= size_of::<Window>(), "the window has room for all three") };
        let is_block = before.len <= N;
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

/// Writes `0x` and digits and returns the place after them.
#[inline]
fn hex(window: &mut Window, at: usize, (digits, len): ([u8; 16], usize)) -> usize {
    put(window, at, *b"0x");
    put(window, at + 2, digits);
    at + 2 + len
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::pen::GrowingPen;

    /// Compares the forms of a number between texts with those of the standard library.
    fn check<const N: usize>(before: &str, number: u64, after: &str) {
        let (b, a) = (Literal::<N>::new(before.as_bytes()), Literal::new(after.as_bytes()));
        let text = |write: fn(&mut GrowingPen, &Literal<N>, u64, &Literal)| {
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

    #[test]
    fn tagged_numbers_are_the_parts_one_after_the_other() {
        let lens = [0, 1, 20, BLOCK - 1, BLOCK, BLOCK + 1, 48, 49, 100];
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
            check::<32>(&before, number, &after);
            check::<48>(&before, number, &after);
        }
    }
}
