//! Constant text with a number after it: most fields are that.

use crate::render::json::MAX_SAFE;

use super::digits::{all_8, below_4, below_8, hex8};
use super::{BLOCK, Literal, Mark, Pen};

/// Bytes that are written to at once: a block of constant text, a number and what is after it.
const WINDOW: usize = 96;
/// Numbers below it have sixteen digits at most.
const SIXTEEN_DIGITS: u64 = 10_000_000_000_000_000;

impl Pen {
    /// Writes an integer as JSON after constant text: a string beyond what every reader keeps exact.
    #[inline]
    pub(crate) fn keyed_integer(&mut self, key: &Literal, number: i64) {
        match u64::try_from(number) {
            Ok(number) if number <= MAX_SAFE => self.keyed_decimal(key, number, Mark::NONE),
            _ => {
                self.literal(key);
                self.json_integer(number);
            }
        }
    }

    /// Writes a mark, a number as `0x` and lower-case digits, and another mark.
    #[inline]
    pub(crate) fn marked_hex(&mut self, before: Mark, number: u64, after: Mark) {
        match self.room.get_mut(self.at..).and_then(|rest| rest.first_chunk_mut::<WINDOW>()) {
            Some(window) => {
                put(window, 0, before.text);
                put(window, before.len, *b"0x");
                let end = hex(window, before.len + 2, number);
                put(window, end, after.text);
                self.at += end + after.len;
            }
            None => self.is_full = true,
        }
    }

    /// Writes constant text, a number in decimal, and text after it.
    #[inline]
    pub(crate) fn keyed_decimal(&mut self, key: &Literal, number: u64, after: Mark) {
        if let Some(window) = self.window(key).filter(|_| number < SIXTEEN_DIGITS) {
            let end = decimal(window, key.len, number);
            put(window, end, after.text);
            self.at += end + after.len;
        } else {
            self.literal(key);
            self.decimal(number);
            self.block(&after.text, after.len);
        }
    }

    /// Writes constant text, a number as `0x` and lower-case digits, and text after it.
    #[inline]
    pub(crate) fn keyed_hex(&mut self, key: &Literal, number: u64, after: Mark) {
        if let Some(window) = self.window(key) {
            put(window, key.len, *b"0x");
            let end = hex(window, key.len + 2, number);
            put(window, end, after.text);
            self.at += end + after.len;
        } else {
            self.literal(key);
            self.block(b"0x", 2);
            self.hex(number);
            self.block(&after.text, after.len);
        }
    }

    /// Returns the room after what was written, with constant text at its start; `None` if it is longer than a block,
    /// or if there is no room.
    #[inline]
    fn window(&mut self, key: &Literal) -> Option<&mut [u8; WINDOW]> {
        let window = self.room.get_mut(self.at..)?.first_chunk_mut::<WINDOW>().filter(|_| key.len <= BLOCK)?;
        put(window, 0, key.first);
        Some(window)
    }
}

/// Writes a block at a place, which is within the window.
#[inline]
fn put<const N: usize>(window: &mut [u8; WINDOW], at: usize, block: [u8; N]) {
    if let Some(slot) = window.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        *slot = block;
    }
}

/// Writes a number below 10^16 in decimal and returns the place after it.
#[inline]
fn decimal(window: &mut [u8; WINDOW], at: usize, number: u64) -> usize {
    if number < 10 {
        put(window, at, [b'0' + number as u8]);
        return at + 1;
    }
    if number < 10_000 {
        let (digits, len) = below_4(number as u32);
        put(window, at, digits.to_le_bytes());
        return at + len;
    }
    if number < 100_000_000 {
        let (digits, len) = below_8(number as u32);
        put(window, at, digits.to_le_bytes());
        return at + len;
    }
    let (digits, len) = below_8((number / 100_000_000) as u32);
    put(window, at, digits.to_le_bytes());
    put(window, at + len, all_8((number % 100_000_000) as u32).to_le_bytes());
    at + len + 8
}

/// Writes a number in lower-case hexadecimal and returns the place after it.
#[inline]
fn hex(window: &mut [u8; WINDOW], at: usize, number: u64) -> usize {
    let digits = 16 - ((number | 1).leading_zeros() / 4) as usize;
    let low = hex8(number as u32);
    if digits <= 8 {
        put(window, at, (low >> ((8 - digits) * 8)).to_le_bytes());
        return at + digits;
    }
    let high = hex8((number >> 32) as u32);
    put(window, at, (high >> ((16 - digits) * 8)).to_le_bytes());
    put(window, at + digits - 8, low.to_le_bytes());
    at + digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_four_digits_are_whole() {
        for number in 0..10_000 {
            let mut pen = Pen::default();
            pen.begin(10);
            pen.keyed_decimal(&Literal::default(), number, Mark::NONE);
            assert_eq!(pen.text().unwrap(), number.to_string().as_bytes());
        }
    }

    #[test]
    fn keyed_numbers_are_the_parts_one_after_the_other() {
        let after = [Mark::new(b","), Mark::new(b"\",")];
        for key in [0, 1, 20, BLOCK - 1, BLOCK, BLOCK + 1, 100] {
            let key = Literal::new("k".repeat(key).as_bytes());
            for shift in 0..64 {
                for after in after {
                    for number in
                        [u64::MAX >> shift, (1 << shift), 0x0123_4567_89AB_CDEF >> shift, 10_u64.pow(shift % 20)]
                    {
                        let text = |write: &dyn Fn(&mut Pen)| {
                            let mut pen = Pen::default();
                            pen.begin(200);
                            write(&mut pen);
                            String::from_utf8(pen.text().unwrap().to_vec()).unwrap()
                        };
                        let parts = |digits: &str| {
                            let after = str::from_utf8(after.bytes()).unwrap();
                            format!("{}{digits}{after}", "k".repeat(key.len()))
                        };
                        assert_eq!(text(&|pen| pen.keyed_decimal(&key, number, after)), parts(&number.to_string()));
                        assert_eq!(text(&|pen| pen.keyed_hex(&key, number, after)), parts(&format!("{number:#x}")));
                    }
                }
            }
        }
    }
}
