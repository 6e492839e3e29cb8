//! 8-bit text of an unknown code page.

use std::fmt::{self, Write as _};

use wide::u8x16;

/// 8-bit text. Windows would use the reading machine's code page; a trace does not record the writer's. Valid UTF-8 is
/// taken as UTF-8, anything else as Windows-1252 (section 9.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AnsiText<'d>(pub &'d [u8]);

impl AnsiText<'_> {
    /// Appends it to `out` as UTF-8.
    pub fn push_to(self, out: &mut String) {
        match std::str::from_utf8(self.0) {
            Ok(text) => out.push_str(text),
            Err(_) => out.extend(self.0.iter().map(|&b| windows_1252(b))),
        }
    }
}

impl fmt::Display for AnsiText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match std::str::from_utf8(self.0) {
            Ok(text) => f.write_str(text),
            Err(_) => self.0.iter().try_for_each(|&b| f.write_char(windows_1252(b))),
        }
    }
}

/// Returns the text up to the first NUL byte and the bytes it takes with the NUL; without a NUL, all bytes.
#[inline]
pub fn nul_terminated(bytes: &[u8]) -> (&[u8], usize) {
    let len = find_nul(bytes);
    let text = bytes.get(..len).unwrap_or_default();
    (text, if len < bytes.len() { len + 1 } else { len })
}

/// Index of the first zero byte, or the length.
fn find_nul(bytes: &[u8]) -> usize {
    let mut at = 0;
    for block in bytes.as_chunks::<16>().0 {
        let found = zeros(block);
        if found != 0 {
            return at + found.trailing_zeros() as usize;
        }
        at += 16;
    }
    // The last block overlaps one that has no zero.
    match bytes.last_chunk::<16>() {
        Some(last) => match zeros(last) {
            0 => bytes.len(),
            found => bytes.len() - 16 + found.trailing_zeros() as usize,
        },
        None => bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len()),
    }
}

/// Returns a bit for each zero byte.
#[inline]
fn zeros(block: &[u8; 16]) -> u32 {
    u8x16::new(*block).cmp_eq(u8x16::splat(0)).move_mask().cast_unsigned()
}

/// Returns the character of a Windows-1252 byte; the five undefined ones map to themselves, as browsers do.
fn windows_1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9F => HIGH.get(usize::from(byte - 0x80)).copied().unwrap_or(char::REPLACEMENT_CHARACTER),
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf8_stays_and_the_rest_is_windows_1252() {
        assert_eq!(AnsiText("grün".as_bytes()).to_string(), "grün");
        assert_eq!(AnsiText(b"gr\xFCn \x80").to_string(), "grün €");
    }

    #[test]
    fn finds_the_nul_at_every_length() {
        for len in 0..40 {
            for after in 0..20 {
                let mut bytes = b"x".repeat(len);
                assert_eq!(nul_terminated(&bytes), (&*bytes, len));
                bytes.push(0);
                bytes.extend(b"\0y".repeat(after));
                assert_eq!(nul_terminated(&bytes), (&bytes[..len], len + 1));
            }
        }
    }
}
