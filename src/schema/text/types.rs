//! The grammar of the part after a field's name.

use std::borrow::Cow;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag as word_of;
use nom::character::complete::char;
use nom::combinator::{cut, opt, value};
use nom::sequence::{delimited, pair, preceded, separated_pair};

use crate::schema::{Count, DisplayFormat, Encoding, Expected, Len, Wire};

use super::fault::Fault;
use super::lex::{self, Nom, expect, keyword, sign, spaced};
use super::words::{self, DISPLAY_FORMATS, ENCODINGS, EVENT_WORDS, FIELD_WORDS, OTHER_TYPES, SCALARS};

/// Another field, or a map, as a text names it.
#[derive(Clone, Debug)]
pub(super) struct Reference<'t> {
    /// Its place: bytes before the end of the text.
    pub(super) rest: usize,
    pub(super) to: To<'t>,
}

/// The target of a reference.
#[derive(Clone, Debug)]
pub(super) enum To<'t> {
    Name(Cow<'t, str>),
    /// `#3`: by its place, from 0.
    Place(u32),
}

/// A type whose references are not resolved yet.
#[derive(Clone, Debug)]
pub(super) enum Type<'t> {
    Ready(Wire),
    Text(Encoding, Reference<'t>, Option<u16>),
    Bytes(Reference<'t>, Option<u16>),
    /// The lowest bit of an integer, and how many.
    Bits(Reference<'t>, u8, u8),
    Struct,
}

/// A count whose reference is not resolved yet.
#[derive(Clone, Debug)]
pub(super) enum Amount<'t> {
    Ready(Count),
    Field(Reference<'t>),
}

/// A length whose reference is not resolved yet.
enum Length<'t> {
    Ready(Len),
    /// The value of a field, and the room that it is of.
    Field(Reference<'t>, Option<u16>),
}

/// Returns a field's name.
pub(super) fn field_name(input: &str) -> Nom<'_, Cow<'_, str>> {
    match lex::name(FIELD_WORDS)(input) {
        // A reserved word has an error of its own.
        Err(nom::Err::Error(_)) if !input.starts_with(words::begins_word) => {
            Err(nom::Err::Error(Fault::expected(input, "the name of a field or `}`")))
        }
        result => result,
    }
}

/// `u32`, `sid wrapped`, `utf16[Field]`, `struct` ...
pub(super) fn field_type(input: &str) -> Nom<'_, Type<'_>> {
    let (rest, word) = expect("a type", lex::word).parse(input)?;
    if let Some(scalar) = words::meaning(SCALARS, word) {
        return Ok((rest, Type::Ready(Wire::Scalar(scalar))));
    }
    if let Some(encoding) = words::meaning(ENCODINGS, word) {
        return text(rest, encoding);
    }
    match word {
        "bytes" => bytes(rest),
        "bits" => bits(rest),
        "sid" => {
            let (rest, wrapped) = opt(spaced(keyword("wrapped"))).parse(rest)?;
            Ok((rest, Type::Ready(Wire::Sid { wrapped: wrapped.is_some() })))
        }
        "struct" => Ok((rest, Type::Struct)),
        _ => Err(failure(input.len(), unknown_type(word))),
    }
}

/// `x 8`, `x Field`, `x counted`, `x rest`.
pub(super) fn count(input: &str) -> Nom<'_, Amount<'_>> {
    let amount = alt((
        spaced(keyword("counted")).map(|()| Amount::Ready(Count::Prefix16)),
        spaced(keyword("rest")).map(|()| Amount::Ready(Count::Rest)),
        spaced(lex::small("counts", u16::MAX)).map(|count| Amount::Ready(Count::Fixed(count))),
        |input| {
            reference(input, FIELD_WORDS, "a count: a number, a field, `counted` or `rest`").map_field(Amount::Field)
        },
    ));
    preceded(keyword("x"), cut(amount)).parse(input)
}

/// `as hex`.
pub(super) fn display(input: &str) -> Nom<'_, DisplayFormat> {
    let known = |input| {
        let (rest, word) = expect("how the field is shown", lex::word).parse(input)?;
        let unknown = || {
            failure(
                input.len(),
                format!("cannot display a field as `{word}`; there are: {}", words::list(DISPLAY_FORMATS)),
            )
        };
        words::meaning(DISPLAY_FORMATS, word).map(|display| (rest, display)).ok_or_else(unknown)
    };
    preceded(keyword("as"), cut(spaced(known))).parse(input)
}

/// `map Name`.
pub(super) fn map(input: &str) -> Nom<'_, Reference<'_>> {
    preceded(keyword("map"), cut(map_reference)).parse(input)
}

/// Returns the name of a map, or its place among the provider's.
pub(super) fn map_reference(input: &str) -> Nom<'_, Reference<'_>> {
    reference(input, EVENT_WORDS, "the name of a map")
}

/// Returns the field that an event takes its process or thread from.
pub(super) fn subject(input: &str) -> Nom<'_, Reference<'_>> {
    reference(input, EVENT_WORDS, "the name of a field or its place, `#3`")
}

/// `is "text"` or `nonzero`.
pub(super) fn expected(input: &str) -> Nom<'_, Expected> {
    let text = preceded(keyword("is"), cut(spaced(lex::quoted))).map(|text| Expected::Text(text.into()));
    alt((text, value(Expected::NonZero, keyword("nonzero")))).parse(input)
}

/// `alias Name`.
pub(super) fn alias(input: &str) -> Nom<'_, Cow<'_, str>> {
    preceded(keyword("alias"), cut(spaced(expect("another name of the field", lex::name(FIELD_WORDS))))).parse(input)
}

/// `tag 0x1`.
pub(super) fn tag(input: &str) -> Nom<'_, u32> {
    preceded(keyword("tag"), cut(spaced(lex::small("tags", u32::MAX)))).parse(input)
}

fn text(input: &str, encoding: Encoding) -> Nom<'_, Type<'_>> {
    let (rest, length) = opt(length).parse(input)?;
    let ready = |len| Type::Ready(Wire::Text { encoding, len });
    Ok((
        rest,
        match length {
            None => ready(Len::Nul),
            Some(Length::Ready(len)) => ready(len),
            Some(Length::Field(reference, room)) => Type::Text(encoding, reference, room),
        },
    ))
}

fn bytes(input: &str) -> Nom<'_, Type<'_>> {
    const FORMS: &str = "the length of the bytes: `[N]`, `[Field]`, `counted`, `counted-be`, `counted32` or `rest`";
    let (rest, length) = cut(|input| match length(input) {
        Err(nom::Err::Error(_)) => Err(nom::Err::Error(Fault::expected(lex::space(input).0, FORMS))),
        result => result,
    })
    .parse(input)?;
    Ok((
        rest,
        match length {
            Length::Ready(len) => Type::Ready(Wire::Bytes { len }),
            Length::Field(reference, room) => Type::Bytes(reference, room),
        },
    ))
}

/// `[Field 24..31]`: the lowest and the highest bit of an earlier integer.
fn bits(input: &str) -> Nom<'_, Type<'_>> {
    const FORM: &str = "the bits of an earlier field: `[Field 24..31]`";
    let of = |input| reference(input, FIELD_WORDS, FORM);
    let range = separated_pair(lex::small("bits", 63_u8), expect("`..`", word_of("..")), lex::small("bits", 63_u8));
    let whole = delimited(expect(FORM, char('[')), pair(of, spaced(range)), spaced(sign(']')));
    let (rest, (of, (first, last))) = cut(whole).parse(input)?;
    match last.checked_sub(first) {
        Some(more) => Ok((rest, Type::Bits(of, first, more + 1))),
        None => Err(failure(of.rest, "the first bit is above the last one".into())),
    }
}

fn length(input: &str) -> Nom<'_, Length<'_>> {
    let in_brackets =
        alt((spaced(lex::small("lengths", u16::MAX)).map(|len| Length::Ready(Len::Fixed(len))), |input| {
            let (rest, of) = reference(input, FIELD_WORDS, "a length: a number or a field")?;
            let room = preceded(keyword("of"), cut(spaced(lex::small("lengths", u16::MAX))));
            opt(spaced(room)).parse(rest).map_field(|room| Length::Field(of, room))
        }));
    let word = alt((
        value(Len::Prefix16, keyword("counted")),
        value(Len::Prefix16Swapped, keyword("counted-be")),
        value(Len::Prefix32, keyword("counted32")),
        value(Len::Rest, keyword("rest")),
    ));
    alt((delimited(spaced(char('[')), cut(in_brackets), cut(spaced(sign(']')))), spaced(word.map(Length::Ready))))
        .parse(input)
}

/// Returns a name or `#` and a place. Takes the blanks before it: a `#` here is not a comment.
fn reference<'t>(input: &'t str, reserved: &'static [&'static str], what: &'static str) -> Nom<'t, Reference<'t>> {
    let blanks = input.trim_start_matches([' ', '\t']);
    if let Some(place) = blanks.strip_prefix('#').filter(|place| place.starts_with(|c: char| c.is_ascii_digit())) {
        let (rest, place) = lex::small("places", u32::MAX).parse(place)?;
        return Ok((rest, Reference { rest: blanks.len(), to: To::Place(place) }));
    }
    let (input, _) = lex::space(input);
    let (rest, name) = if input.starts_with(['"', '_']) || input.starts_with(|c: char| c.is_ascii_alphabetic()) {
        lex::name(reserved)(input)?
    } else {
        return Err(nom::Err::Error(Fault::expected(input, what)));
    };
    Ok((rest, Reference { rest: input.len(), to: To::Name(name) }))
}

/// Wraps the value of a result.
trait MapField<'t, T> {
    fn map_field<U>(self, wrap: impl FnOnce(T) -> U) -> Nom<'t, U>;
}

impl<'t, T> MapField<'t, T> for Nom<'t, T> {
    fn map_field<U>(self, wrap: impl FnOnce(T) -> U) -> Nom<'t, U> {
        self.map(|(rest, value)| (rest, wrap(value)))
    }
}

fn failure(rest: usize, sentence: String) -> nom::Err<Fault> {
    nom::Err::Failure(Fault::wrong(rest, sentence))
}

fn unknown_type(word: &str) -> String {
    let (scalars, texts) = (words::list(SCALARS), words::list(ENCODINGS));
    format!("unknown type `{word}`; the types are: {scalars} {texts} {}", OTHER_TYPES.join(" "))
}
