//! Properties in the results of the Windows System Assessment Tool.

use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

/// Nesting of elements that is read.
const MAX_DEPTH: usize = 32;
/// Properties of a result that are kept.
const MAX_PROPERTIES: usize = 1 << 14;

/// An element that is open.
#[derive(Debug, Default)]
struct Element {
    /// Bytes of the path before it.
    before: usize,
    unit: String,
    text: String,
}

/// Returns the texts of elements, by their paths below the root, with the unit that an attribute has. An attribute `kind`
/// or `id` distinguishes elements of one name. What cannot be read ends the list.
pub(super) fn measures(xml: &str) -> Vec<(String, String)> {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().allow_dangling_amp = true;
    let (mut found, mut path, mut open) = (Vec::new(), String::new(), Vec::<Element>::new());
    while found.len() < MAX_PROPERTIES {
        match reader.read_event() {
            Ok(Event::Start(tag)) if open.len() < MAX_DEPTH => {
                let before = path.len();
                let is_root = open.is_empty();
                open.push(Element { before, unit: attribute(&tag, "units").unwrap_or_default(), text: String::new() });
                if !is_root {
                    path.push_str(if before == 0 { "" } else { "/" });
                    path.push_str(tag.local_name().as_ref());
                    if let Some(which) = attribute(&tag, "kind").or_else(|| attribute(&tag, "id")) {
                        path.extend(["[", &*which, "]"]);
                    }
                }
            }
            Ok(Event::Text(text)) => append(&mut open, &text.xml10_content()),
            Ok(Event::CData(text)) => append(&mut open, &text.into_inner()),
            Ok(Event::GeneralRef(name)) => append(&mut open, resolve_predefined_entity(&name).unwrap_or_default()),
            Ok(Event::End(_)) => {
                let Some(Element { before, unit, text }) = open.pop() else { break };
                if !text.trim().is_empty() {
                    let value = format!("{} {unit}", text.trim());
                    found.push((path.clone(), value.trim_end().to_owned()));
                }
                path.truncate(before);
            }
            Ok(Event::Start(_) | Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
    found
}

fn append(open: &mut [Element], text: &str) {
    if let Some(element) = open.last_mut() {
        element.text.push_str(text);
    }
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = tag.try_get_attribute(name).ok()??;
    Some(attribute.normalized_value(XmlVersion::Implicit1_0).ok()?.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_paths_and_units() {
        let xml = "<M><A><B units=\"MB/s\">1.5</B><C kind=\"Read\" units=\"s\">2</C></A><D><![CDATA[x y]]> &amp; z</D><E/></M>";
        let found = measures(xml);
        let found: Vec<_> = found.iter().map(|(path, value)| (path.as_str(), value.as_str())).collect();
        assert_eq!(found, [("A/B", "1.5 MB/s"), ("A/C[Read]", "2 s"), ("D", "x y & z")]);
    }

    #[test]
    fn broken_texts_end_the_list() {
        for xml in ["", "<", "<a>1", "</a>", "<a><b>1</b></c>", &"<a>".repeat(99)] {
            assert!(measures(xml).len() < 2, "{xml}");
        }
    }
}
