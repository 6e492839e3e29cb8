//! The binary XML of a template: elements with the places where properties go.
//!
//! Source: `[MS-EVEN6]`, section 2.2.12 (tokens), for a separate fragment: names are in line, each with a hash.
//! Seen in the 190 templates of `clretwrc.dll` and in the `TRACE_EVENT_INFO` blobs of real traces.

use crate::bytes::{Utf16Text, u8_at, u16_at};
use crate::limits;
use crate::schema::{UserData, UserPart};

/// Tokens, without the bit for "more follows".
mod token {
    pub(super) const END_OF_FRAGMENT: u8 = 0;
    pub(super) const OPEN_START_TAG: u8 = 1;
    pub(super) const CLOSE_START_TAG: u8 = 2;
    pub(super) const CLOSE_EMPTY_TAG: u8 = 3;
    pub(super) const END_TAG: u8 = 4;
    pub(super) const VALUE: u8 = 5;
    pub(super) const ATTRIBUTE: u8 = 6;
    pub(super) const CDATA: u8 = 7;
    pub(super) const CHARACTER: u8 = 8;
    pub(super) const ENTITY: u8 = 9;
    pub(super) const INSTRUCTION_TARGET: u8 = 10;
    pub(super) const INSTRUCTION_DATA: u8 = 11;
    pub(super) const SUBSTITUTION: u8 = 13;
    pub(super) const OPTIONAL_SUBSTITUTION: u8 = 14;
    pub(super) const FRAGMENT_HEADER: u8 = 15;
    /// More attributes follow, or the element has attributes.
    pub(super) const MORE: u8 = 0x40;
}

/// The type of text in a value.
const TEXT: u8 = 1;

/// Returns the elements of a template, from its fragment of binary XML. `None` if that is not a tree of elements: the
/// fields do not depend on it.
pub fn user_data(fragment: &[u8]) -> Option<UserData> {
    if fragment.len() > limits::MAX_USER_DATA {
        return None;
    }
    let mut reader = Reader { rest: fragment, parts: Vec::new(), in_attribute: false };
    while reader.token()? {}
    UserData::new(reader.parts).ok()
}

struct Reader<'r> {
    rest: &'r [u8],
    parts: Vec<UserPart>,
    in_attribute: bool,
}

impl<'r> Reader<'r> {
    /// Reads a token; false at the end, `None` if it is not a token.
    fn token(&mut self) -> Option<bool> {
        // What is not closed `UserData::new` refuses.
        let Some(token) = self.take(1).map(|byte| u8_at(byte, 0)) else { return Some(false) };
        match token & !token::MORE {
            token::END_OF_FRAGMENT => return Some(false),
            token::FRAGMENT_HEADER => self.take(3).map(drop)?,
            token::OPEN_START_TAG => {
                // A number for the event log and the size of the element.
                self.take(6)?;
                let name = self.name()?;
                if token & token::MORE != 0 {
                    // The size of the attributes.
                    self.take(4)?;
                }
                self.parts.push(UserPart::Element(name));
            }
            token::ATTRIBUTE => {
                self.end_attribute();
                let name = self.name()?;
                self.parts.push(UserPart::Attribute(name));
                self.in_attribute = true;
            }
            token::CLOSE_START_TAG => self.end_attribute(),
            token::CLOSE_EMPTY_TAG => {
                self.end_attribute();
                self.parts.push(UserPart::End);
            }
            token::END_TAG => self.parts.push(UserPart::End),
            token::SUBSTITUTION | token::OPTIONAL_SUBSTITUTION => {
                // The number of the property and its type.
                let field = u16_at(self.take(3)?, 0);
                self.parts.push(UserPart::Field(field));
            }
            token => self.text(token)?,
        }
        Some(true)
    }

    fn text(&mut self, token: u8) -> Option<()> {
        let text = match token {
            token::VALUE if u8_at(self.take(1)?, 0) == TEXT => self.string()?,
            token::CDATA => self.string()?,
            token::CHARACTER => char::from_u32(u16_at(self.take(2)?, 0).into())?.to_string(),
            token::ENTITY => match &*self.name()? {
                "lt" => "<".to_owned(),
                "gt" => ">".to_owned(),
                "amp" => "&".to_owned(),
                "quot" => "\"".to_owned(),
                "apos" => "'".to_owned(),
                _ => return None,
            },
            // Instructions are for programs.
            token::INSTRUCTION_TARGET => return self.name().map(drop),
            token::INSTRUCTION_DATA => return self.string().map(drop),
            _ => return None,
        };
        UserData::push_text(&mut self.parts, &text);
        Some(())
    }

    fn end_attribute(&mut self) {
        if std::mem::take(&mut self.in_attribute) {
            self.parts.push(UserPart::End);
        }
    }

    /// Hash, number of characters, characters, NUL.
    fn name(&mut self) -> Option<Box<str>> {
        self.take(2)?;
        let name = self.string()?;
        self.take(2)?;
        Some(name.into())
    }

    /// Number of characters, characters.
    fn string(&mut self) -> Option<String> {
        let len = usize::from(u16_at(self.take(2)?, 0));
        self.take(2 * len).map(|text| String::from(Utf16Text(text)))
    }

    fn take(&mut self, len: usize) -> Option<&'r [u8]> {
        let (taken, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(text: &str) -> Vec<u8> {
        let len = text.encode_utf16().count() as u16;
        [len].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    }

    fn name(text: &str) -> Vec<u8> {
        [vec![0xAA, 0xBB], wide(text), vec![0, 0]].concat()
    }

    #[test]
    fn all_tokens_are_known() {
        let open = |token: u8| vec![token, 0xFF, 0xFF, 9, 9, 9, 9];
        let fragment = [
            vec![0x0F, 1, 1, 0],
            open(0x41),
            name("R"),
            vec![1, 1, 1, 1, 0x46],
            name("a"),
            vec![0x45, 1],
            wide("t"),
            vec![0x48, b'u', 0, 0x06],
            name("b"),
            vec![0x0E, 2, 0, 8, 2],
            open(0x01),
            name("E"),
            vec![3, 0x0A],
            name("target"),
            vec![0x0B],
            wide("data"),
            vec![0x07],
            wide("<c>"),
            vec![0x09],
            name("amp"),
            vec![0x0D, 0, 0, 1, 4, 0],
        ]
        .concat();
        let tree = user_data(&fragment).unwrap();
        let text = |text: &str| UserPart::Text(text.into());
        let expected = [
            UserPart::Element("R".into()),
            UserPart::Attribute("a".into()),
            text("tu"),
            UserPart::End,
            UserPart::Attribute("b".into()),
            UserPart::Field(2),
            UserPart::End,
            UserPart::Element("E".into()),
            UserPart::End,
            text("<c>&"),
            UserPart::Field(0),
            UserPart::End,
        ];
        assert_eq!(tree.parts(), expected);
        for len in 0..fragment.len() - 2 {
            assert_eq!(user_data(&fragment[..len]), None, "{len} bytes");
        }
        assert_eq!(user_data(&[0x0F, 1, 1, 0, 0x0C]), None);
    }
}
