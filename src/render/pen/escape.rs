//! How the characters of a text are shown.

use crate::render::terminal::is_hazard;

use super::{Memory, Pen};

/// How the characters of a text are shown. Printable ASCII is written as it is, except for a few characters.
pub trait Escape {
    /// Printable ASCII characters that are not written as they are; a few of them.
    const SPECIAL: &'static [u8];
    /// Whether each of these is written with a backslash before it.
    const HAS_BACKSLASHES: bool;

    /// Writes a control character, one of [`Escape::SPECIAL`], or one that is not ASCII.
    fn special<M: Memory>(pen: &mut Pen<M>, c: char);
}

/// The text of a JSON string.
#[derive(Debug)]
pub(crate) struct JsonEscape;

impl Escape for JsonEscape {
    const SPECIAL: &'static [u8] = b"\"\\";
    const HAS_BACKSLASHES: bool = true;

    #[inline]
    fn special<M: Memory>(pen: &mut Pen<M>, c: char) {
        match u8::try_from(c) {
            Ok(byte @ (0..0x20 | b'"' | b'\\' | 0x7F)) => pen.json_escape(byte),
            _ if is_hazard(c) => pen.json_units(c),
            _ => pen.char(c),
        }
    }
}

impl<M: Memory> Pen<M> {
    /// Writes a character as JSON's escapes of its UTF-16.
    #[cold]
    fn json_units(&mut self, c: char) {
        for unit in c.encode_utf16(&mut [0; 2]) {
            self.block(b"\\u", 2);
            for shift in [12, 8, 4, 0] {
                let digit = (*unit >> shift & 15) as u8;
                self.byte(if digit < 10 { b'0' + digit } else { b'a' - 10 + digit });
            }
        }
    }

    /// Writes a character in UTF-8.
    #[inline]
    pub fn char(&mut self, c: char) {
        let mut bytes = [0; 4];
        let len = c.encode_utf8(&mut bytes).len();
        self.block(&bytes, len);
    }
}
