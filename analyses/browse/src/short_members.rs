//! The object of an event without the members that are too long for a row.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::limits::MAX_MEMBER;

/// Returns an event's object with its short members, and `message`, which states what is missing.
pub(crate) fn short_members(object: &[u8]) -> Option<Box<RawValue>> {
    let mut members: Members<'_> = serde_json::from_slice(object).ok()?;
    members.0.retain(|(name, value)| name != "message" && name.len() + value.get().len() <= MAX_MEMBER);
    let message = format!("{} bytes of JSON are too long to be shown", object.len());
    let message = serde_json::value::to_raw_value(&message).ok()?;
    members.0.push(("message".to_owned(), &message));
    serde_json::value::to_raw_value(&members).ok()
}

/// The members of an object in their order.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InOrder).map(Self)
    }
}

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_short_stays_in_order() {
        let long = "x".repeat(MAX_MEMBER);
        let object = format!(r#"{{"time":"t","fields":{{"a":"{long}"}},"pid":4,"message":"m"}}"#);
        let expected =
            format!(r#"{{"time":"t","pid":4,"message":"{} bytes of JSON are too long to be shown"}}"#, object.len());
        assert_eq!(short_members(object.as_bytes()).unwrap().get(), expected);
        assert!(short_members(b"no object").is_none());
    }
}
