//! Properties in the results of the Windows System Assessment Tool.

use etwkit::bytes::cut_text;
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

/// Nesting of elements that is read.
const MAX_DEPTH: usize = 32;
/// Properties of a result that are kept.
const MAX_PROPERTIES: usize = 1 << 14;
/// Bytes of all properties of a result that are kept.
const MAX_BYTES: usize = 1 << 20;
/// Bytes of the name of an element, and of an attribute, that are kept.
const MAX_NAME: usize = 256;

/// An element that is open.
#[derive(Debug, Default)]
struct Element {
    /// Bytes of the path before it.
    before: usize,
    unit: String,
    text: String,
}

/// Returns the texts of elements, by their paths below the root, with the unit that an attribute has. An attribute `kind`
/// or `id` distinguishes elements of one name. What cannot be read ends the list. Also returns whether there was more than
/// is kept.
pub(super) fn measures(xml: &str) -> (Vec<(String, String)>, bool) {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().allow_dangling_amp = true;
    let (mut found, mut path, mut open) = (Vec::new(), String::new(), Vec::<Element>::new());
    let mut left = MAX_BYTES;
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) if open.len() < MAX_DEPTH => {
                let before = path.len();
                let is_root = open.is_empty();
                open.push(Element { before, unit: attribute(&tag, "units").unwrap_or_default(), text: String::new() });
                if !is_root {
                    path.push_str(if before == 0 { "" } else { "/" });
                    path.push_str(cut_text(tag.local_name().as_ref(), MAX_NAME));
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
                    let value = value.trim_end();
                    let rest = left.checked_sub(path.len() + value.len()).filter(|_| found.len() < MAX_PROPERTIES);
                    let Some(rest) = rest else { return (found, true) };
                    left = rest;
                    found.push((path.clone(), value.to_owned()));
                }
                path.truncate(before);
            }
            Ok(Event::Start(_) | Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
    (found, false)
}

fn append(open: &mut [Element], text: &str) {
    if let Some(element) = open.last_mut() {
        element.text.push_str(text);
    }
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = tag.try_get_attribute(name).ok()??;
    Some(cut_text(&attribute.normalized_value(XmlVersion::Implicit1_0).ok()?, MAX_NAME).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_paths_and_units() {
        let xml = "<M><A><B units=\"MB/s\">1.5</B><C kind=\"Read\" units=\"s\">2</C></A><D><![CDATA[x y]]> &amp; z</D><E/></M>";
        let (found, is_cut) = measures(xml);
        assert!(!is_cut);
        let found: Vec<_> = found.iter().map(|(path, value)| (path.as_str(), value.as_str())).collect();
        assert_eq!(found, [("A/B", "1.5 MB/s"), ("A/C[Read]", "2 s"), ("D", "x y & z")]);
    }

    #[test]
    fn broken_texts_end_the_list() {
        for xml in ["", "<", "<a>1", "</a>", "<a><b>1</b></c>", &"<a>".repeat(99)] {
            assert!(measures(xml).0.len() < 2, "{xml}");
        }
    }

    #[test]
    fn names_and_lists_are_cut() {
        let long = "e".repeat(90_000);
        let (found, is_cut) = measures(&format!("<M><{long}>{}</{long}></M>", "<a>1</a>".repeat(20_000)));
        assert!(is_cut && found.iter().all(|(path, _)| path.len() == MAX_NAME + 2));
        assert!(found.iter().map(|(path, value)| path.len() + value.len()).sum::<usize>() <= MAX_BYTES);
    }
}
