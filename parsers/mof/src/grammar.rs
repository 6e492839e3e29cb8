//! Declarations of MOF: classes are kept, all else is read and passed over.

use etwkit::error::Result;
use etwkit::limits::{MAX_DEPTH, MAX_FIELDS};
use nom::Err;

use crate::ast::{Array, Class, Property, Qualifier, Qualifiers, Value};
use crate::fault::Fault;
use crate::lex::{Nom, character, expected, keyword, maybe, number, sign, skip_closed, skip_statement, string, word};
use crate::limits;

/// A text as declarations.
#[derive(Debug, Default)]
pub(crate) struct Document {
    pub(crate) classes: Vec<Class>,
    /// Where the text names another file that was to be read in its place, which is not done.
    pub(crate) includes: Vec<usize>,
}

/// Reads a whole text. An error reports the line and column.
pub(crate) fn parse(text: &str) -> Result<Document> {
    document(text).map_err(|fault| match fault {
        Err::Error(fault) | Err::Failure(fault) => fault.into_error(text),
        Err::Incomplete(_) => Fault::expected("", "more").into_error(text),
    })
}

fn document(text: &str) -> std::result::Result<Document, Err<Fault>> {
    let mut document = Document::default();
    let mut input = text;
    loop {
        let (rest, ()) = crate::lex::space(input)?;
        if rest.is_empty() {
            return Ok(document);
        }
        (input, ()) = declaration(rest, text.len(), &mut document)?;
        if document.classes.len() > limits::MAX_CLASSES {
            return Err(Err::Failure(Fault::limit(input, "the number of classes", limits::MAX_CLASSES)));
        }
    }
}

/// One declaration. `len` is the length of the whole text.
fn declaration<'t>(input: &'t str, len: usize, document: &mut Document) -> Nom<'t, ()> {
    if let (rest, true) = maybe(input, '#')? {
        let (rest, is_include) = pragma(rest)?;
        document.includes.extend(is_include.then_some(len - input.len()));
        return Ok((rest, ()));
    }
    if let (rest, true) = maybe(input, ';')? {
        return Ok((rest, ()));
    }
    let (rest, qualifiers) = qualifiers(input)?;
    let (after, kind) = word(rest)?;
    match kind.to_ascii_lowercase().as_str() {
        "class" => {
            let (rest, class) = class(after, len, qualifiers)?;
            document.classes.push(class);
            Ok((rest, ()))
        }
        "instance" => instance(after),
        "qualifier" if qualifiers.0.is_empty() => skip_statement(after),
        _ => expected(rest, "`class`, `instance of`, `qualifier` or `#pragma`"),
    }
}

/// `#pragma name` or `#pragma name(...)`, and `#include`; whether it names another file to be read.
fn pragma(input: &str) -> Nom<'_, bool> {
    let (rest, name) = word(input)?;
    let (rest, name) = if name.eq_ignore_ascii_case("pragma") { word(rest)? } else { (rest, name) };
    let is_include = name.eq_ignore_ascii_case("include");
    let (rest, opened) = maybe(rest, '(')?;
    let (rest, ()) = if opened { skip_closed(rest, '(', ')')? } else { (rest, ()) };
    Ok((rest, is_include))
}

/// `instance of Name [as $Alias] { ... };`: data of the repository, nothing about events.
fn instance(input: &str) -> Nom<'_, ()> {
    let (rest, ()) = keyword("of")(input)?;
    let (rest, _) = word(rest)?;
    let (rest, ()) = alias(rest)?;
    let (rest, ()) = sign('{', "`{`")(rest)?;
    let (rest, ()) = skip_closed(rest, '{', '}')?;
    sign(';', "`;` after the instance")(rest)
}

/// `as $Name`, if it is there.
fn alias(input: &str) -> Nom<'_, ()> {
    let Ok((rest, ())) = keyword("as")(input) else { return Ok((input, ())) };
    let (rest, ()) = sign('$', "`$`")(rest)?;
    word(rest).map(|(rest, _)| (rest, ()))
}

/// Parses what follows `class`.
fn class(input: &str, len: usize, qualifiers: Qualifiers) -> Nom<'_, Class> {
    let (rest, name) = word(input)?;
    let at = len - rest.len() - name.len();
    let (rest, ()) = alias(rest)?;
    let (rest, derived) = maybe(rest, ':')?;
    let (rest, base) = if derived { word(rest).map(|(rest, base)| (rest, Some(base.into())))? } else { (rest, None) };
    let mut class = Class { at, name: name.into(), base, qualifiers, properties: Vec::new() };
    // A class may be announced without a body.
    if let (rest, true) = maybe(rest, ';')? {
        return Ok((rest, class));
    }
    let (mut rest, ()) = sign('{', "`{`, `:` or `;`")(rest)?;
    loop {
        if let (after, true) = maybe(rest, '}')? {
            // Microsoft's own files do not all have the semicolon.
            let (after, _) = maybe(after, ';')?;
            return Ok((after, class));
        }
        let (after, property) = feature(rest, len)?;
        class.properties.extend(property);
        if class.properties.len() > MAX_FIELDS {
            return Err(Err::Failure(Fault::limit(rest, "the number of properties", MAX_FIELDS)));
        }
        rest = after;
    }
}

/// Returns a property, or nothing for a method.
fn feature(input: &str, len: usize) -> Nom<'_, Option<Property>> {
    let (rest, qualifiers) = qualifiers(input)?;
    let (rest, kind) = word(rest)?;
    let (rest, mut name) = word(rest)?;
    let mut rest = rest;
    let mut kind = kind;
    if name.eq_ignore_ascii_case("ref") {
        (kind, (rest, name)) = ("ref", word(rest)?);
    }
    let at = len - rest.len() - name.len();
    if let (rest, true) = maybe(rest, '(')? {
        let (rest, ()) = skip_closed(rest, '(', ')')?;
        return sign(';', "`;` after the method")(rest).map(|(rest, ())| (rest, None));
    }
    let (rest, array) = array(rest)?;
    let (rest, has_default) = maybe(rest, '=')?;
    let (rest, _) = if has_default { value(rest, 0)? } else { (rest, Value::Other) };
    let (rest, ()) = sign(';', "`;` after the property")(rest)?;
    Ok((rest, Some(Property { at, kind: kind.into(), name: name.into(), qualifiers, array })))
}

/// `[]`, `[n]` or nothing.
fn array(input: &str) -> Nom<'_, Array> {
    let (rest, opened) = maybe(input, '[')?;
    if !opened {
        return Ok((rest, Array::None));
    }
    if let (rest, true) = maybe(rest, ']')? {
        return Ok((rest, Array::Open));
    }
    let (after, size) = number(rest)?;
    let Some(size) = size.and_then(|size| u64::try_from(size).ok()) else { return expected(rest, "a size") };
    let (after, ()) = sign(']', "`]`")(after)?;
    Ok((after, Array::Fixed(size)))
}

/// `[a, b(1), c{1, 2} : flavour]`, if it is there.
fn qualifiers(input: &str) -> Nom<'_, Qualifiers> {
    let (mut rest, opened) = maybe(input, '[')?;
    let mut found = Qualifiers::default();
    if !opened {
        return Ok((rest, found));
    }
    loop {
        let (after, qualifier) = qualifier(rest)?;
        found.0.push(qualifier);
        if found.0.len() > limits::MAX_QUALIFIERS {
            return Err(Err::Failure(Fault::limit(rest, "the number of qualifiers", limits::MAX_QUALIFIERS)));
        }
        match maybe(after, ',')? {
            (after, true) => rest = after,
            (after, false) => {
                let (after, ()) = sign(']', "`,` or `]` after the qualifier")(after)?;
                return Ok((after, found));
            }
        }
    }
}

fn qualifier(input: &str) -> Nom<'_, Qualifier> {
    let (rest, name) = word(input)?;
    let (rest, opened) = maybe(rest, '(')?;
    let (rest, found) = if opened {
        let (rest, found) = value(rest, 0)?;
        let (rest, ()) = sign(')', "`)` after the value")(rest)?;
        (rest, found)
    } else {
        match maybe(rest, '{')? {
            (rest, true) => list(rest, 0)?,
            (rest, false) => (rest, Value::Flag(true)),
        }
    };
    let (mut rest, flavored) = maybe(rest, ':')?;
    if flavored {
        (rest, _) = word(rest)?;
        while let Ok((after, _)) = word(rest) {
            rest = after;
        }
    }
    Ok((rest, Qualifier { name: name.into(), value: found }))
}

/// Returns a constant, or a list of constants in braces.
fn value(input: &str, depth: usize) -> Nom<'_, Value> {
    let (rest, ()) = crate::lex::space(input)?;
    match rest.chars().next() {
        Some('"') => string(rest).map(|(rest, text)| (rest, Value::Text(text.into()))),
        Some('\'') => character(rest).map(|(rest, ())| (rest, Value::Other)),
        Some('{') => list(rest.get(1..).unwrap_or_default(), depth),
        Some('$') => word(rest.get(1..).unwrap_or_default()).map(|(rest, _)| (rest, Value::Other)),
        Some('0'..='9' | '+' | '-' | '.') => {
            number(rest).map(|(rest, number)| (rest, number.map_or(Value::Other, Value::Number)))
        }
        _ => {
            let Ok((after, name)) = word(rest) else { return expected(rest, "a value") };
            match name.to_ascii_lowercase().as_str() {
                "true" => Ok((after, Value::Flag(true))),
                "false" => Ok((after, Value::Flag(false))),
                "null" => Ok((after, Value::Other)),
                _ => expected(rest, "a value"),
            }
        }
    }
}

/// Parses what follows the brace that opens a list.
fn list(input: &str, depth: usize) -> Nom<'_, Value> {
    if depth >= MAX_DEPTH {
        return Err(Err::Failure(Fault::limit(input, "the nesting of lists", MAX_DEPTH)));
    }
    let mut elements = Vec::new();
    let mut rest = input;
    loop {
        if let (after, true) = maybe(rest, '}')? {
            elements.shrink_to_fit();
            return Ok((after, Value::List(elements)));
        }
        let (after, element) = value(rest, depth + 1)?;
        elements.push(element);
        rest = match maybe(after, ',')? {
            (after, true) => after,
            (after, false) if after.starts_with('}') => after,
            (after, false) => return expected(after, "`,` or `}`"),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
// A comment with "quotes
#pragma namespace("\\\\.\\root\\wmi")
#pragma autorecover
#pragma classflags ("forceupdate")
#pragma include("other.mof")
Qualifier Odd : string = ";", Scope(class, property), Flavor(ToSubclass);
[Dynamic, Guid("{00112233-4455-6677-8899-aabbccddeeff}") : ToInstance DisableOverride, locale(1033)]
class P : EventTrace
{
    [Values{"a", "b"}, ValueMap{"0x1", "2"}, DefineValues{"A", "B"}: amended] uint32 Flags = 5;
};
/* an announcement */ class Q;
instance of P as $x { Flags = 7; Inner = instance of Q { }; };
[EventType{10, 0xB}, EventTypeName({"Ten", "Eleven"})] class E : P {
    [WmiDataId(1), MAX(4), format("s")] char16 Name[];
    [read, write(false)] uint8 Data[176];
    Q ref Other;
    [Static, Implemented] uint32 Run([in, Description("a)")] string Text);
};
"#;

    #[test]
    fn classes_are_kept_and_all_else_is_passed_over() {
        let document = parse(TEXT).unwrap();
        let names: Vec<_> = document.classes.iter().map(|class| (&*class.name, class.base.as_deref())).collect();
        assert_eq!(names, [("P", Some("EventTrace")), ("Q", None), ("E", Some("P"))]);
        assert_eq!(document.includes.len(), 1);
        let event = &document.classes[2];
        assert_eq!(event.qualifiers.list("eventtype"), Some(&[Value::Number(10), Value::Number(11)][..]));
        assert_eq!(event.qualifiers.list("EventTypeName").map(<[Value]>::len), Some(2));
        let shapes: Vec<_> = event.properties.iter().map(|p| (&*p.kind, &*p.name, p.array)).collect();
        let wanted =
            [("char16", "Name", Array::Open), ("uint8", "Data", Array::Fixed(176)), ("ref", "Other", Array::None)];
        assert_eq!(shapes, wanted);
        let data = &event.properties[1].qualifiers;
        assert!(data.has("READ") && !data.has("write") && !data.has("none"));
        assert_eq!(TEXT.get(event.at..event.at + 1), Some("E"));
        assert_eq!(TEXT.get(event.properties[2].at..).map(|at| at.starts_with("Other")), Some(true));
    }

    #[test]
    fn errors_tell_line_and_column() {
        for (text, wanted) in [
            ("class A {\n  uint32 ;\n};", "line 2: column 10: expected a name, found `;`"),
            ("class A {\n  uint32 x\n};", "line 3: column 1: expected `;` after the property, found `};`"),
            ("[a(1] class A {};", "line 1: column 5: expected `)` after the value, found `]`"),
            ("[a(", "line 1: column 4: expected a value, found the end of the text"),
            ("hello", "line 1: column 1: expected `class`, `instance of`, `qualifier` or `#pragma`, found `hello`"),
            ("class A {\n/* x", "line 2: column 1: this comment has no end"),
            ("[a(\"x\n\")] class A {};", "line 1: column 4: this text has no closing quotation mark on its line"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), wanted);
        }
    }

    #[test]
    fn caps_hold() {
        let deep = format!("[a({})] class A {{}};", "{".repeat(100_000));
        assert!(parse(&deep).unwrap_err().to_string().contains("nesting"));
        let many = "class A;".repeat(limits::MAX_CLASSES + 1);
        assert!(parse(&many).unwrap_err().to_string().contains("classes"));
        let wide = format!("class A {{ {} }};", "uint8 x;".repeat(MAX_FIELDS + 1));
        assert!(parse(&wide).unwrap_err().to_string().contains("properties"));
        let marked = format!("[{} a] class A {{}};", "a,".repeat(limits::MAX_QUALIFIERS));
        assert!(parse(&marked).unwrap_err().to_string().contains("qualifiers"));
    }
}
