//! Whether a word stands alone: no letter or digit is beside it.

use std::ops::Range;

use crate::coding::{Coding, code_page_char};
use crate::find::{Found, Piece};

/// A word of fewer characters is replaced only where it stands alone.
pub(crate) const LONG: usize = 5;
/// A shorter word of 8 bits is found among random bytes, unless text is around it.
const SHORTEST_APART: usize = 4;
/// Bytes of the longest character of UTF-8.
const MOST_BYTES: usize = 4;
/// What sentences have beside a word, of code page 1252.
const SIGNS: &str = "\u{A0}¡«·»¿‚„…‹›‘’“”•–—";

/// A word that was found, and the piece that has it.
#[derive(Debug)]
pub(crate) struct Beside<'b> {
    /// The bytes of the piece.
    text: &'b [u8],
    /// Whether they are text, so that all that looks like a letter is one.
    is_text: bool,
    /// Where the word is in them.
    word: Range<usize>,
    /// How it is written.
    coding: Option<Coding>,
    /// Whether it is part of many others.
    is_frequent: bool,
}

/// What is beside a word.
#[derive(Debug)]
struct Near {
    character: char,
    /// Whether it is one byte that is not ASCII: in random bytes, most are.
    is_lone: bool,
    /// Whether text is beside it in turn.
    is_joined: bool,
    /// Whether text of 8 bits is there, beside a word of 16 bits.
    is_narrow: bool,
}

impl<'b> Beside<'b> {
    pub(crate) fn new(bytes: &'b [u8], piece: &Piece, found: &Found, is_frequent: bool) -> Self {
        let text = bytes.get(piece.range.clone()).unwrap_or_default();
        let word = found.range.start - piece.range.start..found.range.end - piece.range.start;
        Self { text, is_text: piece.is_text, word, coding: found.form.coding(), is_frequent }
    }

    /// Returns whether no letter or digit is beside the word.
    pub(crate) fn stands_alone(&self) -> bool {
        match self.coding {
            Some(Coding::Utf16 | Coding::Utf16Short | Coding::Utf16Big) => {
                self.is_wide_edge(self.unit_before()) && self.is_wide_edge(self.unit_behind())
            }
            _ => self.is_narrow_edge(self.byte_before()) && self.is_narrow_edge(self.byte_behind()),
        }
    }

    fn is_narrow_edge(&self, near: Option<Near>) -> bool {
        let Some(near) = near else { return true };
        let len = self.word.len();
        let is_apart = len >= SHORTEST_APART && !near.is_joined;
        match near.character {
            // Random bytes around three letters are not text.
            c if !is_letter(c) => self.is_text || !near.is_lone || len >= SHORTEST_APART || SIGNS.contains(c),
            // It may be half of a character in another code page, or a number.
            _ if near.is_lone => len >= LONG || is_apart && !self.is_text,
            _ if self.is_text => false,
            // Of bytes of which nothing is known, a letter beside the word may be a number.
            c if c.is_ascii() => is_apart && !self.is_frequent,
            _ => is_apart || len >= LONG,
        }
    }

    fn is_wide_edge(&self, near: Option<Near>) -> bool {
        let Some(near) = near.filter(|near| is_letter(near.character)) else { return true };
        match near.character {
            _ if self.is_text => false,
            c if c.is_ascii() => near.is_narrow || !self.is_frequent && !near.is_joined,
            _ => !near.is_joined || self.word.len().div_ceil(2) >= LONG,
        }
    }

    fn byte_before(&self) -> Option<Near> {
        let before = self.text.get(..self.word.start)?;
        let of_len = |len: usize| before.len().checked_sub(len).and_then(|at| before.get(at..));
        let far = |len: usize| before.iter().rev().nth(len).copied();
        Near::narrow((2..=MOST_BYTES).find_map(|len| utf8(of_len(len)?)), before.last().copied(), far)
    }

    fn byte_behind(&self) -> Option<Near> {
        let behind = self.text.get(self.word.end..)?;
        let far = |len: usize| behind.get(len).copied();
        Near::narrow((2..=MOST_BYTES).find_map(|len| utf8(behind.get(..len)?)), behind.first().copied(), far)
    }

    fn unit_before(&self) -> Option<Near> {
        let start = self.word.start;
        Near::wide(self.unit(start.checked_sub(2))?, self.unit(start.checked_sub(4)))
    }

    fn unit_behind(&self) -> Option<Near> {
        let end = self.word.start + self.word.len().next_multiple_of(2);
        Near::wide(self.unit(Some(end))?, self.unit(Some(end + 2)))
    }

    fn unit(&self, at: Option<usize>) -> Option<[u8; 2]> {
        let [low, high] = self.text.get(at?..)?.first_chunk().copied()?;
        Some(if self.coding == Some(Coding::Utf16Big) { [high, low] } else { [low, high] })
    }
}

impl Near {
    /// Takes a character of more than one byte, or else the byte that is there. `far` returns the byte beyond as many bytes.
    fn narrow(long: Option<char>, byte: Option<u8>, far: impl Fn(usize) -> Option<u8>) -> Option<Self> {
        let byte = byte?;
        let (character, len) = match (long, byte) {
            (Some(c), _) => (c, c.len_utf8()),
            // The end of a number below zero; as a letter, it is at the start of no word.
            (None, 0xFF) => (char::REPLACEMENT_CHARACTER, 1),
            (None, byte) => (code_page_char(byte), 1),
        };
        let is_lone = len == 1 && (0x80..0xFF).contains(&byte);
        Some(Self { character, is_lone, is_joined: far(len).is_some_and(is_text), is_narrow: false })
    }

    fn wide(unit: [u8; 2], far: Option<[u8; 2]>) -> Option<Self> {
        let character = char::from_u32(u16::from_le_bytes(unit).into())?;
        let is_joined = matches!(far, Some([letter, 0]) if is_text(letter));
        let is_narrow = far.is_some_and(|far| far.iter().all(u8::is_ascii_graphic));
        Some(Self { character, is_lone: false, is_joined, is_narrow })
    }
}

/// Returns whether a character beside a word is part of a longer one. Scripts without case, such as Chinese, write their
/// words without a space beside a name.
fn is_letter(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphanumeric() } else { c.is_lowercase() || c.is_uppercase() }
}

/// Returns whether a byte is a character of ASCII that texts have.
const fn is_text(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~')
}

/// Reads bytes that are one character of UTF-8.
fn utf8(bytes: &[u8]) -> Option<char> {
    let mut characters = std::str::from_utf8(bytes).ok()?.chars();
    characters.next().filter(|_| characters.next().is_none())
}
