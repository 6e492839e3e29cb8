//! Names as users type them, and their meaning in the events of a schema.

use std::fmt;
use std::str::FromStr;

use crate::schema::Schema;

use super::SyntaxError;
use super::header_field::HeaderField;
use super::header_lookup::has_message;
use super::path::Path;
use super::rare_field::has_message_level;
use super::schema_paths::{in_schema, layouts};
use super::tokens::{Token, TokenKind, is_reserved, is_word, tokens, write_quoted};

/// The meaning of a name, wherever names are typed: a field of the header if it is spelled as outputs spell that
/// field, else a field of the payload if the event has one, else the header field that has this as another name.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    /// The header field, unless the name begins with `fields.`.
    pub(crate) header: Option<HeaderField>,
    /// The field of the payload, unless the name begins with `header.`.
    pub(crate) field: Option<Path>,
    /// The header field takes precedence over the payload's.
    pub(super) header_first: bool,
    /// It was written as the name of a field: with `fields.` before it, or a word in quotes. That distinguishes it from the
    /// name of a column alone.
    pub(super) is_written_as_field: bool,
}

/// Names are equal if they mean the same in events.
impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        (self.header, &self.field, self.header_first) == (other.header, &other.field, other.header_first)
    }
}

impl Eq for Name {}

/// Where a name leads in the events of a schema.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place<'n> {
    /// To a field of the payload.
    Field(&'n Path),
    /// To a field of the header.
    Header(HeaderField),
    /// To nothing.
    Nowhere,
}

impl Name {
    /// A word without quotes.
    pub(super) fn word(word: &str) -> Self {
        let name = Self { header: None, field: None, header_first: false, is_written_as_field: false };
        match word.split_once('.') {
            Some((prefix, field)) if is_payload(prefix) => {
                Self { field: Some(Path::dotted(field)), is_written_as_field: true, ..name }
            }
            Some((prefix, part)) if prefix.eq_ignore_ascii_case("header") => {
                Self { header: HeaderField::from_name(part), ..name }
            }
            _ => {
                let header_first = HeaderField::from_key(word).is_some();
                Self { header: HeaderField::from_name(word), field: Some(Path::dotted(word)), header_first, ..name }
            }
        }
    }

    /// A part of the header as outputs have it. The level of a WPP message is not part of its header.
    pub(super) fn of_header(field: HeaderField) -> Self {
        let name = Self::word(field.name());
        if field == HeaderField::Level { Self { field: None, header_first: false, ..name } } else { name }
    }

    /// A text in quotes: always a field of the payload.
    fn quoted(text: &str) -> Self {
        // A column with another name, as that of a counter, can only be written so.
        let is_written_as_field = is_word(text) && !is_reserved(text);
        Self { header: None, field: Some(Path::single(text)), header_first: false, is_written_as_field }
    }

    /// Reads the name that a token is; `end` is the column after the text, where a token is missing.
    pub(crate) fn read(token: Option<&Token<'_>>, end: usize) -> Result<Self, SyntaxError> {
        let Some(Token { column, kind }) = token else { return Err(SyntaxError::expected(end, "the name of a field")) };
        let word = match kind {
            TokenKind::Quoted(text) => return Ok(Self::quoted(text)),
            TokenKind::Word(word) if !is_reserved(word) => word,
            other => {
                let what = format!("the name of a field, not {}", other.shown());
                return Err(SyntaxError::expected(*column, &what));
            }
        };
        let name = Self::word(word);
        if word.ends_with('.') {
            return Err(SyntaxError::new(*column, format!("a name is missing after \"{word}\"")));
        }
        if name.header.is_none() && name.field.is_none() {
            return Err(SyntaxError::new(*column, format!("the header has no part of the name \"{word}\"")));
        }
        Ok(name)
    }

    /// Resolves the name in events of a schema and its other layouts.
    ///
    /// Two of the header fields depend on the schema: where there is no message, `message` is a field of that name, as
    /// string-only events have it; where a WPP message has a level, `level` is that one.
    pub(crate) fn place(&self, schema: Option<&Schema>) -> Place<'_> {
        let is_there = |field: &HeaderField| *field != HeaderField::Message || has_message(schema);
        if let Some(field) = self.header.filter(|field| self.header_first && is_there(field)) {
            let is_of_message = field == HeaderField::Level && layouts(schema).any(has_message_level);
            return Place::Header(if is_of_message { HeaderField::MessageLevel } else { field });
        }
        let is_in_payload = |path: &&Path| layouts(schema).any(|schema| in_schema(schema, path));
        match (self.field.as_ref().filter(is_in_payload), self.header) {
            (Some(path), _) => Place::Field(path),
            (None, Some(field)) => Place::Header(field),
            (None, None) => Place::Nowhere,
        }
    }
}

/// `fields.`, or `payload.`.
fn is_payload(prefix: &str) -> bool {
    ["payload", "fields"].iter().any(|known| known.eq_ignore_ascii_case(prefix))
}

/// Reads a text that is a name and nothing else.
impl FromStr for Name {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        let tokens = tokens(text)?;
        let name = Self::read(tokens.first(), text.chars().count() + 1)?;
        match tokens.get(1) {
            None => Ok(name),
            Some(Token { column, kind }) => {
                Err(SyntaxError::expected(*column, &format!("a name alone, without {}", kind.shown())))
            }
        }
    }
}

/// Prints the form that can be parsed again.
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.field, self.header) {
            (None, header) => write!(f, "header.{}", header.map_or("", HeaderField::name)),
            (Some(path), None) if *path == Path::dotted(&path.whole) && is_word(&path.whole) => {
                let alone = !is_reserved(&path.whole) && Self::word(&path.whole) == *self;
                write!(f, "{}{}", if alone { "" } else { "fields." }, path.whole)
            }
            (Some(path), None) => write_quoted(f, &path.whole),
            (Some(path), Some(_)) => f.write_str(&path.whole),
        }
    }
}
