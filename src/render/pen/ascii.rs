//! Text of one byte per character, in one pass: it ends at the NUL, and characters are escaped on the way.

use wide::{CmpEq, CmpLt, i8x16};

use crate::bytes::padded;

use super::{Escape, Memory, Pen};

/// Bytes that are looked at together.
const BLOCK: usize = 16;

/// Returns a bit for each byte that is not ASCII, or that is not written as it is.
#[inline]
pub(super) fn special_bytes<E: Escape>(block: &[u8; BLOCK]) -> u32 {
    let signed = i8x16::new(block.map(u8::cast_signed));
    // Bytes from 0x80 on are negative.
    let special = E::SPECIAL
        .iter()
        .map(|byte| signed.cmp_eq(i8x16::splat(byte.cast_signed())))
        .fold(signed.cmp_lt(i8x16::splat(0x20)) | signed.cmp_eq(i8x16::splat(0x7F)), |all, one| all | one);
    special.move_mask().cast_unsigned()
}

/// Returns a bit for each byte that is one of [`Escape::SPECIAL`].
#[inline]
pub(super) fn escaped_bytes<E: Escape>(block: &[u8; BLOCK]) -> u32 {
    let signed = i8x16::new(block.map(u8::cast_signed));
    let is = |byte: &u8| signed.cmp_eq(i8x16::splat(byte.cast_signed()));
    E::SPECIAL.iter().map(is).fold(i8x16::ZERO, |all, one| all | one).move_mask().cast_unsigned()
}

impl<M: Memory> Pen<M> {
    /// Writes ASCII text up to its NUL, escaped. Returns the bytes it takes with the NUL; `None` if there is no NUL, or
    /// if something before it is not ASCII.
    #[inline]
    pub fn ascii<E: Escape>(&mut self, text: &[u8]) -> Option<usize> {
        let mut at = 0;
        loop {
            let rest = text.get(at..)?;
            let plain = match rest.first_chunk::<BLOCK>() {
                Some(block) => self.plain_bytes::<E>(block),
                None => self.plain_bytes::<E>(&padded(rest)),
            };
            at += plain;
            if plain < BLOCK {
                match *text.get(at)? {
                    0 => return Some(at + 1),
                    byte @ 0..0x80 => E::special(self, byte.into()),
                    _ => return None,
                }
                at += 1;
            }
        }
    }

    /// Writes the first bytes of a block, up to one that is not plain, and returns their number.
    #[inline]
    pub(super) fn plain_bytes<E: Escape>(&mut self, block: &[u8; BLOCK]) -> usize {
        let plain = (special_bytes::<E>(block) | 1 << BLOCK).trailing_zeros() as usize;
        self.block(block, plain);
        plain
    }

    /// Writes an ASCII character that JSON escapes.
    pub(super) fn json_escape(&mut self, byte: u8) {
        let short = match byte {
            b'"' | b'\\' => byte,
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            _ => {
                self.block(b"\\u00", 4);
                self.byte(b'0' + (byte >> 4));
                let low = byte & 15;
                return self.byte(if low < 10 { b'0' + low } else { b'a' - 10 + low });
            }
        };
        self.block(&[b'\\', short], 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::escape::push_str;
    use crate::render::pen::JsonEscape;

    #[test]
    fn text_is_escaped_as_elsewhere_at_every_length() {
        let text: String = (1..0x80_u8).map(char::from).chain("plain text and C:\\Windows\\x".chars()).collect();
        for len in 0..text.len() {
            let (mut bytes, mut plain) = (text.as_bytes()[..len].to_vec(), Vec::new());
            let mut pen = <Pen>::default();
            pen.begin();
            assert_eq!(pen.ascii::<JsonEscape>(&bytes), None);
            bytes.extend_from_slice(b"\0x");
            pen.begin();
            assert_eq!(pen.ascii::<JsonEscape>(&bytes), Some(len + 1));
            push_str(&mut plain, &text[..len]);
            assert_eq!(pen.text(), Some(&plain[..]));
        }
    }

    #[test]
    fn other_bytes_are_refused() {
        for at in 0..40 {
            let mut bytes = [b'a'; 41];
            (bytes[at], bytes[40]) = (0x80 + at as u8, 0);
            let mut pen = <Pen>::default();
            pen.begin();
            assert_eq!(pen.ascii::<JsonEscape>(&bytes), None);
        }
    }
}
