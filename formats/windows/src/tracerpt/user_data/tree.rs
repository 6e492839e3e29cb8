//! The elements of a template as a tree.

use etwkit::schema::UserPart;

use super::super::escape;

/// An element of the tree. Trees are not deeper than [`etwkit::limits::MAX_DEPTH`].
pub(super) struct Node<'t> {
    pub(super) name: &'t str,
    attributes: Vec<(&'t str, Vec<&'t UserPart>)>,
    pub(super) content: Vec<Content<'t>>,
}

pub(super) enum Content<'t> {
    Node(Node<'t>),
    Part(&'t UserPart),
}

/// A piece of a tag that is not the same for all events.
pub(super) enum Tag {
    Text(Vec<u8>),
    Field(u16),
}

impl<'t> Node<'t> {
    /// Reads on to the element's end; `None` if `first` begins none.
    pub(super) fn read(first: &'t UserPart, parts: &mut std::slice::Iter<'t, UserPart>) -> Option<Self> {
        let UserPart::Element(name) = first else { return None };
        let mut node = Self { name, attributes: Vec::new(), content: Vec::new() };
        while let Some(part) = parts.next() {
            match part {
                UserPart::End => break,
                UserPart::Attribute(name) => {
                    let value = parts.by_ref().take_while(|part| **part != UserPart::End).collect();
                    node.attributes.push((name, value));
                }
                UserPart::Element(_) => node.content.extend(Self::read(part, parts).map(Content::Node)),
                UserPart::Text(_) | UserPart::Field(_) => node.content.push(Content::Part(part)),
            }
        }
        Some(node)
    }

    /// Returns the tag up to the first field in it, and what follows.
    pub(super) fn open_tag(&self, tabs: &[u8]) -> (Vec<u8>, Vec<Tag>) {
        let mut open = [tabs, b"<", self.name.as_bytes()].concat();
        let mut rest: Vec<Tag> = Vec::new();
        let mut add = |text: &[u8], rest: &mut Vec<Tag>| match rest.last_mut() {
            None => open.extend_from_slice(text),
            Some(Tag::Text(last)) => last.extend_from_slice(text),
            Some(Tag::Field(_)) => rest.push(Tag::Text(text.to_vec())),
        };
        for (name, value) in &self.attributes {
            add(&[b" ", name.as_bytes(), b"=\""].concat(), &mut rest);
            for part in value {
                match part {
                    UserPart::Field(number) => rest.push(Tag::Field(*number)),
                    part => add(&escaped(part, escape::push_attribute), &mut rest),
                }
            }
            add(b"\"", &mut rest);
        }
        add(b">", &mut rest);
        (open, rest)
    }
}

/// Returns the text of a part, escaped; nothing if it is a field.
pub(super) fn escaped(part: &UserPart, push: fn(&mut Vec<u8>, &str)) -> Vec<u8> {
    let mut out = Vec::new();
    if let UserPart::Text(text) = part {
        push(&mut out, text);
    }
    out
}
