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
    /// The coding of text of 16 bits.
    pub(super) wide: Option<Coding>,
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

/// Returns whether characters of ASCII are beside another one in text of 16 bits, big endian. Where all are ASCII, the text
/// is found as little endian, one place later.
fn has_big_letters(bytes: &[u8], start: usize) -> bool {
    let (mut letters, mut is_behind) = (0_u8, false);
    bytes.get(start..).unwrap_or_default().as_chunks().0.iter().any(|[high, low]| {
        let is_letter = *high == 0 && low.is_ascii_graphic();
        let is_other = is_script(*high);
        let has_run = letters >= 2;
        letters = if is_letter { letters.saturating_add(1) } else { 0 };
        is_behind = is_other || is_behind && is_letter;
        is_other && has_run || is_behind && letters >= 2
    })
}

/// Returns whether the high byte of a unit is that of a character above U+00FF; the noncharacter of fill, and what is
/// private, is not text.
const fn is_script(high: u8) -> bool {
    !matches!(high, 0 | 0xE0..=0xF8 | 0xFF)
}

/// Stands for a character that is not ASCII.
const OTHER: u8 = 0xE0;
/// Regions of fewer bytes hold no pattern.
const SHORTEST: usize = 6;
/// What has fewer characters is found in numbers by chance: what may be a letter beside it is one.
const SHORTEST_APART: usize = 6;

impl<'b> View<'b> {
    /// Returns the ways to read a piece: 8 bits, and 16 bits from an even or an odd place on, if there are characters of
    /// ASCII; in big endian only if it is not known what is text, and other characters are beside them.
    pub(super) fn all(bytes: &'b [u8], piece: &Piece) -> impl Iterator<Item = Self> {
        let (first, is_text) = (piece.range.start, piece.is_text);
        let bytes = bytes.get(piece.range.clone()).unwrap_or_default();
        let narrow = (bytes.len() >= SHORTEST).then(|| Self::narrow(bytes));
        let starts = if narrow.is_some() { 0..2 } else { 0..0 };
        let big_starts = if is_text { 0..0 } else { starts.clone() };
        let wide =
            starts.filter(|start| has_letters(bytes, *start)).map(|start| Self::wide(bytes, start, Coding::Utf16));
        let big = big_starts.filter(|start| has_big_letters(bytes, *start));
        let big = big.map(|start| Self::wide(bytes, start, Coding::Utf16Big));
        let views = narrow.into_iter().chain(wide).chain(big);
        views.map(move |view| Self { hints: Hints::of(&view.text), start: first + view.start, is_text, ..view })
    }

    /// Views text of a coding that is known, for which no pattern is needed.
    pub(crate) fn of(bytes: &'b [u8], coding: Coding) -> Self {
        if coding == Coding::Utf16 { Self::wide(bytes, 0, coding) } else { Self::narrow(bytes) }
    }

    const fn narrow(bytes: &'b [u8]) -> Self {
        Self { text: Cow::Borrowed(bytes), start: 0, wide: None, is_text: true, hints: Hints::none() }
    }

    fn wide(bytes: &[u8], start: usize, coding: Coding) -> Self {
        let character = |low: u8, high: u8| match (low, high) {
            (ascii @ 0..0x80, 0) => ascii,
            (_, 0) => OTHER,
            (_, high) if is_script(high) => OTHER,
            _ => 0,
        };
        let units = bytes.get(start..).unwrap_or_default().as_chunks().0.iter();
        let text: Vec<u8> = if coding == Coding::Utf16Big {
            units.map(|[high, low]| character(*low, *high)).collect()
        } else {
            units.map(|[low, high]| character(*low, *high)).collect()
        };
        Self { text: Cow::Owned(text), start, wide: Some(coding), is_text: true, hints: Hints::none() }
    }

    /// Returns whether it is text of 16 bits, big endian.
    pub(super) fn is_big(&self) -> bool {
        self.wide == Some(Coding::Utf16Big)
    }

    /// Returns the place of characters in the bytes.
    pub(crate) const fn range(&self, characters: &Range<usize>) -> Range<usize> {
        let step = if self.wide.is_some() { 2 } else { 1 };
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
        Form::Text(self.wide.unwrap_or_else(|| Coding::of_8_bit(bytes)))
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
