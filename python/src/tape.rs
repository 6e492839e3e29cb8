//! Events between the engine's threads and Python: the values of JSON lines, one after the other.

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
    /// An object: the place after its last value, and the number of its shape.
    Object(u32, u32),
    /// A list, and the place after its last value.
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
    /// Returns a tape with room for the events of lines of so many bytes.
    pub(crate) fn with_room(bytes: usize) -> Self {
        Self { tokens: Vec::with_capacity(bytes / BYTES_A_TOKEN), ..Self::default() }
    }

    /// Takes the lines, of which texts are parts.
    pub(crate) fn set_lines(&mut self, lines: String) {
        self.lines = lines;
    }

    /// Keeps a text that is written otherwise in its line, of `lines` bytes together.
    pub(crate) fn keep(&mut self, text: &str, lines: usize) -> Token {
        let start = lines + self.unescaped.len();
        self.unescaped.push_str(text);
        Token::Text(start as u32, (start + text.len()) as u32)
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

    /// Returns the place after a value.
    pub(crate) fn behind(&self, place: usize) -> usize {
        match self.tokens.get(place) {
            Some(Token::Object(end, _) | Token::List(end)) => *end as usize,
            _ => place + 1,
        }
    }

    /// Returns the names and the places of an object's members; none if there is no object.
    pub(crate) fn members(&self, place: usize) -> impl Iterator<Item = (u32, usize)> {
        let end = if matches!(self.tokens.get(place), Some(Token::Object(..))) { self.behind(place) } else { 0 };
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
            Token::Object(end, shape) => Token::Object(moved(end), shape),
            Token::List(end) => Token::List(moved(end)),
            other => other,
        }));
    }

    /// Sets the end of the object or list at a place.
    pub(crate) fn close(&mut self, place: usize) {
        let end = self.tokens.len() as u32;
        if let Some(Token::Object(open, _) | Token::List(open)) = self.tokens.get_mut(place) {
            *open = end;
        }
    }

    /// Sets the shape of the object at a place.
    pub(crate) fn set_shape(&mut self, place: usize, number: u32) {
        if let Some(Token::Object(_, shape)) = self.tokens.get_mut(place) {
            *shape = number;
        }
    }
}
