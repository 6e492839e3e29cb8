//! Bytes as text, one byte a character, so that the same patterns fit text of 8 and of 16 bits.

use std::borrow::Cow;
use std::ops::Range;

use crate::coding::Coding;

use super::Form;

/// Bytes as text, in one of the ways in which it may be written there.
#[derive(Debug)]
pub(crate) struct View<'b> {
    /// One byte a character. What is not ASCII is [`OTHER`] in text of 16 bits.
    pub(crate) text: Cow<'b, [u8]>,
    start: usize,
    is_wide: bool,
}

/// Stands for a character that is not ASCII.
const OTHER: u8 = 0xE0;
/// Regions of fewer bytes hold no pattern.
const SHORTEST: usize = 6;

impl<'b> View<'b> {
    /// Returns the three ways: 8 bits, and 16 bits from an even or an odd place on.
    pub(crate) fn all(bytes: &'b [u8]) -> Vec<Self> {
        if bytes.len() < SHORTEST {
            return Vec::new();
        }
        let wide = [0, 1].map(|start| Self::wide(bytes, start));
        let narrow = Self::narrow(bytes);
        std::iter::once(narrow).chain(wide.into_iter().filter(Self::has_letters)).collect()
    }

    /// Views text of a coding that is known.
    pub(crate) fn of(bytes: &'b [u8], coding: Coding) -> Self {
        if coding == Coding::Utf16 { Self::wide(bytes, 0) } else { Self::narrow(bytes) }
    }

    const fn narrow(bytes: &'b [u8]) -> Self {
        Self { text: Cow::Borrowed(bytes), start: 0, is_wide: false }
    }

    fn wide(bytes: &[u8], start: usize) -> Self {
        let units = bytes.get(start..).unwrap_or_default().as_chunks().0;
        let text = units.iter().map(|unit| match *unit {
            [ascii @ 0..0x80, 0] => ascii,
            // The noncharacter of fill, and what is private, is no text.
            [_, 0xE0..=0xF8 | 0xFF] => 0,
            _ => OTHER,
        });
        Self { text: Cow::Owned(text.collect()), start, is_wide: true }
    }

    fn has_letters(&self) -> bool {
        self.text.windows(2).any(|pair| pair.iter().all(u8::is_ascii_graphic))
    }

    /// Returns the place of characters in the bytes.
    pub(crate) const fn range(&self, characters: &Range<usize>) -> Range<usize> {
        let step = if self.is_wide { 2 } else { 1 };
        self.start + step * characters.start..self.start + step * characters.end
    }

    /// Returns how characters are written; `bytes` are those of the view.
    pub(crate) fn form(&self, bytes: &[u8], characters: &Range<usize>) -> Form {
        let bytes = bytes.get(self.range(characters)).unwrap_or_default();
        Form::Text(if self.is_wide { Coding::Utf16 } else { Coding::of_8_bit(bytes) })
    }

    /// Returns characters as text.
    pub(crate) fn decode(&self, bytes: &[u8], characters: &Range<usize>) -> String {
        let coding = self.form(bytes, characters).coding().unwrap_or(Coding::Latin1);
        coding.decode(bytes.get(self.range(characters)).unwrap_or_default())
    }

    /// Returns the character before a place.
    pub(crate) fn before(&self, at: usize) -> Option<u8> {
        at.checked_sub(1).and_then(|at| self.at(at))
    }

    /// Returns the character at a place.
    pub(crate) fn at(&self, at: usize) -> Option<u8> {
        self.text.get(at).copied()
    }
}
