//! A manifest as a tree of elements.
//!
//! Tables may follow the elements that refer to them, so the whole text is read first. Text between tags means nothing
//! in a manifest and is not kept, but for that in `UserData`.

use std::sync::Arc;

use etwkit::error::{Error, Result};
use etwkit::schema::UserData;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::lexical::syntax;
use super::user_data;
use crate::model::Text;

/// Nesting of elements; manifests have about ten.
const MAX_DEPTH: usize = 64;

/// An element. Names are without their namespace prefix.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) name: Box<str>,
    /// Line of the tag, from 1.
    pub(super) line: u32,
    attributes: Vec<(Box<str>, Text)>,
    elements: Vec<Element>,
    /// What is in a `UserData` element.
    pub(super) user_data: Option<Arc<UserData>>,
}

impl Element {
    /// Reads a text; the result has the root elements as its children.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let mut reader = Reader::from_str(text);
        // A lone `&` in a comment or a message is a common slip.
        reader.config_mut().allow_dangling_amp = true;
        let mut lines = Lines { text, at: 0, line: 1 };
        let mut open = vec![Self::default()];
        loop {
            let place = reader.buffer_position();
            match reader.read_event() {
                Ok(Event::Start(tag)) => {
                    if open.len() > MAX_DEPTH {
                        return Err(Error::limit("nesting of elements", MAX_DEPTH).at(place));
                    }
                    let mut element = Self::new(&tag, lines.of(place))?;
                    if *element.name == *"UserData" {
                        let read = user_data::read(&mut reader);
                        let place = reader.buffer_position();
                        element.user_data = read.map_err(|detail| syntax(lines.of(place), detail).at(place))?;
                        put(element, &mut open);
                    } else {
                        open.push(element);
                    }
                }
                Ok(Event::Empty(tag)) => {
                    put(Self::new(&tag, lines.of(place))?, &mut open);
                }
                Ok(Event::End(_)) => close(&mut open),
                Ok(Event::Eof) => break,
                Ok(_) => {}
                Err(error) => return Err(syntax(lines.of(place), error.to_string()).at(place)),
            }
        }
        if open.len() != 1 {
            return Err(syntax(lines.of(text.len() as u64), "the text ends within an element").at(text.len() as u64));
        }
        open.pop().ok_or_else(|| syntax(1, "no element"))
    }

    fn new(tag: &BytesStart<'_>, line: u32) -> Result<Self> {
        let mut attributes = Vec::new();
        for attribute in tag.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| syntax(line, error.to_string()))?;
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            // An entity that is not known leaves the value as it is written.
            let value = value.map_or_else(|_| attribute.value.as_ref().into(), |value| (*value).into());
            attributes.push((attribute.key.local_name().into_inner().into(), value));
        }
        let name = tag.local_name().into_inner().into();
        Ok(Self { name, line, attributes, elements: Vec::new(), user_data: None })
    }

    /// Returns the value of an attribute.
    pub(super) fn get(&self, name: &str) -> Option<&Text> {
        self.attributes.iter().find(|(known, _)| **known == *name).map(|(_, value)| value)
    }

    /// Returns the elements directly in it.
    pub(super) fn elements(&self) -> impl Iterator<Item = &Self> {
        self.elements.iter()
    }

    /// Returns the elements of that name directly in it.
    pub(super) fn children<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.elements.iter().filter(move |element| *element.name == *name)
    }

    /// Those of the given name in all of the group's: `<tasks>` may come several times.
    pub(super) fn grouped<'a>(&'a self, group: &'a str, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children(group).flat_map(move |group| group.children(name))
    }

    /// Returns the elements of that name at any depth, none within another of that name.
    pub(super) fn all<'a>(&'a self, name: &str) -> Vec<&'a Self> {
        let mut found = Vec::new();
        let mut left = vec![self];
        while let Some(element) = left.pop() {
            if *element.name == *name {
                found.push(element);
            } else {
                left.extend(element.elements.iter().rev());
            }
        }
        found
    }
}

/// The innermost open element has ended.
fn close(open: &mut Vec<Element>) {
    if open.len() > 1
        && let Some(element) = open.pop()
    {
        put(element, open);
    }
}

/// Puts an element into the innermost open one.
fn put(element: Element, open: &mut [Element]) {
    if let Some(parent) = open.last_mut() {
        parent.elements.push(element);
    }
}

/// Line numbers of places that only go forward.
struct Lines<'t> {
    text: &'t str,
    at: usize,
    line: u32,
}

impl Lines<'_> {
    fn of(&mut self, place: u64) -> u32 {
        let place = usize::try_from(place).unwrap_or(usize::MAX).min(self.text.len());
        let between = self.text.as_bytes().get(self.at..place).unwrap_or_default();
        self.line += between.split(|byte| *byte == b'\n').count() as u32 - 1;
        self.at = self.at.max(place);
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_lose_their_prefix_and_values_their_escapes() {
        let root = Element::parse(
            "<?xml version='1.0'?>\n<!-- x --><n:a xmlns:n='u'>\n text <b v='1 &lt; 2&#33;' w='&odd;'/></n:a>",
        );
        let root = root.unwrap();
        let a = root.children("a").next().unwrap();
        let b = a.children("b").next().unwrap();
        assert_eq!((a.line, b.line), (2, 3));
        assert_eq!((b.get("v").map(|v| &**v), b.get("w").map(|w| &**w)), (Some("1 < 2!"), Some("&odd;")));
        assert_eq!(root.all("b").len(), 1);
    }

    #[test]
    fn what_is_not_closed_or_too_deep_is_an_error_with_its_place() {
        let error = Element::parse("<a>\n<b>").unwrap_err();
        assert_eq!((error.to_string().contains("line 2"), error.offset()), (true, Some(7)));
        assert_eq!(Element::parse("<a>\n</b>").unwrap_err().offset(), Some(4));
        assert!(Element::parse(&"<a>".repeat(100)).is_err());
        assert!(Element::parse("").unwrap().elements.is_empty());
    }
}
