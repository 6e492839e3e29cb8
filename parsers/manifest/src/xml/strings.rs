//! String tables.

use std::collections::HashMap;
use std::sync::Arc;

use super::tree::Element;
use crate::model::{MAX_TEXT, Text, message_text};

/// The strings of a manifest, those of the preferred culture first.
#[derive(Debug, Default)]
pub(super) struct Strings {
    /// As they are shown: everything that names one shares it. `None` is an empty one.
    strings: HashMap<Box<str>, Option<Text>>,
}

impl Strings {
    /// Takes all string tables of a manifest. English is preferred to other cultures, so that the result does not
    /// depend on the reader's machine; then the order of the manifest counts.
    pub(super) fn new(root: &Element) -> Self {
        let mut resources: Vec<&Element> =
            root.all("localization").into_iter().flat_map(|table| table.children("resources")).collect();
        resources.sort_by_key(|resources| culture_rank(resources.get("culture")));
        let mut strings = HashMap::new();
        for string in resources.into_iter().flat_map(|resources| resources.grouped("stringTable", "string")) {
            if let (Some(id), Some(value)) = (string.get("id"), string.get("value")) {
                strings.entry((**id).into()).or_insert_with(|| message_text(&short(value)));
            }
        }
        Self { strings }
    }

    /// Returns the text that an attribute means: `$(string.ID)`, or the attribute itself. A string that is in no table
    /// is not text.
    pub(super) fn resolve(&self, value: Option<&Text>) -> Option<Text> {
        let value = value?;
        let id = value.trim().strip_prefix("$(string.").and_then(|rest| rest.strip_suffix(')'));
        match id {
            Some(id) => self.strings.get(id)?.clone(),
            None => message_text(&short(value)),
        }
    }
}

fn culture_rank(culture: Option<&Text>) -> u8 {
    let culture = culture.map(|culture| culture.to_ascii_lowercase()).unwrap_or_default();
    match &*culture {
        "en-us" => 0,
        culture if culture == "en" || culture.starts_with("en-") => 1,
        _ => 2,
    }
}

fn short(text: &Text) -> Text {
    if text.len() <= MAX_TEXT { Arc::clone(text) } else { text.chars().take(MAX_TEXT).collect::<String>().into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_is_preferred_and_others_fill_in() {
        let table = |culture: &str, strings: &str| {
            format!("<resources culture='{culture}'><stringTable>{strings}</stringTable></resources>")
        };
        let german = table("de-DE", "<string id='a' value='eins'/><string id='b' value='zwei'/>");
        let english = table("en-US", "<string id='a' value='one&#13;&#10;'/>");
        let root = Element::parse(&format!("<m><localization>{german}{english}</localization></m>")).unwrap();
        let strings = Strings::new(&root);
        let resolve = |value: &str| strings.resolve(Some(&value.into())).map(|text| text.to_string());
        assert_eq!(resolve("$(string.a)").as_deref(), Some("one"));
        assert_eq!(resolve("$(string.b)").as_deref(), Some("zwei"));
        assert_eq!(resolve("$(string.c)"), None);
        assert_eq!(resolve("as it is").as_deref(), Some("as it is"));
        assert_eq!(resolve(""), None);
    }
}
