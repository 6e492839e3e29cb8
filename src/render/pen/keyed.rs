//! Constant text with a number after it: most fields are that.

use crate::bytes::digits::{decimal8, hex_from_left, padded_decimal3, short_decimal3, short_decimal4, short_decimal8};

use super::{Literal, Mark, Memory, Pen};

/// Numbers below it have at most eight digits.
const EIGHT_DIGITS: u64 = 100_000_000;
/// Small negative numbers of 32 bits without their sign are a little more.
const NEGATIVE: u64 = 4_294_967_000;

impl<M: Memory> Pen<M> {
    /// Writes constant text, a number in decimal, and text after it.
    #[inline]
    pub(crate) fn keyed_decimal(&mut self, key: &Literal, number: u64, after: Mark) {
        self.literal(key);
        let end = decimal(&mut self.room, self.at, number);
        self.room.put(end, after.text);
        self.at = end + after.len;
    }

    /// Writes constant text, a number as `0x` and lower-case digits, and text after it.
    #[inline]
    pub(crate) fn keyed_hex(&mut self, key: &Literal, number: u64, after: Mark) {
        self.literal(key);
        let end = hex(&mut self.room, self.at, number);
        self.room.put(end, after.text);
        self.at = end + after.len;
    }

    /// Writes a mark, a number as `0x` and lower-case digits, and another mark.
    #[inline]
    pub(crate) fn marked_hex(&mut self, before: Mark, number: u64, after: Mark) {
        self.room.put(self.at, before.text);
        let end = hex(&mut self.room, self.at + before.len, number);
        self.room.put(end, after.text);
        self.at = end + after.len;
    }

    /// Writes a number below a million in decimal. Returns false, and writes nothing, for others.
    #[inline]
    pub(crate) fn short_decimal(&mut self, number: u64) -> bool {
        let end = short_decimal(&mut self.room, self.at, number);
        self.at = end.unwrap_or(self.at);
        end.is_some()
    }

    /// Writes a number in decimal.
    #[inline]
    pub fn decimal(&mut self, number: u64) {
        self.at = decimal(&mut self.room, self.at, number);
    }
}

/// Writes a number in decimal and returns the place after it.
#[inline]
fn decimal<M: Memory>(room: &mut M, at: usize, number: u64) -> usize {
    short_decimal(room, at, number).unwrap_or_else(|| long_decimal(room, at, number))
}

/// As [`decimal`]; `None`, and nothing is written, for seven digits or more.
#[inline]
fn short_decimal<M: Memory>(room: &mut M, at: usize, number: u64) -> Option<usize> {
    if number < 1_000 {
        let (digits, len) = short_decimal3(number as u32);
        room.put(at, digits.to_le_bytes());
        return Some(at + len);
    }
    if number < 1_000_000 {
        let (high, low) = (number as u32 / 1_000, number as u32 % 1_000);
        let (digits, len) = short_decimal3(high);
        room.put(at, digits.to_le_bytes());
        room.put(at + len, padded_decimal3(low).to_le_bytes());
        return Some(at + len + 3);
    }
    None
}

/// As [`decimal`], for seven digits or more.
#[inline(never)]
fn long_decimal<M: Memory>(room: &mut M, at: usize, number: u64) -> usize {
    let last = number.wrapping_sub(NEGATIVE);
    if last < 1_000 {
        room.put(at, *b"4294967");
        room.put(at + 7, padded_decimal3(last as u32).to_le_bytes());
        return at + 10;
    }
    if number < EIGHT_DIGITS {
        let (digits, len) = short_decimal8(number as u32);
        room.put(at, digits.to_le_bytes());
        return at + len;
    }
    let (high, low) = (number / EIGHT_DIGITS, number % EIGHT_DIGITS);
    let at = if high < EIGHT_DIGITS {
        let (digits, len) = short_decimal8(high as u32);
        room.put(at, digits.to_le_bytes());
        at + len
    } else {
        // The largest number begins with 1,844.
        let (digits, len) = short_decimal4((high / EIGHT_DIGITS) as u32);
        room.put(at, digits.to_le_bytes());
        room.put(at + len, decimal8((high % EIGHT_DIGITS) as u32).to_le_bytes());
        at + len + 8
    };
    room.put(at, decimal8(low as u32).to_le_bytes());
    at + 8
}

/// Writes a number as `0x` and lower-case digits and returns the place after it.
#[inline]
fn hex<M: Memory>(room: &mut M, at: usize, number: u64) -> usize {
    let (digits, len) = hex_from_left(number);
    room.put(at, *b"0x");
    room.put(at + 2, digits);
    at + 2 + len
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keyed_numbers_are_the_parts_one_after_the_other() {
        let after = [Mark::new(b","), Mark::new(b"\",")];
        for len in [0, 1, 20, 31, 32, 33, 100] {
            let key = Literal::new("k".repeat(len).as_bytes());
            for shift in 0..64 {
                for after in after {
                    for number in
                        [u64::MAX >> shift, (1 << shift), 0x0123_4567_89AB_CDEF >> shift, 10_u64.pow(shift % 20)]
                    {
                        let text = |write: &dyn Fn(&mut Pen)| {
                            let mut pen = <Pen>::default();
                            pen.begin();
                            write(&mut pen);
                            String::from_utf8(pen.text().unwrap().to_vec()).unwrap()
                        };
                        let parts = |digits: &str| {
                            let after = str::from_utf8(after.bytes()).unwrap();
                            format!("{}{digits}{after}", "k".repeat(len))
                        };
                        assert_eq!(text(&|pen| pen.keyed_decimal(&key, number, after)), parts(&number.to_string()));
                        assert_eq!(text(&|pen| pen.keyed_hex(&key, number, after)), parts(&format!("{number:#x}")));
                    }
                }
            }
        }
    }
}
