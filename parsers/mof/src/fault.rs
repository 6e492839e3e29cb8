//! What is wrong with a text, and where.

use etwkit::error::{Error, ErrorKind};
use nom::error::{ErrorKind as NomKind, ParseError};

use crate::text::Lines;

/// What is wrong, and how many bytes were left from there.
#[derive(Debug)]
pub(crate) struct Fault {
    rest: usize,
    what: What,
}

#[derive(Debug)]
enum What {
    /// Something else was expected here.
    Expected(&'static str),
    /// The text here is wrong; a whole sentence.
    Wrong(&'static str),
    /// A cap was met.
    Limit(&'static str, usize),
}

impl Fault {
    /// Something else was expected where `rest` begins.
    pub(crate) const fn expected(rest: &str, what: &'static str) -> Self {
        Self { rest: rest.len(), what: What::Expected(what) }
    }

    /// The text where `rest` begins is wrong.
    pub(crate) const fn wrong(rest: &str, sentence: &'static str) -> Self {
        Self { rest: rest.len(), what: What::Wrong(sentence) }
    }

    /// There is more of something than is read, found where `rest` begins.
    pub(crate) const fn limit(rest: &str, what: &'static str, limit: usize) -> Self {
        Self { rest: rest.len(), what: What::Limit(what, limit) }
    }

    /// Returns the error for a caller, who knows the whole text.
    pub(crate) fn into_error(self, text: &str) -> Error {
        let at = text.len().saturating_sub(self.rest);
        let place = Lines::of(text).place(at);
        let what = match self.what {
            What::Expected(what) => format!("expected {what}, found {}", snippet(text.get(at..).unwrap_or_default())),
            What::Wrong(sentence) => sentence.to_owned(),
            What::Limit(what, limit) => format!("{what} exceeds the limit of {limit}"),
        };
        let detail = format!("column {}: {what}", place.column);
        Error::new(ErrorKind::Syntax { line: place.line, detail })
    }
}

/// A fault without words of its own.
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
    let word: String = rest.chars().take(MOST).take_while(|c| !c.is_whitespace()).collect();
    match (rest.is_empty(), word.is_empty()) {
        (true, _) => "the end of the text".to_owned(),
        (false, true) => "white space".to_owned(),
        (false, false) => format!("`{word}`"),
    }
}
