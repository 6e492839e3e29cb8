//! The smallest parts of the grammar. Each takes the white space and the comments before it.

use nom::bytes::complete::{take_while, take_while_m_n};
use nom::character::complete::{char, satisfy};
use nom::combinator::{opt, recognize};
use nom::sequence::{pair, preceded};
use nom::{Err, IResult, Parser};

use crate::fault::Fault;

/// The result of a nom parser.
pub(crate) type Nom<'t, T> = IResult<&'t str, T, Fault>;

/// Returns an error that another alternative may mend.
pub(crate) const fn expected<'t, T>(input: &'t str, what: &'static str) -> Nom<'t, T> {
    Err(Err::Error(Fault::expected(input, what)))
}

/// Returns an error that nothing mends.
pub(crate) const fn wrong<'t, T>(input: &'t str, sentence: &'static str) -> Nom<'t, T> {
    Err(Err::Failure(Fault::wrong(input, sentence)))
}

/// White space and comments.
pub(crate) fn space(input: &str) -> Nom<'_, ()> {
    let mut rest = input.trim_start();
    loop {
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.find('\n').and_then(|end| comment.get(end..)).unwrap_or_default().trim_start();
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let Some((_, after)) = comment.split_once("*/") else { return wrong(rest, "this comment has no end") };
            rest = after.trim_start();
        } else {
            return Ok((rest, ()));
        }
    }
}

/// This very sign.
pub(crate) fn sign<'t>(wanted: char, what: &'static str) -> impl Fn(&'t str) -> Nom<'t, ()> {
    move |input| {
        let (rest, ()) = space(input)?;
        match rest.strip_prefix(wanted) {
            Some(after) => Ok((after, ())),
            None => expected(rest, what),
        }
    }
}

/// Returns whether a sign comes next; it is taken if so.
pub(crate) fn maybe(input: &str, wanted: char) -> Nom<'_, bool> {
    let (rest, ()) = space(input)?;
    Ok(rest.strip_prefix(wanted).map_or((rest, false), |after| (after, true)))
}

/// Returns a name.
pub(crate) fn word(input: &str) -> Nom<'_, &str> {
    let (rest, ()) = space(input)?;
    let first = satisfy(|c| c.is_ascii_alphabetic() || c == '_' || !c.is_ascii());
    let more = take_while(|c: char| c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii());
    recognize(pair(first, more)).parse(rest).or_else(|_: Err<Fault>| expected(rest, "a name"))
}

/// This very word, in any case.
pub(crate) fn keyword<'t>(wanted: &'static str) -> impl Fn(&'t str) -> Nom<'t, ()> {
    move |input| match word(input) {
        Ok((rest, found)) if found.eq_ignore_ascii_case(wanted) => Ok((rest, ())),
        Err(Err::Failure(fault)) => Err(Err::Failure(fault)),
        _ => expected(input, wanted),
    }
}

/// Quoted text; several pieces one after the other are one text.
pub(crate) fn string(input: &str) -> Nom<'_, String> {
    let mut text = String::new();
    let (mut rest, ()) = piece(input, &mut text)?;
    while let Ok((after, ())) = piece(rest, &mut text) {
        rest = after;
    }
    // What looked like a further piece and was broken is an error, not the end of the text.
    match space(rest) {
        Ok((broken, ())) if broken.starts_with('"') => piece(broken, &mut text).map(|(rest, ())| (rest, text)),
        _ => Ok((rest, text)),
    }
}

fn piece<'t>(input: &'t str, text: &mut String) -> Nom<'t, ()> {
    let (quote, ()) = space(input)?;
    let Some(mut rest) = quote.strip_prefix('"') else { return expected(quote, "a text in quotation marks") };
    loop {
        let end = rest.find(['"', '\\', '\n']).unwrap_or(rest.len());
        let (plain, after) = rest.split_at(end);
        text.push_str(plain);
        if let Some(after) = after.strip_prefix('"') {
            return Ok((after, ()));
        }
        if !after.starts_with('\\') {
            return wrong(quote, "this text has no closing quotation mark on its line");
        }
        let (after, c) = escape(after)?;
        text.push(c);
        rest = after;
    }
}

fn escape(input: &str) -> Nom<'_, char> {
    let body = input.strip_prefix('\\').unwrap_or(input);
    let hex = preceded(satisfy(|c| c == 'x' || c == 'X'), take_while_m_n(1, 4, |c: char| c.is_ascii_hexdigit()));
    let parsed: Nom<'_, Option<&str>> = opt(hex).parse(body);
    if let Ok((rest, Some(digits))) = parsed {
        let c = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        return Ok((rest, c.unwrap_or(char::REPLACEMENT_CHARACTER)));
    }
    let mut chars = body.chars();
    let c = match chars.next() {
        Some('b') => '\u{8}',
        Some('t') => '\t',
        Some('n') => '\n',
        Some('f') => '\u{c}',
        Some('r') => '\r',
        Some(c @ ('"' | '\'' | '\\')) => c,
        _ => return wrong(input, "not an escape: those are \\b \\t \\n \\f \\r \\\" \\' \\\\ \\xHHHH"),
    };
    Ok((chars.as_str(), c))
}

/// Returns a character in single quotation marks, without interpreting it.
pub(crate) fn character(input: &str) -> Nom<'_, ()> {
    let (rest, ()) = sign('\'', "a character")(input)?;
    let (rest, ()) = if rest.starts_with('\\') {
        escape(rest).map(|(rest, _)| (rest, ()))?
    } else {
        let mut chars = rest.chars();
        chars.next();
        (chars.as_str(), ())
    };
    let closed: Nom<'_, char> = char('\'').parse(rest);
    closed.map_or_else(|_| wrong(input, "this character has no closing quotation mark"), |(rest, _)| Ok((rest, ())))
}

/// Returns a number: `None` for a real one. Decimal, `0x` hexadecimal, `0` octal, binary with `b` at its end.
pub(crate) fn number(input: &str) -> Nom<'_, Option<i128>> {
    let (start, ()) = space(input)?;
    let body = start.strip_prefix(['+', '-']).unwrap_or(start);
    let end = body.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).unwrap_or(body.len());
    let (mut digits, mut rest) = body.split_at(end);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return expected(start, "a number");
    }
    // The exponent of a real number may have a sign.
    if !digits.starts_with("0x") && digits.ends_with(['e', 'E']) && rest.starts_with(['+', '-']) {
        let more = rest.get(1..).unwrap_or_default();
        let end = more.find(|c: char| !c.is_ascii_digit()).unwrap_or(more.len());
        (digits, rest) = body.split_at(digits.len() + 1 + end);
    }
    let Some(magnitude) = integer(digits) else {
        return if digits.parse::<f64>().is_ok() { Ok((rest, None)) } else { wrong(start, "this is not a number") };
    };
    Ok((rest, Some(if start.starts_with('-') { -magnitude } else { magnitude })))
}

/// Returns an integer in 64 bits without its sign.
fn integer(digits: &str) -> Option<i128> {
    let hex = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let binary = digits.strip_suffix(['b', 'B']).filter(|bits| bits.bytes().all(|bit| matches!(bit, b'0' | b'1')));
    let octal = digits.strip_prefix('0').filter(|digits| digits.bytes().all(|digit| matches!(digit, b'0'..=b'7')));
    let parsed = match (hex, binary, octal) {
        (Some(hex), ..) => u64::from_str_radix(hex, 16),
        (_, Some(binary), _) => u64::from_str_radix(binary, 2),
        (_, _, Some(octal)) if !octal.is_empty() => u64::from_str_radix(octal, 8),
        _ => digits.parse::<u64>(),
    };
    parsed.ok().map(i128::from)
}

/// Skips to the sign that closes what `open` has opened; the opening sign has been taken.
pub(crate) fn skip_closed(input: &str, open: char, close: char) -> Nom<'_, ()> {
    let mut depth = 1_usize;
    let mut rest = input;
    loop {
        let (start, ()) = space(rest)?;
        let mut chars = start.chars();
        match chars.next() {
            None => return wrong(input, "what begins here has no end"),
            Some('"') => (rest, _) = string(start)?,
            Some(c) => {
                rest = chars.as_str();
                depth += usize::from(c == open);
                if c == close {
                    depth -= 1;
                    if depth == 0 {
                        return Ok((rest, ()));
                    }
                }
            }
        }
    }
}

/// Skips to the next semicolon outside of texts, and the semicolon.
pub(crate) fn skip_statement(input: &str) -> Nom<'_, ()> {
    skip_closed(input, '\0', ';')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_pieces_and_escapes() {
        let (rest, text) = string("\"a\\n\" // comment\n \"b\\x41\\\"\" /* more */ , c").unwrap();
        assert_eq!((text.as_str(), rest), ("a\nbA\"", " /* more */ , c"));
        assert!(string("\"open").is_err());
        assert!(string("\"good\" \"open").is_err());
        assert!(string(r#""\q""#).is_err());
    }

    #[test]
    fn numbers_of_all_kinds() {
        for (text, value) in [
            ("17 ", Some(17)),
            ("-5", Some(-5)),
            ("0x1F;", Some(31)),
            ("017", Some(15)),
            ("08", Some(8)),
            ("101b", Some(5)),
            ("0", Some(0)),
            ("18446744073709551615", Some(u64::MAX.into())),
            ("1.5e+3)", None),
        ] {
            assert_eq!(number(text).unwrap().1, value, "{text}");
        }
        assert!(number("12x").is_err());
        assert!(number("x").is_err());
    }

    #[test]
    fn braces_in_texts_close_nothing() {
        assert_eq!(skip_closed(" a { \"}\" /* } */ } } rest", '{', '}').unwrap().0, " rest");
        assert!(skip_closed(" a { } ", '{', '}').is_err());
        assert_eq!(skip_statement(" : string = \";\", Scope(class); next").unwrap().0, " next");
    }
}
