//! Words that are looked for in all bytes.

use std::collections::BTreeMap;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use crate::beside::{Beside, LONG};
use crate::cases::cases;
use crate::coding::{Coding, fold};
use crate::error::{Error, Result};
use crate::find::{Form, Found, Piece, Pieces};
use crate::kind::Kind;
use crate::limits::{MOST_CASE_BYTES, MOST_WORD_BYTES, MOST_WORDS};
use crate::well_known;

/// A word of as many characters is part of others by intent.
const VERY_LONG: usize = 8;
/// Shorter words are replaced only in fields and paths: as any bytes, they are everywhere.
pub(crate) const SHORTEST: usize = 3;
/// Returns whether a secret can be looked for in any bytes: it has three characters, and a letter or digit.
pub fn is_searchable(text: &str) -> bool {
    text.trim().chars().count() >= SHORTEST && text.chars().any(char::is_alphanumeric)
}

/// Words of more bytes, in all their forms, get the slower automaton: the faster one takes some 100 times as many bytes.
const MOST_DFA_BYTES: usize = 1 << 16;

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
        let (mut bytes, mut patterns, mut total) = (Vec::new(), Vec::new(), 0);
        for (text, word) in &self.words {
            each_form(text, total > MOST_CASE_BYTES, |form, pattern| {
                total += pattern.len();
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
        let is_small = total <= MOST_DFA_BYTES;
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
fn each_form(text: &str, is_brief: bool, mut each: impl FnMut(Form, Vec<u8>)) {
    for text in cases(text, is_brief) {
        let codings = codings(&text);
        for coding in &codings {
            each(Form::Text(*coding), coding.encode(&text));
        }
        if text.contains(' ') {
            let encoded = text.replace(' ', "%20");
            for coding in &codings {
                each(Form::Encoded(*coding), coding.encode(&encoded));
            }
        }
    }
}

/// Returns the codings in which the bytes of a text differ.
fn codings(text: &str) -> Vec<Coding> {
    let is_latin = text.chars().all(|c| u32::from(c) <= 0xFF);
    let is_short = Coding::Utf16.encode(text).ends_with(&[0]);
    let mut codings = vec![if is_short { Coding::Utf16Short } else { Coding::Utf16 }, Coding::Utf8];
    if !is_latin {
        codings.push(Coding::Utf16Big);
    } else if !text.is_ascii() {
        codings.push(Coding::Latin1);
    }
    codings
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

    fn found(&self, range: Range<usize>) -> Found {
        Found::new(range, self.word.kind, self.form)
    }

    fn stands_alone(&self, bytes: &[u8], piece: &Piece, found: &Found) -> bool {
        Beside::new(bytes, piece, found, self.word.is_frequent).stands_alone()
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
            pattern.is_at(bytes, &found.range()).then(|| (pattern, pattern.found(found.range())))
        });
        let counts = move |(pattern, found): &(&Pattern, Found)| {
            let is_free =
                || pieces.holding(&found.range).is_some_and(|piece| pattern.stands_alone(bytes, piece, found));
            !pattern.word.is_alone || !is_name(found.range.start) && is_free()
        };
        found.filter(counts).map(|(_, found)| found)
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
        assert_eq!(found(&["Мария Сидорова"], "Мария СИДОРОВА".as_bytes()), [(0, 27)]);
        assert_eq!(found(&["ΓΙΏΡΓΟΣ"], "Γιώργος".as_bytes()), [(0, 14)]);
        assert_eq!(found(&["Γιώργος"], &Coding::Utf16.encode("ΓΙΏΡΓΟΣ")), [(0, 14)]);
        let big: Vec<u8> = "robert".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(found(&["robert"], &big), [(1, 12)]);
        for word in ["Łukasz-Corp", "o’brien", "山田太郎", "ΓΙΏΡΓΟΣ", "пароль", "team🚀"] {
            let big = Coding::Utf16Big.encode(word);
            let len = big.len();
            assert_eq!(found(&[word], &big), [(0, len)]);
            assert_eq!(found(&[word], &[&[7], &big[..]].concat()), [(1, 1 + len)]);
            assert_eq!(found(&[word], &Coding::Utf16Big.encode(&word.to_uppercase())), [(0, len)]);
        }
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
