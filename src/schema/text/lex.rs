//! The smallest parts of the grammar: words, quoted text, numbers, GUIDs. None of them takes the space before it.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_while_m_n};
use nom::character::complete::{char, digit1, hex_digit1, satisfy};
use nom::combinator::{not, opt, peek, recognize, value};
use nom::multi::fold_many0;
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};

use crate::bytes::Guid;

use super::fault::Fault;
use super::words::{begins_word, continues_word};

/// The result of a nom parser.
pub(super) type Nom<'t, T> = IResult<&'t str, T, Fault>;

/// Returns the same parser, saying what it expected where it does not match.
pub(super) fn expect<'t, T>(
    what: &'static str,
    mut parser: impl Parser<&'t str, Output = T, Error = Fault>,
) -> impl FnMut(&'t str) -> Nom<'t, T> {
    move |input| match parser.parse(input) {
        Err(nom::Err::Error(_)) => Err(nom::Err::Error(Fault::expected(input, what))),
        result => result,
    }
}

/// Skips white space and comments. The flag is set if a line ended.
pub(super) fn space(text: &str) -> (&str, bool) {
    let (mut rest, mut line_ended) = blanks(text);
    while let Some(comment) = rest.strip_prefix('#') {
        let (next, ended) =
            comment.find('\n').map_or(("", false), |end| blanks(comment.get(end..).unwrap_or_default()));
        (rest, line_ended) = (next, line_ended || ended);
    }
    (rest, line_ended)
}

/// Skips white space. The flag is set if a line ended.
fn blanks(text: &str) -> (&str, bool) {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
    let count = text.bytes().take_while(is_blank).count();
    let (skipped, rest) = text.split_at_checked(count).unwrap_or(("", text));
    let line_ended = skipped.contains('\n');
    match rest.bytes().next() {
        // Of what is not ASCII, some is white space.
        Some(byte) if !byte.is_ascii_graphic() => {
            let trimmed = rest.trim_start();
            let skipped = rest.get(..rest.len() - trimmed.len()).unwrap_or_default();
            (trimmed, line_ended || skipped.contains('\n'))
        }
        _ => (rest, line_ended),
    }
}

/// White space and comments before a parser.
pub(super) fn spaced<'t, T>(
    mut parser: impl Parser<&'t str, Output = T, Error = Fault>,
) -> impl FnMut(&'t str) -> Nom<'t, T> {
    move |input| parser.parse(space(input).0)
}

/// Any plain word, reserved or not.
pub(super) fn word(input: &str) -> Nom<'_, &str> {
    // All characters of words are ASCII.
    let len = input.bytes().take_while(|byte| continues_word(char::from(*byte))).count();
    match input.split_at_checked(len) {
        Some((word, rest)) if word.starts_with(begins_word) => Ok((rest, word)),
        _ => Err(nom::Err::Error(Fault::expected(input, "a word"))),
    }
}

/// This very word.
pub(super) fn keyword<'t>(wanted: &'static str) -> impl FnMut(&'t str) -> Nom<'t, ()> {
    move |input| match word(input)? {
        (rest, found) if found == wanted => Ok((rest, ())),
        _ => Err(nom::Err::Error(Fault::word(input, wanted))),
    }
}

/// This very sign.
pub(super) fn sign<'t>(wanted: char) -> impl FnMut(&'t str) -> Nom<'t, ()> {
    move |input| match input.strip_prefix(wanted) {
        Some(rest) => Ok((rest, ())),
        None => Err(nom::Err::Error(Fault::sign(input, wanted))),
    }
}

/// Returns a name: a word that is not reserved here, or quoted text.
pub(super) fn name<'t>(reserved: &'static [&'static str]) -> impl FnMut(&'t str) -> Nom<'t, Cow<'t, str>> {
    move |input| {
        if input.starts_with('"') {
            return quoted(input);
        }
        let (rest, found) = word(input)?;
        match reserved.iter().find(|word| **word == found) {
            Some(word) => Err(nom::Err::Error(Fault::reserved(input, word))),
            None => Ok((rest, Cow::Borrowed(found))),
        }
    }
}

/// Text in quotation marks. Borrows unless there are escapes.
pub(super) fn quoted(input: &str) -> Nom<'_, Cow<'_, str>> {
    let (body, ()) = expect("quoted text", value((), char('"'))).parse(input)?;
    let mut pieces = fold_many0(piece, || Cow::Borrowed(""), |text: Cow<'_, str>, piece| join(text, piece));
    let (rest, text) = pieces.parse(body)?;
    match rest.chars().next() {
        Some('"') => Ok((rest.get(1..).unwrap_or_default(), text)),
        Some('\\') => Err(nom::Err::Failure(Fault::expected(rest, "an escape: \\\" \\\\ \\n \\r \\t or \\u{...}"))),
        _ => Err(nom::Err::Failure(Fault::wrong(input.len(), "the closing quotation mark is missing on this line"))),
    }
}

/// Returns a number, decimal or `0x` and hexadecimal.
pub(super) fn number(input: &str) -> Nom<'_, u64> {
    let digits = alt((preceded(tag("0x"), hex_digit1).map(|digits| (digits, 16)), digit1.map(|digits| (digits, 10))));
    let whole = terminated(digits, not(peek(satisfy(|c| c.is_ascii_alphanumeric() || c == '_'))));
    let (rest, (digits, radix)) = expect("a number", whole).parse(input)?;
    match u64::from_str_radix(digits, radix) {
        Ok(number) => Ok((rest, number)),
        Err(_) => Err(nom::Err::Failure(Fault::wrong(input.len(), "the number does not fit 64 bits"))),
    }
}

/// Returns a number of a smaller kind. `what` is plural: "opcodes".
pub(super) fn small<'t, T>(what: &'static str, most: T) -> impl FnMut(&'t str) -> Nom<'t, T>
where
    T: TryFrom<u64> + std::fmt::Display + Copy,
{
    move |input| {
        let (rest, number) = number(input)?;
        let Ok(small) = T::try_from(number) else {
            let sentence = format!("{number} is too large: {what} go from 0 to {most}");
            return Err(nom::Err::Failure(Fault::wrong(input.len(), sentence)));
        };
        Ok((rest, small))
    }
}

/// `N`, `N..`, `..M` or `N..M`, both ends included.
pub(super) fn range<'t, T>(what: &'static str, least: T, most: T) -> impl FnMut(&'t str) -> Nom<'t, RangeInclusive<T>>
where
    T: TryFrom<u64> + std::fmt::Display + Copy + PartialOrd,
{
    move |input| {
        let (rest, first) = opt(small(what, most)).parse(input)?;
        let (rest, dots) = opt(tag("..")).parse(rest)?;
        let (rest, last) = if dots.is_some() { opt(small(what, most)).parse(rest)? } else { (rest, first) };
        if first.is_none() && last.is_none() {
            return Err(nom::Err::Error(Fault::expected(input, format!("{what}: `N`, `N..`, `..M` or `N..M`"))));
        }
        let (first, last) = (first.unwrap_or(least), last.unwrap_or(most));
        if first > last {
            let sentence = format!("the range {first}..{last} holds nothing");
            return Err(nom::Err::Failure(Fault::wrong(input.len(), sentence)));
        }
        Ok((rest, first..=last))
    }
}

/// Returns a GUID in braces.
pub(super) fn guid(input: &str) -> Nom<'_, Guid> {
    let braced = recognize(delimited(char('{'), is_not("{}\n\""), char('}')));
    let (rest, text) = expect("a GUID in braces", braced).parse(input)?;
    match text.parse() {
        Ok(guid) => Ok((rest, guid)),
        Err(_) => Err(nom::Err::Error(Fault::expected(input, "a GUID in braces: 8-4-4-4-12 hexadecimal digits"))),
    }
}

/// A piece of quoted text: plain characters or one escape.
#[derive(Clone, Copy)]
enum Piece<'t> {
    Plain(&'t str),
    Escape(char),
}

fn piece(input: &str) -> Nom<'_, Piece<'_>> {
    alt((is_not("\"\\\n\r").map(Piece::Plain), escape.map(Piece::Escape))).parse(input)
}

fn escape(input: &str) -> Nom<'_, char> {
    let simple = alt((
        char('"'),
        char('\\'),
        value('\n', char('n')),
        value('\r', char('r')),
        value('\t', char('t')),
        delimited(tag("u{"), take_while_m_n(1, 6, |c: char| c.is_ascii_hexdigit()), char('}'))
            .map_opt(|digits| char::from_u32(u32::from_str_radix(digits, 16).ok()?)),
    ));
    preceded(char('\\'), simple).parse(input)
}

fn join<'t>(text: Cow<'t, str>, piece: Piece<'t>) -> Cow<'t, str> {
    match piece {
        Piece::Plain(plain) if text.is_empty() => Cow::Borrowed(plain),
        Piece::Plain(plain) => Cow::Owned(text.into_owned() + plain),
        Piece::Escape(c) => {
            let mut text = text.into_owned();
            text.push(c);
            Cow::Owned(text)
        }
    }
}

/// Returns a name in the owned form that schemas keep.
pub(super) fn boxed(name: Cow<'_, str>) -> Box<str> {
    name.into()
}
