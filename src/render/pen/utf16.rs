//! UTF-16 into UTF-8, in one pass: it ends at the NUL, and characters are escaped on the way.

use wide::u8x16;

use crate::bytes::units8;

use super::ascii::special_bytes;
use super::{Escape, Pen, padded};

/// Units that are looked at together.
const UNITS: usize = 16;
const BLOCK: usize = 2 * UNITS;

impl Pen {
    /// Writes text up to its NUL, escaped. Returns the bytes it takes with the NUL; `None` if there is no NUL.
    ///
    /// The room must have half as many bytes for each byte of text as the longest escape: three for JSON, as `\u0001`
    /// is one unit.
    #[inline]
    pub fn utf16<E: Escape>(&mut self, text: &[u8]) -> Option<usize> {
        let mut at = 0;
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
        let plain = (special | 1 << UNITS).trailing_zeros() as usize;
        self.block(&bytes, plain);
        if special == 0 || !E::HAS_BACKSLASHES { plain } else { self.with_backslashes::<E>(&bytes, special) }
    }

    /// Writes the bytes of a block from the first special one on, as [`Pen::units`] does.
    #[inline]
    fn with_backslashes<E: Escape>(&mut self, bytes: &[u8; UNITS], mut special: u32) -> usize {
        // Room to read a whole block from each of its bytes on.
        let mut padded = [0; 2 * UNITS];
        padded.split_at_mut(UNITS).0.copy_from_slice(bytes);
        while special != 0 {
            let at = special.trailing_zeros() as usize;
            special &= special - 1;
            let Some(rest) = padded.get(at..).and_then(|rest| rest.first_chunk::<UNITS>()) else { return at };
            if !rest.first().is_some_and(|byte| E::SPECIAL.contains(byte)) {
                return at;
            }
            self.byte(b'\\');
            let next = (special | 1 << UNITS).trailing_zeros() as usize;
            self.block(rest, next - at);
        }
        UNITS
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
        let (mut pen, mut plain) = (Pen::default(), Vec::new());
        pen.begin(text.len() * 3);
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
            let mut pen = Pen::default();
            pen.begin(1000);
            assert_eq!(
                (pen.utf16::<JsonEscape>(&bytes[..len * 2]), pen.utf16::<JsonEscape>(&bytes[..=len * 2])),
                (None, None)
            );
        }
    }
}
