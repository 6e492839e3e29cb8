//! The members of a JSON object in their order, each value as it is written.

use std::fmt;

use etwkit::render::terminal;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Members of an object. Numbers keep their digits, and a string that Rust cannot have (a lone surrogate) spoils only
/// itself.
#[derive(Debug, Default)]
pub(crate) struct Members(pub(crate) Vec<(String, Box<RawValue>)>);

impl Members {
    /// Returns those of an object; none of what is not an object.
    pub(crate) fn of(json: &RawValue) -> Self {
        serde_json::from_str(json.get()).unwrap_or_default()
    }

    /// Returns the value of the first member of that name.
    pub(crate) fn get(&self, name: &str) -> Option<&RawValue> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }

    /// Returns the text of that member; empty without it.
    pub(crate) fn text(&self, name: &str) -> String {
        self.get(name).map(plain).unwrap_or_default()
    }

    /// The provider of an event: its name, or its GUID.
    pub(crate) fn provider(&self) -> String {
        self.first_text(["provider", "provider_guid"])
    }

    /// The name of an event, or its id.
    pub(crate) fn event(&self) -> String {
        self.first_text(["event", "id"])
    }

    /// The text of the first of these members that is there.
    fn first_text(&self, names: [&str; 2]) -> String {
        names.iter().find_map(|name| self.get(name)).map(plain).unwrap_or_default()
    }
}

/// A value as text: strings without quotes and escapes, all else as it is written.
pub(crate) fn plain(value: &RawValue) -> String {
    let json = value.get();
    let string = if json.starts_with('"') { serde_json::from_str::<String>(json).ok() } else { None };
    string.unwrap_or_else(|| json.to_owned())
}

/// The same, cut off after `most` characters, and safe to be shown.
pub(crate) fn shown(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", terminal::escaped(text.get(..end).unwrap_or_default())),
        None => terminal::escaped(text).into_owned(),
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entries)
    }
}

struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = Members;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
        let mut members = Vec::new();
        while let Some(entry) = map.next_entry::<String, Box<RawValue>>()? {
            members.push(entry);
        }
        Ok(Members(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_keep_order_digits_and_what_is_no_text() {
        let json = r#"{"b":18446744073709551616,"a":"x\u001b","c":"\ud800","b":{"z":1.50}}"#;
        let members = Members::of(&RawValue::from_string(json.to_owned()).unwrap());
        let texts: Vec<String> = members.0.iter().map(|(name, value)| format!("{name}={}", plain(value))).collect();
        assert_eq!(texts, ["b=18446744073709551616", "a=x\u{1b}", "c=\"\\ud800\"", "b={\"z\":1.50}"]);
        assert_eq!(shown("a\u{202e}bcd", 3), "a\\u{202e}b…");
    }
}
