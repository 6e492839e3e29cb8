//! Constant text with a number after it: most fields are that.

use crate::bytes::digits::{decimal8, hex8, short_decimal4, short_decimal8};
use crate::render::json::MAX_SAFE;

use super::{BLOCK, Literal, Mark, Pen};

/// Bytes that are written to at once: a block of constant text, a number and what is after it.
type Window = [u8; 96];
/// Numbers below it have eight digits at most.
const EIGHT_DIGITS: u64 = 100_000_000;

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

    /// Writes constant text, a number in decimal, and text after it.
    #[inline]
    pub(crate) fn keyed_decimal(&mut self, key: &Literal, number: u64, after: Mark) {
        self.keyed(key, after, |window, at| decimal(window, at, number));
    }

    /// Writes constant text, a number as `0x` and lower-case digits, and text after it.
    #[inline]
    pub(crate) fn keyed_hex(&mut self, key: &Literal, number: u64, after: Mark) {
        self.keyed(key, after, |window, at| hex(window, at, number));
    }

    /// Writes a mark, a number as `0x` and lower-case digits, and another mark.
    #[inline]
    pub(crate) fn marked_hex(&mut self, before: Mark, number: u64, after: Mark) {
        self.windowed(|window| {
            put(window, 0, before.text);
            let end = hex(window, before.len, number);
            put(window, end, after.text);
            end + after.len
        });
    }

    /// Writes a number in decimal.
    #[inline]
    pub fn decimal(&mut self, number: u64) {
        self.windowed(|window| decimal(window, 0, number));
    }

    #[inline]
    fn keyed(&mut self, key: &Literal, after: Mark, number: impl FnOnce(&mut Window, usize) -> usize) {
        let is_block = key.len <= BLOCK;
        if !is_block {
            self.literal(key);
        }
        self.windowed(|window| {
            let start = if is_block { key.len } else { 0 };
            if is_block {
                put(window, 0, key.first);
            }
            let end = number(window, start);
            put(window, end, after.text);
            end + after.len
        });
    }

    /// Hands over the room after what was written. `write` returns how many bytes are text.
    #[inline]
    fn windowed(&mut self, write: impl FnOnce(&mut Window) -> usize) {
        match self.room.get_mut(self.at..).and_then(|rest| rest.first_chunk_mut()) {
            Some(window) => self.at += write(window),
            None => self.is_full = true,
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

/// Writes a number in decimal and returns the place after it.
#[inline]
fn decimal(window: &mut Window, at: usize, number: u64) -> usize {
    if number < 10 {
        put(window, at, [b'0' + number as u8]);
        return at + 1;
    }
    if number < 10_000 {
        let (digits, len) = short_decimal4(number as u32);
        put(window, at, digits.to_le_bytes());
        return at + len;
    }
    if number < EIGHT_DIGITS {
        let (digits, len) = short_decimal8(number as u32);
        put(window, at, digits.to_le_bytes());
        return at + len;
    }
    let (high, low) = (number / EIGHT_DIGITS, number % EIGHT_DIGITS);
    let at = if high < EIGHT_DIGITS {
        let (digits, len) = short_decimal8(high as u32);
        put(window, at, digits.to_le_bytes());
        at + len
    } else {
        // The largest number begins with 1,844.
        let (digits, len) = short_decimal4((high / EIGHT_DIGITS) as u32);
        put(window, at, digits.to_le_bytes());
        put(window, at + len, decimal8((high % EIGHT_DIGITS) as u32).to_le_bytes());
        at + len + 8
    };
    put(window, at, decimal8(low as u32).to_le_bytes());
    at + 8
}

/// Writes a number as `0x` and lower-case digits and returns the place after it.
#[inline]
fn hex(window: &mut Window, at: usize, number: u64) -> usize {
    put(window, at, *b"0x");
    let at = at + 2;
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
