//! 8-bit text of an unknown code page.

use std::fmt::{self, Write as _};

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
}
