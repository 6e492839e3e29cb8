//! An expression as a tree.

use std::fmt;

use super::lex;
use super::parse::is_reserved;
use super::part::HeaderField;
use super::test::Test;

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    /// The opposite.
    Not(Box<Node>),
    /// All of them; two at least.
    All(Vec<Node>),
    /// One of them; two at least.
    Any(Vec<Node>),
    /// The event has a field or part of that name.
    Has(Name),
    /// A part or one of the fields of that name passes the test; false if there is none. Negated, there is one, and
    /// none passes: `Size != 3` does not hold for an event without `Size`.
    Test {
        /// The left side.
        name: Name,
        /// The operator was `!=`, `!~` or `not in`.
        negated: bool,
        /// Operator and right side.
        test: Test,
    },
}

/// What a name stands for, wherever names are typed: a part of the header if it is spelt as outputs spell that part, else
/// a field of the payload if the event has one, else the part that has this as another name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// The part, unless `fields.` is written before it.
    pub(super) part: Option<HeaderField>,
    /// The field, unless `header.` is written before it.
    pub(super) field: Option<Path>,
    /// The part goes before the field.
    pub(super) header_first: bool,
}

/// A field, or a member of a struct by the names from the outside in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    /// All of it, for a field whose name has a dot itself.
    pub(super) whole: Box<str>,
    /// Between the dots.
    pub(super) steps: Box<[Box<str>]>,
}

impl Name {
    /// What a word means on the left side.
    pub(super) fn word(word: &str) -> Self {
        let header_first = false;
        match word.split_once('.') {
            Some((prefix, name)) if is_payload(prefix) => {
                Self { part: None, field: Some(Path::dotted(name)), header_first }
            }
            Some((prefix, name)) if prefix.eq_ignore_ascii_case("header") => {
                Self { part: HeaderField::from_name(name), field: None, header_first }
            }
            _ => {
                let header_first = HeaderField::from_key(word).is_some();
                Self { part: HeaderField::from_name(word), field: Some(Path::dotted(word)), header_first }
            }
        }
    }

    /// A field whose name stands in quotes.
    pub(super) fn quoted(text: &str) -> Self {
        let path = Path { whole: text.into(), steps: Box::new([text.into()]) };
        Self { part: None, field: Some(path), header_first: false }
    }
}

/// `fields.`, or `payload.`.
fn is_payload(prefix: &str) -> bool {
    ["payload", "fields"].iter().any(|known| known.eq_ignore_ascii_case(prefix))
}

impl Path {
    fn dotted(text: &str) -> Self {
        Self { whole: text.into(), steps: text.split('.').map(Into::into).collect() }
    }
}

/// As it can be read again.
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.field, self.part) {
            (None, part) => write!(f, "header.{}", part.map_or("", HeaderField::name)),
            (Some(path), None) if *path == Path::dotted(&path.whole) && lex::is_word(&path.whole) => {
                let alone = !is_reserved(&path.whole) && Self::word(&path.whole) == *self;
                write!(f, "{}{}", if alone { "" } else { "fields." }, path.whole)
            }
            (Some(path), None) => lex::write_quoted(f, &path.whole),
            (Some(path), Some(_)) => f.write_str(&path.whole),
        }
    }
}

/// As it can be read again, with no more brackets than it needs.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Not(inner) => {
                f.write_str("not ")?;
                inner.within(f, matches!(**inner, Self::All(_) | Self::Any(_)))
            }
            Self::All(list) => joined(f, list, " and ", |node| matches!(node, Self::All(_) | Self::Any(_))),
            Self::Any(list) => joined(f, list, " or ", |node| matches!(node, Self::Any(_))),
            Self::Has(name) => write!(f, "has {name}"),
            Self::Test { name, negated: false, test } => write!(f, "{name} {test}"),
            Self::Test { name, negated: true, test } => match test {
                Test::Is(literal) => write!(f, "{name} != {literal}"),
                Test::Matches(_) => write!(f, "{name} !{test}"),
                _ => write!(f, "{name} not {test}"),
            },
        }
    }
}

impl Node {
    /// Hands over each name, from left to right.
    pub(super) fn each_name(&self, each: &mut impl FnMut(&Name)) {
        match self {
            Self::Not(inner) => inner.each_name(each),
            Self::All(list) | Self::Any(list) => list.iter().for_each(|node| node.each_name(each)),
            Self::Has(name) | Self::Test { name, .. } => each(name),
        }
    }

    /// Hands over each text that a value is compared with, and the name on the left, from left to right.
    pub(super) fn each_literal<'n>(&'n self, each: &mut impl FnMut(&'n Name, &'n str)) {
        match self {
            Self::Not(inner) => inner.each_literal(each),
            Self::All(list) | Self::Any(list) => list.iter().for_each(|node| node.each_literal(each)),
            Self::Test { name, test: Test::Is(literal), .. } => each(name, literal.text()),
            Self::Test { name, test: Test::In(list), .. } => list.iter().for_each(|literal| each(name, literal.text())),
            Self::Has(_) | Self::Test { .. } => {}
        }
    }

    fn within(&self, f: &mut fmt::Formatter<'_>, brackets: bool) -> fmt::Result {
        if brackets { write!(f, "({self})") } else { write!(f, "{self}") }
    }
}

fn joined(f: &mut fmt::Formatter<'_>, list: &[Node], between: &str, brackets: fn(&Node) -> bool) -> fmt::Result {
    for (place, node) in list.iter().enumerate() {
        f.write_str(if place == 0 { "" } else { between })?;
        node.within(f, brackets(node))?;
    }
    Ok(())
}
