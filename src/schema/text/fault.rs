//! What is wrong with a text, and where.

use std::borrow::Cow;

use nom::error::{ErrorKind as NomKind, ParseError};

use crate::error::{Error, ErrorKind};

/// The result of reading a part of a text.
pub(super) type Read<T> = Result<T, Fault>;

/// What is wrong, and how many bytes were left from there: enough to find the line on demand.
#[derive(Debug)]
pub(super) struct Fault {
    rest: usize,
    what: What,
}

#[derive(Debug)]
enum What {
    /// Something was expected here.
    Expected(Cow<'static, str>),
    /// This word was expected here. Not made into text at once: most of these faults only mean that
    /// something optional is absent.
    Word(&'static str),
    /// The same of a sign.
    Sign(char),
    /// A name was expected here, and there is this reserved word.
    Reserved(&'static str),
    /// The text here is wrong; a whole sentence.
    Wrong(String),
}

impl Fault {
    /// Something else was expected where `rest` begins.
    pub(super) fn expected(rest: &str, what: impl Into<Cow<'static, str>>) -> Self {
        Self { rest: rest.len(), what: What::Expected(what.into()) }
    }

    /// This word was expected where `rest` begins.
    pub(super) const fn word(rest: &str, word: &'static str) -> Self {
        Self { rest: rest.len(), what: What::Word(word) }
    }

    /// This sign was expected where `rest` begins.
    pub(super) const fn sign(rest: &str, sign: char) -> Self {
        Self { rest: rest.len(), what: What::Sign(sign) }
    }

    /// A name was expected where `rest` begins, and there is this reserved word.
    pub(super) const fn reserved(rest: &str, word: &'static str) -> Self {
        Self { rest: rest.len(), what: What::Reserved(word) }
    }

    /// The text `rest` bytes before the end is wrong.
    pub(super) fn wrong(rest: usize, sentence: impl Into<String>) -> Self {
        Self { rest, what: What::Wrong(sentence.into()) }
    }

    /// Returns the error for a caller, who knows the whole text.
    pub(super) fn into_error(self, text: &str) -> Error {
        let (before, rest) = text.split_at_checked(text.len().saturating_sub(self.rest)).unwrap_or((text, ""));
        let line = 1 + before.bytes().filter(|byte| *byte == b'\n').count();
        let detail = match self.what {
            What::Expected(what) => format!("expected {what}, found {}", snippet(rest)),
            What::Word(word) => format!("expected `{word}`, found {}", snippet(rest)),
            What::Sign(sign) => format!("expected `{sign}`, found {}", snippet(rest)),
            What::Reserved(word) => {
                format!("expected a name, found the word `{word}`: as a name it must be quoted")
            }
            What::Wrong(sentence) => sentence,
        };
        Error::new(ErrorKind::Syntax { line: u32::try_from(line).unwrap_or(u32::MAX), detail })
    }
}

/// A fault without words of its own; see [`super::lex::expect`].
impl ParseError<&str> for Fault {
    fn from_error_kind(input: &str, _: NomKind) -> Self {
        Self::expected(input, "something else")
    }

    fn append(_: &str, _: NomKind, other: Self) -> Self {
        other
    }
}

/// Returns the first word or so of what was found instead.
fn snippet(rest: &str) -> String {
    const MOST: usize = 24;
    let line = rest.lines().next().unwrap_or_default();
    let end = line.find([' ', '\t']).filter(|end| *end > 0).unwrap_or(line.len());
    let word: String = line.chars().take(MOST.min(line.get(..end).map_or(MOST, |word| word.chars().count()))).collect();
    match (rest.is_empty(), word.is_empty()) {
        (true, _) => "the end of the text".to_owned(),
        (false, true) => "the end of the line".to_owned(),
        (false, false) => format!("`{word}`"),
    }
}
