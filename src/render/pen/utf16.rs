//! UTF-16 into UTF-8, in one pass: it ends at the NUL, and characters are escaped on the way.

use wide::u8x16;

use crate::bytes::{padded, units8};

use super::ascii::{escaped_bytes, special_bytes};
use super::{Escape, LastText, Memory, Pen};

/// Units that are looked at together.
const UNITS: usize = 16;
const BLOCK: usize = 2 * UNITS;

impl<M: Memory> Pen<M> {
    /// Writes text up to its NUL, escaped. Returns the bytes it takes with the NUL; `None` if there is no NUL.
    #[inline]
    pub fn utf16<E: Escape>(&mut self, text: &[u8]) -> Option<usize> {
        let (start, mut at) = (self.at, 0);
        loop {
            let rest = text.get(at..)?;
            let written = match rest.first_chunk::<BLOCK>() {
                Some(block) => self.units::<E>(block),
                None => self.units::<E>(&padded(rest)),
            };
            at += 2 * written;
            if written < UNITS {
                let rest = text.get(at..)?;
                let unit = u16::from_le_bytes(*rest.first_chunk()?);
                if unit == 0 {
                    self.last_text = LastText { left: text.len(), start, end: self.at };
                    return Some(at + 2);
                }
                at += self.special_unit::<E>(unit, rest);
            }
        }
    }

    /// Writes the first units of a block, up to one that needs more than a backslash, and returns their number.
    #[inline]
    fn units<E: Escape>(&mut self, block: &[u8; BLOCK]) -> usize {
        // Units beyond a byte become 255 or 0, which are not plain.
        let bytes = u8x16::narrow_i16x8(units8(block, 0), units8(block, UNITS)).to_array();
        let special = special_bytes::<E>(&bytes);
        let start = self.at;
        self.block(&bytes, UNITS);
        if special == 0 {
            return UNITS;
        }
        let escaped = if E::HAS_BACKSLASHES { escaped_bytes::<E>(&bytes) } else { 0 };
        let end = ((special ^ escaped) | 1 << UNITS).trailing_zeros() as usize;
        let backslashes = self.with_backslashes(start, &bytes, escaped & ((1 << end) - 1));
        self.at = start + end + backslashes;
        end
    }

    /// Writes the bytes of a block, which begins at a place, from the first marked one on, with a backslash before each
    /// marked one. Returns how many there are.
    #[inline]
    fn with_backslashes(&mut self, start: usize, bytes: &[u8; UNITS], mut marked: u32) -> usize {
        // Room to read a whole block from each of its bytes on.
        let mut padded = [0; 2 * UNITS];
        padded.split_at_mut(UNITS).0.copy_from_slice(bytes);
        let mut place = start;
        while marked != 0 {
            let at = marked.trailing_zeros() as usize % UNITS;
            marked &= marked - 1;
            let Some(rest) = padded.get(at..).and_then(|rest| rest.first_chunk::<UNITS>()) else { break };
            self.room.put(place + at, *b"\\");
            self.room.put(place + at + 1, *rest);
            place += 1;
        }
        place - start
    }

    /// Writes the character that begins with a unit, which is not plain, and returns its bytes in the text.
    fn special_unit<E: Escape>(&mut self, unit: u16, text: &[u8]) -> usize {
        match char::from_u32(unit.into()) {
            Some(c) => E::special(self, c),
            None => return self.surrogates::<E>(unit, text),
        }
        2
    }

    /// Writes the character of a pair of surrogates, or U+FFFD for a lone one.
    #[cold]
    fn surrogates<E: Escape>(&mut self, first: u16, text: &[u8]) -> usize {
        let second = text.get(2..4).and_then(|unit| unit.first_chunk()).map(|unit| u16::from_le_bytes(*unit));
        let pair = second.and_then(|second| char::decode_utf16([first, second]).next()?.ok());
        E::special(self, pair.unwrap_or(char::REPLACEMENT_CHARACTER));
        if pair.is_some() { 4 } else { 2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Utf16Text;
    use crate::render::escape::push_utf16;
    use crate::render::pen::JsonEscape;

    fn both(text: &[u8]) -> (Option<usize>, Vec<u8>, Vec<u8>) {
        let (mut pen, mut plain) = (<Pen>::default(), Vec::new());
        pen.begin();
        let taken = pen.utf16::<JsonEscape>(text);
        push_utf16(&mut plain, Utf16Text(&text[..taken.unwrap_or(2) - 2]));
        (taken, pen.text().unwrap().to_vec(), plain)
    }

    fn utf16(text: &str) -> Vec<u8> {
        text.encode_utf16().chain([0, 7]).flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn text_is_escaped_as_elsewhere_at_every_length() {
        let texts =
            ["plain text of more than sixteen units", "C:\\Windows\\\"x\"\n\u{1}\u{7f}\t\r\u{1f}", "grün 😀 日本 €"];
        for text in texts {
            let all: Vec<char> = text.chars().cycle().take(90).collect();
            for len in 0..all.len() {
                let text: String = all[..len].iter().collect();
                let bytes = utf16(&text);
                let (taken, quick, plain) = both(&bytes);
                assert_eq!(taken, Some(bytes.len() - 2), "{text}");
                assert_eq!(quick, plain, "{text}");
            }
        }
    }

    #[test]
    fn the_last_text_is_written_again() {
        let text = utf16("C:\\Windows\\x");
        let mut pen = <Pen>::default();
        pen.begin();
        pen.utf16::<JsonEscape>(&text);
        assert!(!pen.text_again(text.len() + 1, 0) && !pen.text_again(text.len(), 15));
        assert!(pen.text_again(text.len(), 4) && pen.text_again(text.len(), 14));
        assert_eq!(pen.text(), Some(&b"C:\\\\Windows\\\\xWindows\\\\x"[..]));
        pen.begin();
        assert!(!pen.text_again(text.len(), 0));
    }

    #[test]
    fn every_unit_is_escaped_as_elsewhere() {
        for unit in 1..=u16::MAX {
            let bytes: Vec<u8> =
                [u16::from(b'a'), unit, u16::from(b'b'), 0].into_iter().flat_map(u16::to_le_bytes).collect();
            let (taken, quick, plain) = both(&bytes);
            assert_eq!((taken, quick), (Some(8), plain), "{unit:#x}");
        }
    }

    #[test]
    fn text_without_its_nul_is_refused() {
        for len in 0..70 {
            let text = "ab\\".repeat(30);
            let bytes = utf16(&text[..len]);
            let mut pen = <Pen>::default();
            pen.begin();
            assert_eq!(
                (pen.utf16::<JsonEscape>(&bytes[..len * 2]), pen.utf16::<JsonEscape>(&bytes[..=len * 2])),
                (None, None)
            );
        }
    }
}
