//! The tokens of names and expressions, and quoted text back.

use std::fmt;

use nom::IResult;
use nom::Parser as _;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::combinator::{recognize, value};

use crate::limits;

use super::SyntaxError;

/// A token and the column at which it begins, in characters from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token<'t> {
    pub(crate) column: usize,
    pub(crate) kind: TokenKind<'t>,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind<'t> {
    /// A name, a number, an address, a GUID: its meaning depends on its place.
    Word(&'t str),
    /// Text in quotes, with its escapes resolved.
    Quoted(String),
    /// An operator or a bracket.
    Sign(&'static str),
}

impl TokenKind<'_> {
    /// How messages call it.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Word(word) => format!("\"{word}\""),
            Self::Quoted(text) => format!("the text '{text}'"),
            Self::Sign(sign) => format!("\"{sign}\""),
        }
    }
}

/// Returns all tokens of a text, which may have [`limits::MAX_EXPRESSION`] bytes.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token<'_>>, SyntaxError> {
    if text.len() > limits::MAX_EXPRESSION {
        return Err(SyntaxError::new(1, format!("more than {} bytes", limits::MAX_EXPRESSION)));
    }
    let mut tokens = Vec::new();
    let (mut rest, mut column) = (text, 1);
    loop {
        let trimmed = rest.trim_start();
        column += rest.chars().count() - trimmed.chars().count();
        let Some(first) = trimmed.chars().next() else { return Ok(tokens) };
        let (after, kind) = match first {
            '"' | '\'' => quoted(trimmed, first, column)?,
            _ => plain(trimmed).map_err(|_| SyntaxError::new(column, format!("\"{first}\" means nothing here")))?,
        };
        tokens.push(Token { column, kind });
        column += trimmed.chars().count() - after.chars().count();
        rest = after;
    }
}

fn plain(text: &str) -> IResult<&str, TokenKind<'_>> {
    alt((sign.map(TokenKind::Sign), braced.map(TokenKind::Word), word.map(TokenKind::Word))).parse(text)
}

/// Longer signs first.
fn sign(text: &str) -> IResult<&str, &'static str> {
    alt((
        alt((value("==", tag("==")), value("!=", tag("!=")), value("<=", tag("<=")), value(">=", tag(">=")))),
        alt((value("!~", tag("!~")), value("&&", tag("&&")), value("||", tag("||")))),
        alt((value("=", tag("=")), value("<", tag("<")), value(">", tag(">")), value("~", tag("~")))),
        alt((value("&", tag("&")), value("!", tag("!")), value("(", tag("(")), value(")", tag(")")))),
        value(",", tag(",")),
    ))
    .parse(text)
}

/// Returns a GUID in braces.
fn braced(text: &str) -> IResult<&str, &str> {
    recognize((tag("{"), take_while(|c: char| c.is_ascii_hexdigit() || c == '-'), tag("}"))).parse(text)
}

/// Names, numbers, addresses and provider names need no quotes.
fn word(text: &str) -> IResult<&str, &str> {
    take_while1(is_in_word).parse(text)
}

fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || "_.:/-+*?\\#@$%[]".contains(c)
}

/// Returns whether a word is one of the language and no name.
pub(super) fn is_reserved(word: &str) -> bool {
    ["and", "or", "not", "in", "has"].iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Returns whether a text would be read as one word.
pub(super) fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_in_word)
}

/// Writes a text so that it is read as the same quoted text.
pub(crate) fn write_quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    write!(f, "'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// Text in quotes: `\` before a quote or before itself takes away its meaning; elsewhere it is literal, so that
/// regular expressions and paths stay readable.
fn quoted(text: &str, quote: char, column: usize) -> Result<(&str, TokenKind<'_>), SyntaxError> {
    let mut out = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        if c == quote {
            return Ok((text.get(at + 1..).unwrap_or_default(), TokenKind::Quoted(out)));
        }
        let next = text.get(at + 1..).and_then(|rest| rest.chars().next());
        match next.filter(|next| c == '\\' && (*next == quote || *next == '\\')) {
            Some(next) => {
                out.push(next);
                chars.next();
            }
            None => out.push(c),
        }
    }
    Err(SyntaxError::new(column, "the text that begins here has no closing quote"))
}
