//! Numbers as digits.

use crate::bytes::digits::decimal8;
use crate::render::json::MAX_SAFE;

use super::{Memory, Pen};

impl<M: Memory> Pen<M> {
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

    /// Writes the eight digits of a number below 10^8.
    #[inline]
    pub(crate) fn decimal8(&mut self, number: u32) {
        self.block(&decimal8(number).to_le_bytes(), 8);
    }

    /// Writes the seven digits of a number below 10^7.
    #[inline]
    pub(crate) fn decimal7(&mut self, number: u32) {
        self.block(&(decimal8(number) >> 8).to_le_bytes(), 7);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Pen)) -> String {
        let mut pen = <Pen>::default();
        pen.begin();
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
            let signed = number.cast_signed();
            assert_eq!(written(|pen| pen.signed(signed)), signed.to_string());
            let eight = (number % 100_000_000) as u32;
            assert_eq!(written(|pen| pen.decimal8(eight)), format!("{eight:08}"));
            let seven = (number % 10_000_000) as u32;
            assert_eq!(written(|pen| pen.decimal7(seven)), format!("{seven:07}"));
        }
    }
}
