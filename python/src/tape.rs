//! Events between the engine's threads and Python: the values of JSON lines, one behind the other.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::keys::OwnKeys;

/// A value, or the beginning of several.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Token {
    Null,
    Bool(bool),
    Integer(i64),
    Float(f64),
    /// Where a text is, see [`Tape::text`].
    Text(u32, u32),
    /// A text that many events have, by number.
    Shared(u32),
    /// The name of the next value, by number.
    Key(u32),
    /// An object, and the place behind its last value.
    Object(u32),
    /// A list, and the place behind its last value.
    List(u32),
}

/// The values of some events.
#[derive(Debug, Default)]
pub(crate) struct Tape {
    pub(crate) tokens: Vec<Token>,
    /// The lines, of which texts are parts.
    lines: String,
    /// Texts that are written otherwise in JSON.
    unescaped: String,
    /// The place of each event's object.
    pub(crate) events: Vec<u32>,
}

/// Bytes of JSON for each token, about.
const BYTES_A_TOKEN: usize = 12;

impl Tape {
    /// Reads the events of JSON lines.
    pub(crate) fn of_lines(lines: String, keys: &mut OwnKeys) -> serde_json::Result<Self> {
        let mut tape = Self { tokens: Vec::with_capacity(lines.len() / BYTES_A_TOKEN), ..Self::default() };
        for line in lines.lines() {
            tape.events.push(tape.tokens.len() as u32);
            let value = Value { tape: &mut tape, keys, lines: &lines, depth: 0, is_shared: false };
            value.deserialize(&mut serde_json::Deserializer::from_str(line))?;
        }
        tape.lines = lines;
        Ok(tape)
    }

    /// Returns a tape of the same texts without events.
    pub(crate) fn emptied(&mut self) -> Self {
        let (lines, unescaped) = (std::mem::take(&mut self.lines), std::mem::take(&mut self.unescaped));
        Self { lines, unescaped, ..Self::default() }
    }

    /// Returns a text.
    pub(crate) fn text(&self, start: u32, end: u32) -> &str {
        let (start, end, lines) = (start as usize, end as usize, self.lines.len());
        let text =
            if start < lines { self.lines.get(start..end) } else { self.unescaped.get(start - lines..end - lines) };
        text.unwrap_or_default()
    }

    /// Returns the place behind a value.
    pub(crate) fn behind(&self, place: usize) -> usize {
        match self.tokens.get(place) {
            Some(Token::Object(end) | Token::List(end)) => *end as usize,
            _ => place + 1,
        }
    }

    /// Returns the names and the places of an object's members; none if there is no object.
    pub(crate) fn members(&self, place: usize) -> impl Iterator<Item = (u32, usize)> {
        let end = if matches!(self.tokens.get(place), Some(Token::Object(_))) { self.behind(place) } else { 0 };
        let mut next = place + 1;
        std::iter::from_fn(move || {
            let Some(Token::Key(key)) = self.tokens.get(next).filter(|_| next < end) else { return None };
            let value = next + 1;
            next = self.behind(value);
            Some((*key, value))
        })
    }

    /// Appends a value of a tape of the same texts.
    pub(crate) fn copy(&mut self, from: &Self, place: usize) {
        let start = self.tokens.len();
        let moved = |end: u32| (end as usize - place + start) as u32;
        let values = from.tokens.get(place..from.behind(place)).unwrap_or_default();
        self.tokens.extend(values.iter().map(|token| match *token {
            Token::Object(end) => Token::Object(moved(end)),
            Token::List(end) => Token::List(moved(end)),
            other => other,
        }));
    }

    /// Sets the end of the object or list at a place.
    pub(crate) fn close(&mut self, place: usize) {
        let end = self.tokens.len() as u32;
        if let Some(Token::Object(open) | Token::List(open)) = self.tokens.get_mut(place) {
            *open = end;
        }
    }
}

/// Reads a value of JSON to the end of a tape.
struct Value<'t> {
    tape: &'t mut Tape,
    keys: &'t mut OwnKeys,
    /// All lines: texts are places in them.
    lines: &'t str,
    /// Objects that it is in.
    depth: u32,
    /// Whether it is a text that many events have.
    is_shared: bool,
}

impl Value<'_> {
    fn again(&mut self) -> Value<'_> {
        Value { tape: self.tape, keys: self.keys, lines: self.lines, depth: self.depth + 1, is_shared: false }
    }

    fn share(&mut self, text: &str) -> Option<Token> {
        if self.is_shared { self.keys.shared(text).map(Token::Shared) } else { None }
    }

    fn put(self, token: Token) {
        self.tape.tokens.push(token);
    }
}

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.put(Token::Null);
        Ok(())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.put(Token::Bool(value));
        Ok(())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.put(Token::Integer(value));
        Ok(())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        // Larger numbers are texts in JSON lines.
        let value = i64::try_from(value).map_err(E::custom)?;
        self.put(Token::Integer(value));
        Ok(())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.put(Token::Float(value));
        Ok(())
    }

    /// A text as it stands in its line.
    fn visit_borrowed_str<E: Error>(mut self, value: &'de str) -> Result<(), E> {
        let start = (value.as_ptr() as usize).wrapping_sub(self.lines.as_ptr() as usize);
        if start >= self.lines.len() {
            return self.visit_str(value);
        }
        let text = self.share(value).unwrap_or(Token::Text(start as u32, (start + value.len()) as u32));
        self.put(text);
        Ok(())
    }

    /// A text that is written otherwise in its line.
    fn visit_str<E: Error>(mut self, value: &str) -> Result<(), E> {
        let text = self.share(value).unwrap_or_else(|| {
            let start = self.lines.len() + self.tape.unescaped.len();
            self.tape.unescaped.push_str(value);
            Token::Text(start as u32, (start + value.len()) as u32)
        });
        self.put(text);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut values: A) -> Result<(), A::Error> {
        let place = self.tape.tokens.len();
        self.again().put(Token::List(0));
        while values.next_element_seed(self.again())?.is_some() {}
        self.tape.close(place);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<(), A::Error> {
        let place = self.tape.tokens.len();
        self.again().put(Token::Object(0));
        while let Some(key) = members.next_key_seed(Name(self.keys))? {
            self.tape.tokens.push(Token::Key(key));
            let is_shared = self.depth == 0 && self.keys.is_shared(key);
            members.next_value_seed(Value { is_shared, ..self.again() })?;
        }
        self.tape.close(place);
        Ok(())
    }
}

/// Reads the name of a member.
struct Name<'t>(&'t mut OwnKeys);

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = u32;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u32, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = u32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<u32, E> {
        Ok(self.0.next(value))
    }
}
