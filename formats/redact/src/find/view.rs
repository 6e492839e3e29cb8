//! Bytes as text, one byte per character, so that the same patterns fit text of 8 and of 16 bits.

use std::borrow::Cow;
use std::ops::Range;

use crate::coding::Coding;

use super::Form;
use super::hints::Hints;
use super::pieces::Piece;

/// Bytes as text, in one of the ways in which it may be written there.
#[derive(Debug)]
pub(crate) struct View<'b> {
    /// One byte per character. What is not ASCII is [`OTHER`] in text of 16 bits.
    pub(crate) text: Cow<'b, [u8]>,
    pub(super) start: usize,
    pub(super) is_wide: bool,
    /// Whether it is one text and nothing else.
    pub(super) is_text: bool,
    /// Patterns that may match it.
    pub(super) hints: Hints,
}

/// Returns whether two characters of ASCII are beside each other in text of 16 bits.
fn has_letters(bytes: &[u8], start: usize) -> bool {
    let mut before = false;
    bytes.get(start..).unwrap_or_default().as_chunks().0.iter().any(|[low, high]| {
        let is_letter = *high == 0 && low.is_ascii_graphic();
        std::mem::replace(&mut before, is_letter) && is_letter
    })
}

/// Stands for a character that is not ASCII.
const OTHER: u8 = 0xE0;
/// Regions of fewer bytes hold no pattern.
const SHORTEST: usize = 6;
/// What has fewer characters is found in numbers by chance: what may be a letter beside it is one.
const SHORTEST_APART: usize = 6;

impl<'b> View<'b> {
    /// Returns the three ways to read a piece: 8 bits, and 16 bits from an even or an odd place on, if there are characters
    /// of ASCII.
    pub(super) fn all(bytes: &'b [u8], piece: &Piece) -> impl Iterator<Item = Self> {
        let (first, is_text) = (piece.range.start, piece.is_text);
        let bytes = bytes.get(piece.range.clone()).unwrap_or_default();
        let narrow = (bytes.len() >= SHORTEST).then(|| Self::narrow(bytes));
        let starts = if narrow.is_some() { 0..2 } else { 0..0 };
        let wide = starts.filter(|start| has_letters(bytes, *start)).map(|start| Self::wide(bytes, start));
        let views = narrow.into_iter().chain(wide);
        views.map(move |view| Self { hints: Hints::of(&view.text), start: first + view.start, is_text, ..view })
    }

    /// Views text of a coding that is known, for which no pattern is needed.
    pub(crate) fn of(bytes: &'b [u8], coding: Coding) -> Self {
        if coding == Coding::Utf16 { Self::wide(bytes, 0) } else { Self::narrow(bytes) }
    }

    const fn narrow(bytes: &'b [u8]) -> Self {
        Self { text: Cow::Borrowed(bytes), start: 0, is_wide: false, is_text: true, hints: Hints::none() }
    }

    fn wide(bytes: &[u8], start: usize) -> Self {
        let units = bytes.get(start..).unwrap_or_default().as_chunks().0;
        let text = units.iter().map(|unit| match *unit {
            [ascii @ 0..0x80, 0] => ascii,
            // The noncharacter of fill, and what is private, is not text.
            [_, 0xE0..=0xF8 | 0xFF] => 0,
            _ => OTHER,
        });
        Self { text: Cow::Owned(text.collect()), start, is_wide: true, is_text: true, hints: Hints::none() }
    }

    /// Returns the place of characters in the bytes.
    pub(crate) const fn range(&self, characters: &Range<usize>) -> Range<usize> {
        let step = if self.is_wide { 2 } else { 1 };
        self.start + step * characters.start..self.start + step * characters.end
    }

    /// Returns how characters of a path are written: as part of a URL if they have a space as `%20` and none as itself.
    pub(crate) fn path_form(&self, bytes: &[u8], characters: &Range<usize>) -> Form {
        let text = self.text.get(characters.clone()).unwrap_or_default();
        let is_encoded = !text.contains(&b' ') && text.windows(3).any(|part| part == b"%20");
        match self.form(bytes, characters) {
            Form::Text(coding) if is_encoded => Form::Encoded(coding),
            form => form,
        }
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

    /// Returns whether a character that continues what was found is before or after it.
    ///
    /// Where it is not known what is text, one letter or digit that nothing else is beside is as likely a number before or
    /// after the text, or the end of a text of 8 bits before one of 16.
    pub(super) fn is_joined(&self, found: &Range<usize>, continues: impl Fn(u8) -> bool) -> bool {
        let (near, far) = (self.at(found.end), self.at(found.end + 1));
        self.is_joined_before(found, &continues) || near.is_some_and(&continues) && !self.is_apart(found, near, far)
    }

    /// The same of what is before it alone.
    pub(super) fn is_joined_before(&self, found: &Range<usize>, continues: impl Fn(u8) -> bool) -> bool {
        let (near, far) = (self.before(found.start), self.before(found.start.saturating_sub(1)));
        near.is_some_and(continues) && !self.is_apart(found, near, far)
    }

    /// Returns whether a character beside what was found may be something else; `far` is the one after it.
    fn is_apart(&self, found: &Range<usize>, near: Option<u8>, far: Option<u8>) -> bool {
        let is_letter = near.is_some_and(|near| near.is_ascii_alphanumeric());
        !self.is_text
            && found.len() >= SHORTEST_APART
            && is_letter
            && !far.is_some_and(|far| matches!(far, b' '..=b'~'))
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
