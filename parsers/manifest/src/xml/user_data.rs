//! What is in a template's `UserData` element.

use std::sync::Arc;

use etwkit::limits;
use etwkit::schema::{UserData, UserPart};
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

/// Reads to the end of the `UserData` element whose tag has just been read. `None` if a report cannot be made of it;
/// the fields do not depend on it.
pub(super) fn read(reader: &mut Reader<&[u8]>) -> Result<Option<Arc<UserData>>, String> {
    let mut parts = Parts::default();
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(tag) => parts.begin(&tag)?,
            Event::Empty(tag) => {
                parts.begin(&tag)?;
                parts.end();
            }
            Event::End(_) if parts.depth == 0 => return Ok(parts.tree()),
            Event::End(_) => parts.end(),
            Event::Text(text) => parts.run.push_str(&text.xml10_content()),
            Event::CData(text) => parts.run.push_str(&text.into_inner()),
            Event::GeneralRef(name) => match name.resolve_char_ref() {
                Ok(Some(c)) => parts.run.push(c),
                _ => parts.entity(&name.into_inner()),
            },
            Event::Eof => return Err("the text ends within an element".to_owned()),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}

#[derive(Default)]
struct Parts {
    list: Vec<UserPart>,
    depth: usize,
    /// Text since the last tag.
    run: String,
    bytes: usize,
}

impl Parts {
    fn begin(&mut self, tag: &BytesStart<'_>) -> Result<(), String> {
        self.flush();
        self.depth += 1;
        self.push(UserPart::Element((*tag.name().into_inner()).into()));
        for attribute in tag.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| error.to_string())?;
            let name = attribute.key.into_inner();
            self.push(UserPart::Attribute((*name).into()));
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            self.text(&value.map_or_else(|_| attribute.value.to_string(), |value| value.to_string()));
            self.push(UserPart::End);
        }
        Ok(())
    }

    fn end(&mut self) {
        self.flush();
        self.depth -= 1;
        self.push(UserPart::End);
    }

    fn entity(&mut self, name: &str) {
        match resolve_predefined_entity(name) {
            Some(text) => self.run.push_str(text),
            None => self.run.extend(["&", name, ";"]),
        }
    }

    /// The text before a tag. `mc.exe` keeps no blanks at its ends (seen in `clretwrc.dll`).
    fn flush(&mut self) {
        let run = std::mem::take(&mut self.run);
        self.text(run.trim());
    }

    /// `%1` is the first field.
    fn text(&mut self, text: &str) {
        let mut rest = text;
        let mut plain = 0;
        while let Some(at) = rest.get(plain..).and_then(|text| text.find('%')).map(|at| plain + at) {
            let digits = rest.get(at + 1..).unwrap_or_default();
            let len = digits.bytes().take_while(u8::is_ascii_digit).count();
            let number = digits.get(..len).and_then(|digits| digits.parse::<u16>().ok());
            let Some(number) = number.and_then(|number| number.checked_sub(1)) else {
                plain = at + 1;
                continue;
            };
            self.add_text(rest.get(..at).unwrap_or_default());
            self.push(UserPart::Field(number));
            rest = digits.get(len..).unwrap_or_default();
            plain = 0;
        }
        self.add_text(rest);
    }

    fn add_text(&mut self, text: &str) {
        self.bytes += text.len();
        if self.bytes <= limits::MAX_USER_DATA {
            UserData::push_text(&mut self.list, text);
        }
    }

    /// Parts beyond the limit are dropped, and then there is no tree.
    fn push(&mut self, part: UserPart) {
        let text = match &part {
            UserPart::Element(name) | UserPart::Attribute(name) => name.len(),
            _ => 0,
        };
        self.bytes += size_of::<UserPart>() + text;
        if self.bytes <= limits::MAX_USER_DATA {
            self.list.push(part);
        }
    }

    fn tree(self) -> Option<Arc<UserData>> {
        if self.bytes > limits::MAX_USER_DATA {
            return None;
        }
        UserData::new(self.list).ok().map(Arc::new)
    }
}
