//! Constant text of a few bytes.

use super::{Memory, Pen};

/// Constant text of at most four bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub(super) text: [u8; 4],
    pub(super) len: usize,
}

impl Mark {
    /// Nothing.
    pub(crate) const NONE: Self = Self::new(b"");

    /// Takes the first four bytes.
    pub(crate) const fn new(text: &[u8]) -> Self {
        let (text, len) = match *text {
            [] => ([0; 4], 0),
            [a] => ([a, 0, 0, 0], 1),
            [a, b] => ([a, b, 0, 0], 2),
            [a, b, c] => ([a, b, c, 0], 3),
            [a, b, c, d, ..] => ([a, b, c, d], 4),
        };
        Self { text, len }
    }

    /// Returns its bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.text.get(..self.len).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn write<M: Memory>(self, pen: &mut Pen<M>) {
        match (self.len, self.text) {
            (0, _) => {}
            (1, [byte, ..]) => pen.byte(byte),
            (len, text) => pen.block(&text, len),
        }
    }
}
