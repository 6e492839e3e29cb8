//! UTF-16LE text, borrowed as bytes because it is unaligned in the file.

use std::fmt::{self, Write as _};

use wide::{CmpEq, i8x16, i16x8, i16x16, u8x16};

use super::read::padded;

/// UTF-16LE text. Unpaired surrogates and an odd last byte print as U+FFFD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Utf16Text<'d>(pub &'d [u8]);

impl Utf16Text<'_> {
    /// Returns its characters.
    pub fn chars(self) -> impl Iterator<Item = char> {
        char::decode_utf16(utf16_units(self.0)).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// Appends it to `out` as UTF-8.
    pub fn push_to(self, out: &mut String) {
        out.push_str(&String::from(self));
    }

    /// Writes it to `out` as UTF-8, in place of the text that is there; its memory is used again.
    pub fn copy_to(self, out: &mut String) {
        let mut bytes = std::mem::take(out).into_bytes();
        bytes.clear();
        self.push_utf8(&mut bytes);
        *out = String::from_utf8(bytes).unwrap_or_default();
    }

    /// Appends it to `out` as UTF-8.
    pub(crate) fn push_utf8(self, out: &mut Vec<u8>) {
        out.reserve(self.0.len() / 2);
        for c in self.push_ascii(out).chars() {
            match u8::try_from(c) {
                Ok(ascii) if ascii.is_ascii() => out.push(ascii),
                _ => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
    }

    /// Appends its first characters, as long as blocks of them are ASCII. Returns the rest.
    fn push_ascii(self, out: &mut Vec<u8>) -> Self {
        let (blocks, rest) = self.0.as_chunks::<32>();
        let whole = blocks.iter().map_while(ascii).map(|block| out.extend_from_slice(&block)).count();
        let mut done = 32 * whole;
        if whole == blocks.len()
            && let Some(block) = ascii(&padded(rest))
        {
            let units = rest.len() / 2;
            out.extend_from_slice(block.get(..units).unwrap_or_default());
            done += 2 * units;
        }
        Self(self.0.get(done..).unwrap_or_default())
    }

    /// Hands over its first characters eight at a time, as long as they are ASCII that is `plain`: most text is nothing
    /// else, and the compiler vectorises this. Returns the rest.
    pub(crate) fn plain_blocks(self, plain: impl Fn(u8) -> bool, mut take: impl FnMut([u8; 8])) -> Self {
        let (units, _) = self.0.as_chunks::<2>();
        let mut done = 0;
        for block in units.as_chunks::<8>().0 {
            let mut low = [0; 8];
            let mut special = false;
            for (slot, &[ascii, high]) in low.iter_mut().zip(block) {
                *slot = ascii;
                special |= high != 0 || ascii >= 0x80 || !plain(ascii);
            }
            if special {
                break;
            }
            take(low);
            done += 16;
        }
        Self(self.0.get(done..).unwrap_or_default())
    }
}

impl From<Utf16Text<'_>> for String {
    fn from(text: Utf16Text<'_>) -> Self {
        let mut out = Self::new();
        text.copy_to(&mut out);
        out
    }
}

impl fmt::Display for Utf16Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.chars().try_for_each(|c| f.write_char(c))
    }
}

/// Returns the characters of a block, if all are ASCII.
#[inline]
fn ascii(block: &[u8; 32]) -> Option<[u8; 16]> {
    let (low, high) = (units8(block, 0), units8(block, 16));
    let beyond = (low | high) & i16x8::splat(0xFF80_u16.cast_signed());
    let is_ascii = beyond.cmp_eq(i16x8::splat(0)).move_mask() == 0xFF;
    is_ascii.then(|| *u8x16::narrow_i16x8(low, high).as_array_ref())
}

/// Returns eight units of a block of sixteen, from a byte on.
#[inline]
pub(crate) fn units8(block: &[u8; 32], from: usize) -> i16x8 {
    let (pairs, _) = block.as_chunks::<2>();
    let unit = |at: usize| pairs.get(from / 2 + at).map_or(0, |pair| i16::from_le_bytes(*pair));
    i16x8::new(std::array::from_fn(unit))
}

/// Returns the 16-bit units of `bytes`; an odd last byte becomes a lone surrogate, so that it shows as U+FFFD.
pub fn utf16_units(bytes: &[u8]) -> impl Iterator<Item = u16> + Clone {
    let (pairs, odd) = bytes.as_chunks::<2>();
    pairs.iter().map(|&pair| u16::from_le_bytes(pair)).chain(odd.iter().map(|_| 0xDFFF))
}

/// Returns the text up to the first NUL unit and the bytes it takes with the NUL; without a NUL, all whole units.
#[inline]
pub fn utf16_nul(bytes: &[u8]) -> (&[u8], usize) {
    let (units, _) = bytes.as_chunks::<2>();
    let len = find_nul(units);
    let text = bytes.get(..len * 2).unwrap_or_default();
    (text, if len < units.len() { len * 2 + 2 } else { len * 2 })
}

/// Appends the text up to the first NUL unit to `out` as UTF-8, and returns the bytes that it takes with the NUL;
/// `None`, and nothing is appended, without one. As [`utf16_nul`] and [`Utf16Text::push_to`], in one pass while it is
/// ASCII.
#[inline]
pub fn push_utf16_nul(bytes: &[u8], out: &mut Vec<u8>) -> Option<usize> {
    let start = out.len();
    let mut done = 0;
    let (blocks, rest) = bytes.as_chunks::<32>();
    for block in blocks {
        match push_block(block, out) {
            Block::Whole => done += block.len(),
            Block::Ends(units) => return Some(done + 2 * units + 2),
            Block::Other => return push_longer(bytes, done, start, out),
        }
    }
    match push_block(&padded(rest), out) {
        Block::Ends(units) if 2 * units + 1 < rest.len() => Some(done + 2 * units + 2),
        // Its NUL is not part of the text, or it is not ASCII.
        Block::Ends(units) => {
            out.truncate(out.len() - units);
            push_longer(bytes, done, start, out)
        }
        Block::Whole | Block::Other => push_longer(bytes, done, start, out),
    }
}

/// What sixteen units are.
enum Block {
    /// ASCII without a NUL, which was appended.
    Whole,
    /// ASCII before a NUL, which was appended: as many units.
    Ends(usize),
    /// Units beyond ASCII are among them. Nothing was appended.
    Other,
}

/// Appends the ASCII that a block has before its first NUL, if it has nothing else there.
#[inline]
fn push_block(block: &[u8; 32], out: &mut Vec<u8>) -> Block {
    // Units beyond 0xFF become 0xFF, but those from 0x8000 on become 0.
    let bytes = u8x16::narrow_i16x8(units8(block, 0), units8(block, 16));
    let zeros = bytes.cmp_eq(u8x16::splat(0)).move_mask().cast_unsigned();
    let beyond = bytes.move_mask().cast_unsigned();
    if zeros | beyond == 0 {
        out.extend_from_slice(bytes.as_array_ref());
        return Block::Whole;
    }
    let units = zeros.trailing_zeros() as usize;
    let is_nul = block.as_chunks::<2>().0.get(units).is_some_and(|unit| *unit == [0, 0]);
    if !is_nul || beyond & ((1 << units) - 1) != 0 {
        return Block::Other;
    }
    out.extend_from_slice(bytes.as_array_ref());
    out.truncate(out.len() - 16 + units);
    Block::Ends(units)
}

/// The same of what is not in whole blocks of ASCII, after bytes that were appended.
#[cold]
#[inline(never)]
fn push_longer(bytes: &[u8], done: usize, start: usize, out: &mut Vec<u8>) -> Option<usize> {
    let rest = bytes.get(done..).unwrap_or_default();
    let (text, taken) = utf16_nul(rest);
    if taken == text.len() {
        out.truncate(start);
        return None;
    }
    Utf16Text(text).push_utf8(out);
    Some(done + taken)
}

/// Index of the first zero unit, or the length.
fn find_nul(units: &[[u8; 2]]) -> usize {
    let (blocks, tail) = units.as_chunks::<16>();
    let mut left = blocks.iter();
    while let Some(block) = left.next() {
        let found = zeros(block);
        if found != 0 {
            return units.len() - tail.len() - 16 * (left.len() + 1) + found.trailing_zeros() as usize;
        }
    }
    // The last block overlaps one that has no zero.
    match units.last_chunk::<16>() {
        Some(last) => match zeros(last) {
            0 => units.len(),
            found => units.len() - 16 + found.trailing_zeros() as usize,
        },
        None => units.iter().position(|unit| *unit == [0, 0]).unwrap_or(units.len()),
    }
}

/// Returns a bit for each zero unit.
#[inline]
fn zeros(block: &[[u8; 2]; 16]) -> u32 {
    let units = i16x16::new(block.map(i16::from_le_bytes));
    i8x16::from_i16x16_saturate(units.cmp_eq(i16x16::splat(0))).move_mask().cast_unsigned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_at_the_nul_unit_not_at_a_zero_byte() {
        let bytes = [0x00, 0x01, 0x41, 0x00, 0x00, 0x00, 0x42, 0x00];
        assert_eq!(utf16_nul(&bytes), (&bytes[..4], 6));
        assert_eq!(utf16_nul(&bytes[..3]), (&bytes[..2], 2));
    }

    #[test]
    fn finds_the_nul_at_every_length() {
        for len in 0..70 {
            for after in 0..40 {
                let mut bytes = b"x\0".repeat(len);
                assert_eq!(utf16_nul(&bytes), (&*bytes, len * 2));
                bytes.extend([0, 0]);
                bytes.extend(b"\0\x01".repeat(after));
                assert_eq!(utf16_nul(&bytes), (&bytes[..len * 2], len * 2 + 2));
            }
        }
    }

    #[test]
    fn blocks_of_ascii_and_what_follows_are_one_text() {
        let plain = "0123456789abcdef";
        for special in ["", "ü", "€", "語", "😀", "\u{80}", "\u{FF}", "\u{7F}", "\0"] {
            for place in 0..40 {
                let text: String =
                    plain.chars().cycle().take(place).chain(special.chars()).chain(plain.chars()).collect();
                let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
                let mut pushed = Vec::new();
                Utf16Text(&bytes).push_utf8(&mut pushed);
                let mut copied = "what was there".to_owned();
                Utf16Text(&bytes).copy_to(&mut copied);
                assert_eq!((copied, pushed), (text.clone(), text.into_bytes()));
            }
        }
    }

    #[test]
    fn text_up_to_its_nul_is_that_of_two_passes() {
        for special in ["", "ü", "€", "😀", "\u{80}", "\u{7F}"] {
            for (place, after) in (0..40).flat_map(|place| [0, 1, 15, 16, 40].map(|after| (place, after))) {
                let text = "x".repeat(place) + special + &"y".repeat(place % 19);
                let mut bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
                let mut out = b"before".to_vec();
                assert_eq!((push_utf16_nul(&bytes, &mut out), &*out), (None, &b"before"[..]));
                bytes.push(0);
                assert_eq!((push_utf16_nul(&bytes, &mut out), &*out), (None, &b"before"[..]));
                bytes.push(0);
                let len = bytes.len();
                bytes.extend(b"\xFFz\0".repeat(after));
                assert_eq!(push_utf16_nul(&bytes, &mut out), Some(len));
                assert_eq!(String::from_utf8(out).unwrap(), format!("before{text}"));
            }
        }
        assert_eq!(push_utf16_nul(&[], &mut Vec::new()), None);
    }

    #[test]
    fn broken_surrogates_and_odd_bytes_show_as_replacement() {
        assert_eq!(Utf16Text(&[0x00, 0xD8, 0x41, 0x00]).to_string(), "\u{FFFD}A");
        assert_eq!(Utf16Text(&[0x3D, 0xD8, 0x00, 0xDE]).to_string(), "😀");
        assert_eq!(Utf16Text(&[0x41, 0x00, 0x42]).to_string(), "A\u{FFFD}");
    }
}
