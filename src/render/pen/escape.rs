//! How the characters of a text are shown.

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
            _ => pen.char(c),
        }
    }
}

impl<M: Memory> Pen<M> {
    /// Writes a character in UTF-8.
    #[inline]
    pub fn char(&mut self, c: char) {
        let mut bytes = [0; 4];
        let len = c.encode_utf8(&mut bytes).len();
        self.block(&bytes, len);
    }
}
