//! Words that are looked for in all bytes.

use std::collections::BTreeMap;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use crate::coding::{Coding, fold, upper_char};
use crate::error::{Error, Result};
use crate::find::{Form, Found, Piece, Pieces};
use crate::kind::Kind;
use crate::limits::{MOST_WORD_BYTES, MOST_WORDS};
use crate::well_known;

/// A word of fewer characters is replaced only where it is a whole word.
const LONG: usize = 5;
/// A word of as many characters is part of others by intent.
const VERY_LONG: usize = 8;
/// Shorter words are replaced only in fields and paths: as any bytes, they are everywhere.
pub(crate) const SHORTEST: usize = 3;
/// A shorter word of 8 bits is found among random bytes, unless text is around it.
const SHORTEST_APART: usize = 4;
/// Words of more bytes, in all their forms, get the slower automaton: the faster one takes some 100 times as many bytes.
const MOST_DFA_BYTES: usize = 1 << 16;
/// Of a word with more letters outside of ASCII, not all mixtures of upper and lower case are looked for.
const MOST_MIXED: usize = 4;

/// The words that are known so far.
#[derive(Debug, Default)]
pub(crate) struct WordList {
    words: BTreeMap<String, Word>,
    /// Binary addresses.
    addresses: BTreeMap<Vec<u8>, Form>,
    bytes: usize,
}

#[derive(Clone, Copy, Debug)]
struct Word {
    kind: Kind,
    /// Whether it is replaced only where it is a whole word.
    is_alone: bool,
    /// Whether it is part of many others.
    is_frequent: bool,
}

impl WordList {
    /// Adds a word. `is_alone` states that it is replaced only where no letter or digit is beside it, unless it is very
    /// long; short and frequent words are so in any case.
    pub(crate) fn add(&mut self, kind: Kind, text: &str, is_alone: bool) -> Result<()> {
        let text = fold(text.trim());
        let len = text.chars().count();
        let is_alone = is_alone && len < VERY_LONG || len < LONG || well_known::is_frequent(&text);
        self.insert(kind, text, is_alone)
    }

    /// Adds a word that is replaced only where it is a whole word, however long it is.
    pub(crate) fn add_whole(&mut self, kind: Kind, text: &str) -> Result<()> {
        self.insert(kind, fold(text.trim()), true)
    }

    fn insert(&mut self, kind: Kind, text: String, is_alone: bool) -> Result<()> {
        let is_frequent = well_known::is_frequent(&text);
        if let Some(known) = self.words.get_mut(&text) {
            known.is_alone &= is_alone;
            return Ok(());
        }
        // Arguments have a limit of their own, beyond which they are left out.
        self.bytes += if kind == Kind::Command { 0 } else { text.len() };
        if self.words.len() >= MOST_WORDS {
            return Err(Error::Limit { what: "words", limit: MOST_WORDS });
        }
        if self.bytes > MOST_WORD_BYTES {
            return Err(Error::Limit { what: "bytes of words", limit: MOST_WORD_BYTES });
        }
        self.words.insert(text, Word { kind, is_alone, is_frequent });
        Ok(())
    }

    /// Adds a binary address of six bytes or more: fewer are found by chance.
    pub(crate) fn add_address(&mut self, bytes: &[u8], form: Form) -> Result<()> {
        if self.addresses.len() >= MOST_WORDS {
            return Err(Error::Limit { what: "addresses", limit: MOST_WORDS });
        }
        self.addresses.insert(bytes.to_vec(), form);
        Ok(())
    }

    /// Returns the number of words.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// Returns whether a text is one of the words.
    pub(crate) fn contains(&self, text: &str) -> bool {
        self.words.contains_key(&fold(text))
    }

    /// Makes the automaton that finds them.
    pub(crate) fn build(&self) -> Result<Words> {
        let (mut bytes, mut patterns) = (Vec::new(), Vec::new());
        for (text, word) in &self.words {
            each_form(text, |form, pattern| {
                patterns.push(Pattern { word: *word, form, len: pattern.len(), binary: None });
                bytes.push(pattern);
            });
        }
        for (address, form) in &self.addresses {
            let word = Word { kind: Kind::Address, is_alone: false, is_frequent: false };
            patterns.push(Pattern { word, form: *form, len: address.len(), binary: Some(address.clone()) });
            bytes.push(address.clone());
        }
        let longest = patterns.iter().map(|pattern| pattern.len).max().unwrap_or(0);
        let is_small = bytes.iter().map(Vec::len).sum::<usize>() <= MOST_DFA_BYTES;
        let kind = if is_small { AhoCorasickKind::DFA } else { AhoCorasickKind::ContiguousNFA };
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(kind))
            .build(&bytes)
            .map_err(|_| Error::Limit { what: "bytes of words", limit: MOST_WORD_BYTES })?;
        Ok(Words { automaton, patterns, longest })
    }
}

/// Hands over the bytes by which a word is found: in all codings, with the cases of letters outside of ASCII.
fn each_form(text: &str, mut each: impl FnMut(Form, Vec<u8>)) {
    for text in cases(text) {
        let is_short = Coding::Utf16.encode(&text).ends_with(&[0]);
        let wide = if is_short { Coding::Utf16Short } else { Coding::Utf16 };
        each(Form::Text(wide), wide.encode(&text));
        each(Form::Text(Coding::Utf8), Coding::Utf8.encode(&text));
        if !text.is_ascii() && text.chars().all(|c| u32::from(c) <= 0xFF) {
            each(Form::Text(Coding::Latin1), Coding::Latin1.encode(&text));
        }
        if text.contains(' ') {
            let encoded = text.replace(' ', "%20");
            each(Form::Encoded(wide), wide.encode(&encoded));
            each(Form::Encoded(Coding::Utf8), encoded.into_bytes());
        }
    }
}

/// Returns a text with the cases of its letters outside of ASCII. The automaton takes care of the others.
fn cases(text: &str) -> Vec<String> {
    let mixed: Vec<(usize, char)> =
        text.char_indices().filter(|(_, c)| !c.is_ascii() && upper_char(*c) != *c).collect();
    let masks: Vec<u32> = match mixed.len() {
        count @ 0..=MOST_MIXED => (0..1 << count).collect(),
        // All small, all large, and the first one large.
        _ => vec![0, u32::MAX, 1],
    };
    let of_mask = |mask: u32| -> String {
        let is_large = |at: usize| {
            let number = mixed.iter().position(|(place, _)| *place == at);
            number.is_some_and(|number| mask.checked_shr(number as u32).unwrap_or(mask) & 1 == 1)
        };
        text.char_indices().map(|(at, c)| if is_large(at) { upper_char(c) } else { c }).collect()
    };
    masks.into_iter().map(of_mask).collect()
}

/// Finds words in bytes.
#[derive(Debug)]
pub(crate) struct Words {
    automaton: AhoCorasick,
    patterns: Vec<Pattern>,
    /// Bytes of the longest pattern.
    pub(crate) longest: usize,
}

#[derive(Clone, Debug)]
struct Pattern {
    word: Word,
    form: Form,
    len: usize,
    /// The bytes themselves: case matters in what is not text.
    binary: Option<Vec<u8>>,
}

impl Pattern {
    fn is_at(&self, bytes: &[u8], range: &Range<usize>) -> bool {
        self.binary.as_deref().is_none_or(|binary| bytes.get(range.clone()) == Some(binary))
    }
}

impl Words {
    /// Returns the words in bytes; they may overlap. Words that must stand alone are looked for in each piece by itself. In
    /// names of events and fields, which `is_name` knows, they are none: a user `message` is not a reason to rename fields.
    pub(crate) fn find<'b>(
        &'b self,
        bytes: &'b [u8],
        pieces: &'b Pieces,
        is_name: impl Fn(usize) -> bool + 'b,
    ) -> impl Iterator<Item = Found> + 'b {
        let found = self.automaton.find_overlapping_iter(bytes).filter_map(|found| {
            let pattern = self.patterns.get(found.pattern().as_usize())?;
            pattern.is_at(bytes, &found.range()).then(|| (pattern, found.range()))
        });
        let counts = move |(pattern, range): &(&Pattern, Range<usize>)| {
            let is_free = || pieces.holding(range).is_some_and(|piece| stands_alone(bytes, piece, range, pattern));
            !pattern.word.is_alone || !is_name(range.start) && is_free()
        };
        found.filter(counts).map(|(pattern, range)| Found::new(range, pattern.word.kind, pattern.form))
    }

    /// Returns the words in bytes that are in no other one, in order. There are no more of them than bytes, where those of
    /// [`Words::find`] may be hundreds a byte.
    pub(crate) fn outermost(&self, bytes: &[u8], pieces: &Pieces, is_name: impl Fn(usize) -> bool) -> Vec<Found> {
        let mut kept: Vec<Found> = Vec::new();
        // They come in the order of their ends.
        for found in self.find(bytes, pieces, is_name) {
            if kept
                .last()
                .is_some_and(|last| last.range.end == found.range.end && last.range.start <= found.range.start)
            {
                continue;
            }
            while kept.last().is_some_and(|last| last.range.start >= found.range.start) {
                kept.pop();
            }
            kept.push(found);
        }
        kept.into_iter().flat_map(|found| without_numbers(found, pieces)).collect()
    }

    /// Returns where the first of the long words is, wherever it is.
    pub(crate) fn first_long(&self, bytes: &[u8]) -> Option<(usize, Kind)> {
        let found = self.automaton.find_overlapping_iter(bytes).filter_map(|found| {
            let pattern = self.patterns.get(found.pattern().as_usize())?;
            pattern.is_at(bytes, &found.range()).then(|| (found.start(), pattern.word))
        });
        found.filter(|(_, word)| !word.is_alone).map(|(at, word)| (at, word.kind)).next()
    }
}

/// Leaves out of a word what is in numbers: one that is beside a text may look like a letter. What is in numbers alone stays
/// whole.
fn without_numbers(found: Found, pieces: &Pieces) -> Vec<Found> {
    if found.form.coding().is_none() || pieces.holding(&found.range).is_some() {
        return vec![found];
    }
    let parts: Vec<Found> = pieces.parts(&found.range).into_iter().map(|part| found.clone().within(part)).collect();
    if parts.is_empty() { vec![found] } else { parts }
}

/// Returns whether no letter or digit of its piece is beside a word.
fn stands_alone(bytes: &[u8], piece: &Piece, range: &Range<usize>, pattern: &Pattern) -> bool {
    let text = bytes.get(piece.range.clone()).unwrap_or_default();
    let range = range.start - piece.range.start..range.end - piece.range.start;
    // Of bytes of which nothing is known, a letter beside the word may be a number.
    let may_be_apart = !piece.is_text && !pattern.word.is_frequent;
    if let Some(Coding::Utf16 | Coding::Utf16Short) = pattern.form.coding() {
        let unit = |at: Option<usize>| at.and_then(|at| text.get(at..at + 2)?.first_chunk::<2>().copied());
        let is_edge = |near, far| match (unit(near), unit(far)) {
            (Some([letter, 0]), far) if letter.is_ascii_alphanumeric() => {
                !piece.is_text && is_8_bit(far) || may_be_apart && !is_letter(far)
            }
            _ => true,
        };
        let end = range.start + range.len().next_multiple_of(2);
        is_edge(range.start.checked_sub(2), range.start.checked_sub(4)) && is_edge(Some(end), Some(end + 2))
    } else {
        let byte = |at: Option<usize>| at.and_then(|at| text.get(at).copied());
        let may_be_apart = may_be_apart && range.len() >= SHORTEST_APART;
        let is_edge = |near, far| match byte(near) {
            Some(near) if near.is_ascii_alphanumeric() => may_be_apart && !byte(far).is_some_and(is_text),
            // Random bytes around three letters are not text.
            Some(near) => range.len() >= LONG || matches!(near, 0 | 9..=126),
            None => true,
        };
        let (start, end) = (range.start, range.end);
        is_edge(start.checked_sub(1), start.checked_sub(2)) && is_edge(Some(end), Some(end + 1))
    }
}

/// Returns whether a byte is a character of ASCII that texts have.
const fn is_text(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~')
}

/// Returns whether a unit of UTF-16 is a character of ASCII that texts have.
fn is_letter(unit: Option<[u8; 2]>) -> bool {
    matches!(unit, Some([letter, 0]) if is_text(letter))
}

/// Returns whether two bytes are text of 8 bits.
fn is_8_bit(unit: Option<[u8; 2]>) -> bool {
    unit.is_some_and(|unit| unit.iter().all(u8::is_ascii_graphic))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::without_overlaps;

    fn found(words: &[&str], bytes: &[u8]) -> Vec<(usize, usize)> {
        let mut list = WordList::default();
        for word in words {
            list.add(Kind::Word, word, false).unwrap();
        }
        let pieces = Pieces::unknown(bytes.len());
        let words = list.build().unwrap();
        words.find(bytes, &pieces, |_| false).map(|found| (found.range.start, found.range.end)).collect()
    }

    #[test]
    fn words_are_found_in_every_coding_and_case() {
        let wide = Coding::Utf16.encode("xMÜLLERx");
        assert_eq!(found(&["Müller"], &wide), [(2, 13)]);
        assert_eq!(found(&["Müller"], b"\xFF m\xDCllER"), [(2, 8)]);
        assert_eq!(found(&["müller"], "MÜLLER".as_bytes()), [(0, 7)]);
        let big: Vec<u8> = "robert".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(found(&["robert"], &big), [(1, 12)]);
        assert_eq!(found(&["Bob Smith"], b"/bob%20smith/"), [(1, 12)]);
    }

    #[test]
    fn of_words_in_words_the_outermost_are_kept() {
        let words: Vec<String> = (5..200).map(|len| "z".repeat(len)).chain(["zzzzab".into(), "abcde".into()]).collect();
        let mut list = WordList::default();
        for word in &words {
            list.add(Kind::User, word, false).unwrap();
        }
        let words = list.build().unwrap();
        for bytes in [vec![b'z'; 3_000], b"xzzzzzzabcdezzzzzxabcde".to_vec(), Coding::Utf16.encode("zzzzzzabcde")] {
            let pieces = Pieces::unknown(bytes.len());
            let all: Vec<Found> = words.find(&bytes, &pieces, |_| false).collect();
            let outermost = words.outermost(&bytes, &pieces, |_| false);
            assert!(outermost.len() <= bytes.len());
            assert!(bytes.len() < 3_000 || all.len() > 100 * bytes.len());
            assert_eq!(without_overlaps(outermost), without_overlaps(all));
        }
    }

    #[test]
    fn short_and_frequent_words_stand_alone() {
        assert_eq!(found(&["bob"], b"\0bob\0 bobby \xF0bob (Bob)"), [(1, 4), (18, 21)]);
        assert!(found(&["admin"], b"administrator").is_empty());
        assert_eq!(found(&["admin"], &Coding::Utf16.encode("\\admin\\xadmin")), [(2, 11)]);
        assert_eq!(found(&["robert"], b"xrobertx"), [(1, 7)]);
    }
}
