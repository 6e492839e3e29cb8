//! The typed model of a TMF text.

use etwkit::bytes::{self, Guid};

/// A TMF text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tmf {
    /// What it consists of, in order.
    pub entries: Vec<TmfEntry>,
}

/// A part of a TMF text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TmfEntry {
    /// A comment line: what follows `//`.
    Comment(Box<str>),
    /// The messages after it belong to this GUID.
    Group(Group),
    /// A message.
    Definition(Definition),
    /// Names of values for `ItemEnum` and `ItemFlagsEnum`.
    Enumeration(Enumeration),
    /// A line of another kind, empty ones among them.
    Other(Box<str>),
}

/// `<guid> <component> // SRC=<file> MJ= MN=`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Group {
    /// Message GUID.
    pub guid: Guid,
    /// The component's name, `%1` in a message.
    pub component: Box<str>,
    /// What follows.
    pub trailer: Option<Trailer>,
}

/// `#typev <name> <number> "<format>" // LEVEL=...` and its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Definition {
    /// The directive.
    pub keyword: Keyword,
    /// Usually source file and line: `driver_c120`.
    pub name: Box<str>,
    /// Message number within the group.
    pub number: u16,
    /// The format between the quotes, as written.
    pub format: Box<str>,
    /// What follows the format.
    pub trailer: Option<Trailer>,
    /// The lines between the braces.
    pub body: Vec<BodyLine<Argument>>,
}

/// Spelling of a message's directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Keyword {
    /// `#typev`.
    TypeV,
    /// `#type`, in older files.
    Type,
}

/// A line between braces.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BodyLine<T> {
    /// One that is understood.
    Known(T),
    /// Any other: a comment, an empty line, something odd.
    Other(Box<str>),
}

/// `<expression>, <item> -- <number>`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Argument {
    /// The expression in the source.
    pub expression: Box<str>,
    /// Its type.
    pub item: Item,
    /// By which the format refers to it, from 10; also its place in the payload.
    pub number: u16,
}

/// An item type: `ItemLong`, `ItemListByte(Low,APC,DPC)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Item {
    /// Its name.
    pub name: Box<str>,
    /// What is in parentheses.
    pub list: Option<Box<str>>,
}

/// `#enumv <name>` and its values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Enumeration {
    /// Its name.
    pub name: Box<str>,
    /// The lines between the braces.
    pub body: Vec<BodyLine<EnumValue>>,
}

/// `<label>,<value>`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct EnumValue {
    /// The name.
    pub label: Box<str>,
    /// The value as written: decimal, or `0x` and hexadecimal digits.
    pub text: Box<str>,
}

/// The text after `//` on a line: `LEVEL=TRACE_LEVEL_ERROR FLAGS=MAIN FUNC=DriverEntry`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Trailer(pub Box<str>);

impl Tmf {
    /// Returns every message with the group it belongs to.
    pub fn definitions(&self) -> impl Iterator<Item = (&Group, &Definition)> {
        let mut group = None;
        self.entries.iter().filter_map(move |entry| match entry {
            TmfEntry::Group(next) => {
                group = Some(next);
                None
            }
            TmfEntry::Definition(definition) => Some((group?, definition)),
            _ => None,
        })
    }

    /// Returns the enumeration of that name.
    pub fn enumeration(&self, name: &str) -> Option<&Enumeration> {
        self.entries.iter().find_map(|entry| match entry {
            TmfEntry::Enumeration(found) if &*found.name == name => Some(found),
            _ => None,
        })
    }

    /// Returns the name in the first `// PDB: name.pdb` comment.
    pub fn pdb_name(&self) -> Option<&str> {
        self.entries.iter().find_map(|entry| match entry {
            TmfEntry::Comment(text) => text.trim_start().strip_prefix("PDB:").map(str::trim),
            _ => None,
        })
    }
}

impl Definition {
    /// Returns its arguments, as written.
    pub fn arguments(&self) -> impl Iterator<Item = &Argument> {
        known(&self.body)
    }
}

impl Enumeration {
    /// Value and label of each line that has a number.
    pub fn values(&self) -> impl Iterator<Item = (u64, &str)> {
        known(&self.body).filter_map(|value| Some((number(&value.text)?, &*value.label)))
    }
}

impl Trailer {
    /// Key and value of each `KEY=value`, in order. A value goes on to the next key; that of `FUNC` to the end, since a
    /// function's name may contain anything.
    pub fn pairs(&self) -> Vec<(&str, &str)> {
        let mut pairs = Vec::new();
        let mut rest = self.0.trim();
        while let Some((key, after)) = rest.split_once('=') {
            let end = if key == "FUNC" { after.len() } else { next_key(after) };
            let (value, next) = after.split_at_checked(end).unwrap_or((after, ""));
            pairs.push((key.trim(), value.trim()));
            rest = next.trim();
        }
        pairs
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.pairs().into_iter().find(|(name, _)| *name == key).map(|(_, value)| value)
    }
}

/// Returns where the next `KEY=` begins: a word of capitals right before an equals sign.
fn next_key(text: &str) -> usize {
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let key = word.split_once('=').map(|(key, _)| key);
        if at > 0 || text.starts_with(char::is_whitespace) {
            let capitals = |key: &str| !key.is_empty() && key.chars().all(|c| c.is_ascii_uppercase() || c == '_');
            if key.is_some_and(capitals) {
                return at;
            }
        }
        at += word.len();
    }
    text.len()
}

fn known<T>(body: &[BodyLine<T>]) -> impl Iterator<Item = &T> {
    body.iter().filter_map(|line| match line {
        BodyLine::Known(known) => Some(known),
        BodyLine::Other(_) => None,
    })
}

/// Returns a number as C writes it, with the letters of its type after it; negative ones by their bits.
pub(crate) fn number(text: &str) -> Option<u64> {
    let digits = text.trim().trim_end_matches(['u', 'U', 'l', 'L']);
    bytes::number(digits).or_else(|| digits.parse().ok().map(i64::cast_unsigned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trailers_are_pairs_and_a_function_goes_to_the_end() {
        let trailer = Trailer("   LEVEL=TRACE_LEVEL_ERROR FLAGS=A | B FUNC=operator = (int x=1) A=2".into());
        let expected = [("LEVEL", "TRACE_LEVEL_ERROR"), ("FLAGS", "A | B"), ("FUNC", "operator = (int x=1) A=2")];
        assert_eq!(trailer.pairs(), expected);
        assert_eq!(Trailer(" SRC=a.c MJ= MN=".into()).pairs(), [("SRC", "a.c"), ("MJ", ""), ("MN", "")]);
        assert_eq!(trailer.get("NOPE"), None);
    }

    #[test]
    fn numbers_as_in_c() {
        assert_eq!((number("0x1F"), number(" 12UL"), number("-1")), (Some(0x1F), Some(12), Some(u64::MAX)));
        assert_eq!((number("18446744073709551615"), number("0x"), number("")), (Some(u64::MAX), None, None));
    }
}
