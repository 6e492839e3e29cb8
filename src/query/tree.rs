//! An expression as a tree.

use std::fmt;

use super::lex;
use super::part::Part;
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

/// The left side of a comparison: a field of the payload if the event has one of that name, else a part of the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// The part of that name, unless `payload.` is written before it.
    pub(super) part: Option<Part>,
    /// The field, unless `header.` is written before it.
    pub(super) field: Option<Path>,
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
        let prefixed = word.split_once('.');
        match prefixed {
            Some((prefix, name)) if is_payload(prefix) => Self { part: None, field: Some(Path::dotted(name)) },
            Some((prefix, name)) if prefix.eq_ignore_ascii_case("header") => {
                Self { part: Part::from_name(name), field: None }
            }
            _ => Self { part: Part::from_name(word), field: Some(Path::dotted(word)) },
        }
    }

    /// A field whose name stands in quotes.
    pub(super) fn quoted(text: &str) -> Self {
        Self { part: None, field: Some(Path { whole: text.into(), steps: Box::new([text.into()]) }) }
    }
}

/// `payload.`, or `fields.` as in the options that pick columns.
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
            (None, part) => write!(f, "header.{}", part.map_or("", Part::name)),
            (Some(path), None) if *path == Path::dotted(&path.whole) && lex::is_word(&path.whole) => {
                write!(f, "payload.{}", path.whole)
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
