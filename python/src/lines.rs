//! Reading the JSON lines of the engine.
//!
//! They are written without blanks, and events of a type have the same members in the same order. So a name is compared
//! with the one that came last at its place, and texts stay where they are. Texts with escapes, and numbers that are
//! not short integers, are left to `serde_json` and the standard library.

use std::borrow::Cow;
use std::fmt;

use crate::heads::{self, Heads};
use crate::keys::OwnKeys;
use crate::shapes::NO_SHAPE;
use crate::tape::{Tape, Token};

/// Objects and lists in each other; the engine writes fewer.
const DEEPEST: u32 = 128;
/// Digits of an integer that is computed here.
const SHORT: usize = 18;

/// A line is not as the engine writes lines.
#[derive(Debug)]
pub(crate) struct BadLine {
    /// The place in the lines.
    at: usize,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the JSON lines of the engine have no value at byte {}: this is a bug of etwkit", self.at)
    }
}

impl std::error::Error for BadLine {}

/// Reads the events of lines.
pub(crate) fn read(lines: String, keys: &mut OwnKeys, heads: &mut Heads) -> Result<Tape, BadLine> {
    let mut tape = Tape::with_room(lines.len());
    let mut reader = Reader { lines: &lines, at: 0, tape: &mut tape, keys, heads };
    while reader.at < lines.len() {
        if reader.line().is_none() {
            return Err(BadLine { at: reader.at });
        }
    }
    tape.set_lines(lines);
    Ok(tape)
}

/// Reads values to the end of a tape. What is `None` is not as the engine writes it.
struct Reader<'r> {
    lines: &'r str,
    at: usize,
    tape: &'r mut Tape,
    keys: &'r mut OwnKeys,
    heads: &'r mut Heads,
}

impl<'r> Reader<'r> {
    fn line(&mut self) -> Option<()> {
        let place = self.tape.tokens.len();
        self.tape.events.push(place as u32);
        self.value(0, false)?;
        if self.rest().is_empty() { Some(()) } else { self.take(b'\n') }
    }

    #[inline]
    fn rest(&self) -> &'r [u8] {
        self.lines.as_bytes().get(self.at..).unwrap_or_default()
    }

    #[inline]
    fn put(&mut self, token: Token) {
        self.tape.tokens.push(token);
    }

    /// Takes a byte.
    #[inline]
    fn take(&mut self, byte: u8) -> Option<()> {
        self.rest().first().filter(|found| **found == byte)?;
        self.at += 1;
        Some(())
    }

    /// Reads a value that is in so many others.
    fn value(&mut self, depth: u32, is_shared: bool) -> Option<()> {
        match self.rest().first()? {
            b'"' => self.text(is_shared),
            b'{' => self.object(depth),
            b'[' => self.list(depth),
            b'n' => self.word(b"null", Token::Null),
            b't' => self.word(b"true", Token::Bool(true)),
            b'f' => self.word(b"false", Token::Bool(false)),
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &[u8], token: Token) -> Option<()> {
        self.rest().strip_prefix(word)?;
        self.at += word.len();
        self.put(token);
        Some(())
    }

    fn object(&mut self, depth: u32) -> Option<()> {
        let place = self.tape.tokens.len();
        self.put(Token::Object(0, NO_SHAPE));
        self.items(depth, b'}', |reader| {
            if depth == 0 && reader.rest().starts_with(heads::BEGIN) { reader.head() } else { reader.member(depth) }
        })?;
        self.tape.close(place);
        self.keys.set_shape(self.tape, place, depth == 0);
        Some(())
    }

    #[inline]
    fn member(&mut self, depth: u32) -> Option<()> {
        let key = self.name()?;
        self.put(Token::Key(key));
        let is_shared = depth == 0 && self.keys.is_shared(key);
        self.value(depth + 1, is_shared)
    }

    /// Reads the members that the type of an event decides.
    #[inline]
    fn head(&mut self) -> Option<()> {
        let Some(head) = self.heads.find(self.rest()) else { return self.new_head() };
        self.at += head.len();
        self.tape.tokens.extend_from_slice(&head.tokens);
        self.keys.go_on_behind(head.last);
        Some(())
    }

    #[cold]
    fn new_head(&mut self) -> Option<()> {
        let (line, start) = (self.rest(), self.tape.tokens.len());
        self.member(0)?;
        while self.rest().first() == Some(&b',') && self.is_constant_next()? {
            self.at += 1;
            self.member(0)?;
        }
        let text = line.get(..=line.len() - self.rest().len())?;
        self.heads.keep(line, text, self.tape.tokens.get(start..)?);
        Some(())
    }

    /// Returns whether events of a type have the same value of the member after the comma.
    fn is_constant_next(&mut self) -> Option<bool> {
        let (at, last) = (self.at, self.keys.last());
        self.at += 1;
        let key = self.name()?;
        self.at = at;
        self.keys.go_on_behind(last);
        Some(self.keys.is_constant(key))
    }

    fn list(&mut self, depth: u32) -> Option<()> {
        let place = self.tape.tokens.len();
        self.put(Token::List(0));
        self.items(depth, b']', |reader| reader.value(depth + 1, false))?;
        self.tape.close(place);
        Some(())
    }

    /// Reads what is between brackets.
    #[inline]
    fn items(&mut self, depth: u32, end: u8, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        if depth == DEEPEST {
            return None;
        }
        self.at += 1;
        if self.take(end).is_some() {
            return Some(());
        }
        loop {
            item(self)?;
            if self.take(b',').is_none() {
                return self.take(end);
            }
        }
    }

    /// Reads the name of a member, and the colon.
    #[inline]
    fn name(&mut self) -> Option<u32> {
        if let Some((number, len)) = self.keys.likely(self.rest()) {
            self.at += len;
            return Some(number);
        }
        let start = self.at;
        let name = self.quoted()?;
        self.take(b':')?;
        Some(self.keys.next(&name, self.lines.get(start..self.at)?))
    }

    #[inline]
    fn text(&mut self, is_shared: bool) -> Option<()> {
        let start = self.at + 1;
        let text = self.quoted()?;
        let shared = if is_shared { self.keys.shared(&text) } else { None };
        let token = match (shared, text) {
            (Some(number), _) => Token::Shared(number),
            (None, Cow::Borrowed(_)) => Token::Text(start as u32, (self.at - 1) as u32),
            (None, Cow::Owned(text)) => self.tape.keep(&text, self.lines.len()),
        };
        self.put(token);
        Some(())
    }

    /// Reads a text in quotes.
    #[inline]
    fn quoted(&mut self) -> Option<Cow<'r, str>> {
        let start = self.at;
        self.take(b'"')?;
        self.at += plain(self.rest());
        let end = self.at;
        if self.take(b'"').is_some() {
            return self.lines.get(start + 1..end).map(Cow::Borrowed);
        }
        self.escaped(start).map(Cow::Owned)
    }

    /// Reads a text with escapes.
    fn escaped(&mut self, start: usize) -> Option<String> {
        while self.take(b'"').is_none() {
            self.take(b'\\')?;
            self.at += 1;
            self.at += plain(self.rest());
        }
        serde_json::from_str(self.lines.get(start..self.at)?).ok()
    }

    #[inline]
    fn number(&mut self) -> Option<()> {
        let rest = self.rest();
        let is_negative = rest.first() == Some(&b'-');
        let (mut value, mut len) = (0_i64, 0);
        for digit in rest.get(usize::from(is_negative)..)?.iter().take(SHORT).take_while(|byte| byte.is_ascii_digit()) {
            value = value * 10 + i64::from(digit - b'0');
            len += 1;
        }
        let len = len + usize::from(is_negative);
        if !matches!(rest.get(len)?, b',' | b'}' | b']') || (is_negative && value == 0) || len == 0 {
            return self.long_number();
        }
        self.at += len;
        self.put(Token::Integer(if is_negative { -value } else { value }));
        Some(())
    }

    /// Reads a number of any kind. Integers that do not fit 64 bits are texts in JSON lines.
    fn long_number(&mut self) -> Option<()> {
        let len = self.rest().iter().position(|byte| matches!(byte, b',' | b'}' | b']'))?;
        let number: serde_json::Number = serde_json::from_str(self.lines.get(self.at..self.at + len)?).ok()?;
        self.at += len;
        self.put(match number.as_i64() {
            Some(value) => Token::Integer(value),
            None if number.is_f64() => Token::Float(number.as_f64()?),
            None => return None,
        });
        Some(())
    }
}

/// Returns how many bytes are before a quote or a backslash.
#[inline]
fn plain(bytes: &[u8]) -> usize {
    let (words, _) = bytes.as_chunks::<8>();
    for (place, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = zeros(word ^ QUOTES) | zeros(word ^ BACKSLASHES);
        if found != 0 {
            return place * 8 + found.trailing_zeros() as usize / 8;
        }
    }
    let start = words.len() * 8;
    let end = bytes.get(start..).unwrap_or_default();
    start + end.iter().position(|byte| matches!(byte, b'"' | b'\\')).unwrap_or(end.len())
}

const QUOTES: u64 = u64::from_ne_bytes([b'"'; 8]);
const BACKSLASHES: u64 = u64::from_ne_bytes([b'\\'; 8]);

/// Returns a word whose lowest bit that is set is the highest bit of the first byte that is zero.
#[inline]
const fn zeros(word: u64) -> u64 {
    word.wrapping_sub(0x0101_0101_0101_0101) & !word & 0x8080_8080_8080_8080
}
