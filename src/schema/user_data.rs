//! The elements that a manifest's `UserData` template makes of the fields.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{Error, Result};
use crate::limits;

/// A tree of elements with the places where fields go: what event logs and reports show in place of a list of fields.
///
/// The parts come in the order of the text: an element, its attributes, its content, its end. There is one root.
/// Source: the schema of event manifests (`eventman.xsd`), `UserDataType`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserData {
    parts: Box<[UserPart]>,
}

/// A part of a [`UserData`] tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UserPart {
    /// An element of this name begins.
    Element(Box<str>),
    /// An attribute of the element that has just begun; its text and fields follow, then its end.
    Attribute(Box<str>),
    /// Text as it is.
    Text(Box<str>),
    /// The value of a field: its number among those outside of structs, from 0.
    Field(u16),
    /// The innermost element or attribute ends.
    End,
}

impl UserData {
    /// Checks that the parts are one tree with names that XML can have, within the limits of [`limits::MAX_USER_DATA`].
    /// Names lose prefixes that are not declared within the tree: in a report they mean nothing.
    pub fn new(mut parts: Vec<UserPart>) -> Result<Self> {
        drop_prefixes(&mut parts);
        let bytes = parts.iter().map(UserPart::weight).sum::<usize>();
        if bytes > limits::MAX_USER_DATA {
            return Err(Error::limit("bytes of a UserData template", limits::MAX_USER_DATA));
        }
        Checker::default().check(&parts)?;
        Ok(Self { parts: parts.into() })
    }

    /// Adds text to parts: to the text before it, if there is any.
    pub fn push_text(parts: &mut Vec<UserPart>, text: &str) {
        match parts.last_mut() {
            _ if text.is_empty() => {}
            Some(UserPart::Text(last)) => *last = [&**last, text].concat().into(),
            _ => parts.push(UserPart::Text(text.into())),
        }
    }

    /// Returns the parts in order.
    pub const fn parts(&self) -> &[UserPart] {
        &self.parts
    }

    /// About the bytes of memory it takes.
    pub(crate) fn weight(&self) -> usize {
        self.parts.iter().map(UserPart::weight).sum()
    }
}

impl UserPart {
    const fn weight(&self) -> usize {
        size_of::<Self>()
            + match self {
                Self::Element(text) | Self::Attribute(text) | Self::Text(text) => text.len(),
                Self::Field(_) | Self::End => 0,
            }
    }
}

/// Takes away the prefixes of names that no attribute declares.
fn drop_prefixes(parts: &mut [UserPart]) {
    let declared = parts.iter().filter_map(|part| match part {
        UserPart::Attribute(name) => name.strip_prefix("xmlns:").map(Box::<str>::from),
        _ => None,
    });
    let declared: BTreeSet<Box<str>> = declared.collect();
    for part in parts {
        if let UserPart::Element(name) | UserPart::Attribute(name) = part
            && let Some((prefix, local)) = name.split_once(':')
            && !["xmlns", "xml"].contains(&prefix)
            && !declared.contains(prefix)
        {
            *name = local.into();
        }
    }
}

/// What is open, from the root on.
#[derive(Default)]
struct Checker<'p> {
    open: Vec<Open<'p>>,
    /// Times that each field was met; a field that occurs many times would make a long text of a short template.
    fields: BTreeMap<u16, usize>,
}

enum Open<'p> {
    /// An element with the names of its attributes, until its content begins.
    Element(Option<Vec<&'p str>>),
    Attribute,
}

impl<'p> Checker<'p> {
    fn check(&mut self, parts: &'p [UserPart]) -> Result<()> {
        for (at, part) in parts.iter().enumerate() {
            if self.open.is_empty() && (at > 0 || !matches!(part, UserPart::Element(_))) {
                return Err(Error::schema("a UserData template needs one root element"));
            }
            self.part(part)?;
        }
        if parts.is_empty() || !self.open.is_empty() {
            return Err(Error::schema("an element of a UserData template is not ended"));
        }
        Ok(())
    }

    fn part(&mut self, part: &'p UserPart) -> Result<()> {
        match part {
            UserPart::Element(name) => {
                self.content(name)?;
                self.begin(name, Open::Element(Some(Vec::new())))
            }
            UserPart::Attribute(name) => {
                match self.open.last_mut() {
                    Some(Open::Element(Some(names))) if !names.contains(&&**name) => names.push(name),
                    _ => return Err(Error::schema(format!("attribute `{name}` of a UserData template is misplaced"))),
                }
                self.begin(name, Open::Attribute)
            }
            UserPart::Text(_) => {
                self.value();
                Ok(())
            }
            UserPart::Field(number) => {
                let times = self.fields.entry(*number).or_default();
                *times += 1;
                if *times > limits::MAX_USER_DATA_REPEATS {
                    return Err(Error::limit(
                        "uses of one field in a UserData template",
                        limits::MAX_USER_DATA_REPEATS,
                    ));
                }
                self.value();
                Ok(())
            }
            UserPart::End => self.open.pop().map(|_| ()).ok_or_else(|| Error::schema("nothing to end")),
        }
    }

    fn begin(&mut self, name: &str, open: Open<'p>) -> Result<()> {
        if !is_xml_name(name) {
            return Err(Error::schema(format!("`{}` is not a name that XML can have", name.escape_debug())));
        }
        if self.open.len() >= limits::MAX_DEPTH {
            return Err(Error::limit("nesting of a UserData template", limits::MAX_DEPTH));
        }
        self.open.push(open);
        Ok(())
    }

    /// The content of the innermost element begins.
    fn content(&mut self, name: &str) -> Result<()> {
        match self.open.last_mut() {
            Some(Open::Element(attributes)) => *attributes = None,
            Some(Open::Attribute) => return Err(Error::schema(format!("element `{name}` in an attribute"))),
            None => {}
        }
        Ok(())
    }

    /// Text or a field: in an element its content begins.
    fn value(&mut self) {
        if let Some(Open::Element(attributes)) = self.open.last_mut() {
            *attributes = None;
        }
    }
}

/// Returns whether XML can have an element or attribute of this name; not all that it could, but no other.
fn is_xml_name(name: &str) -> bool {
    let begins = |c: char| c.is_alphabetic() || c == '_';
    let continues = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | ':');
    name.starts_with(begins) && !name.ends_with(':') && name.chars().all(continues) && name.matches(':').count() < 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(name: &str) -> UserPart {
        UserPart::Element(name.into())
    }

    fn attribute(name: &str) -> UserPart {
        UserPart::Attribute(name.into())
    }

    #[test]
    fn one_tree_with_attributes_before_content() {
        use UserPart::{End, Field, Text};
        let text = || Text("t".into());
        let good = [
            vec![element("a"), End],
            vec![element("p:a"), attribute("xmlns:p"), text(), End, element("b"), Field(0), End, text(), End],
            vec![element("a"), attribute("b"), Field(1), text(), End, attribute("c"), End, End],
        ];
        for parts in good {
            assert_eq!(UserData::new(parts.clone()).unwrap().parts(), parts);
        }
        let bad = [
            vec![],
            vec![text()],
            vec![element("a")],
            vec![element("a"), End, End],
            vec![element("a"), End, element("b"), End],
            vec![attribute("a"), End],
            vec![element("a b"), End],
            vec![element("1"), End],
            vec![element(""), End],
            vec![element("a:"), End],
            vec![element("a"), text(), attribute("b"), End, End],
            vec![element("a"), attribute("b"), End, attribute("b"), End, End],
            vec![element("a"), attribute("b"), element("c"), End, End, End],
            vec![element("a"), attribute("b"), attribute("c"), End, End, End],
        ];
        for parts in bad {
            assert!(UserData::new(parts.clone()).is_err(), "{parts:?}");
        }
    }

    #[test]
    fn what_would_make_long_texts_is_refused() {
        let deep = |depth: usize| {
            let ends = std::iter::repeat_n(UserPart::End, depth);
            UserData::new(std::iter::repeat_n(element("a"), depth).chain(ends).collect())
        };
        assert!(deep(limits::MAX_DEPTH).is_ok());
        assert!(deep(limits::MAX_DEPTH + 1).is_err());
        let many = |times: usize| {
            let fields = std::iter::repeat_n(UserPart::Field(3), times);
            UserData::new([element("a")].into_iter().chain(fields).chain([UserPart::End]).collect())
        };
        assert!(many(limits::MAX_USER_DATA_REPEATS).is_ok());
        assert!(many(limits::MAX_USER_DATA_REPEATS + 1).is_err());
        let long = UserPart::Text("x".repeat(limits::MAX_USER_DATA).into());
        assert!(UserData::new(vec![element("a"), long, UserPart::End]).is_err());
    }
}
