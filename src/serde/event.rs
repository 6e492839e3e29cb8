//! An event as a map of its fields.

use ::serde::de::{self, DeserializeSeed, IntoDeserializer, Visitor};
use ::serde::forward_to_deserialize_any;

use crate::decode::{Event, FieldView};

use super::error::DeserializeError;
use super::node::Node;
use super::value::NodeDeserializer;

/// Hands the fields of an event to a struct or a map.
pub(super) struct EventDeserializer<'a> {
    event: Event<'a>,
}

impl<'a> EventDeserializer<'a> {
    pub(super) const fn new(event: Event<'a>) -> Self {
        Self { event }
    }
}

impl<'a> de::Deserializer<'a> for EventDeserializer<'a> {
    type Error = DeserializeError;

    fn deserialize_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        self.deserialize_map(visitor)
    }

    fn deserialize_map<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        let mut seen: Vec<&str> = Vec::new();
        let mut entries = Vec::new();
        for field in self.event.fields() {
            // The first of several fields of one name is the one that `Event::field` finds.
            if !seen.contains(&field.name()) {
                seen.push(field.name());
                entries.push((field.name(), field));
            }
        }
        visitor.visit_map(Entries { rest: entries.into_iter(), value: None, event: self.event })
    }

    fn deserialize_struct<V: Visitor<'a>>(
        self,
        _name: &'static str,
        members: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DeserializeError> {
        let found = |name: &&'static str| Some((*name, self.event.field(name)?));
        let entries: Vec<_> = members.iter().filter_map(found).collect();
        visitor.visit_map(Entries { rest: entries.into_iter(), value: None, event: self.event })
    }

    fn deserialize_newtype_struct<V: Visitor<'a>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DeserializeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_option<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        visitor.visit_some(self)
    }

    forward_to_deserialize_any! {
        <V: Visitor<'a>>
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct enum identifier ignored_any
    }
}

/// Fields by the names under which they are handed over.
struct Entries<'a, I> {
    rest: I,
    value: Option<FieldView<'a>>,
    event: Event<'a>,
}

impl<'a, I: Iterator<Item = (&'a str, FieldView<'a>)>> de::MapAccess<'a> for Entries<'a, I> {
    type Error = DeserializeError;

    fn next_key_seed<K: DeserializeSeed<'a>>(&mut self, seed: K) -> Result<Option<K::Value>, DeserializeError> {
        let Some((name, field)) = self.rest.next() else { return Ok(None) };
        self.value = Some(field);
        seed.deserialize(name.into_deserializer()).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'a>>(&mut self, seed: S) -> Result<S::Value, DeserializeError> {
        let Some(field) = self.value.take() else { return Err(de::Error::custom("a value without a key")) };
        let node = Node::of_field(&field, self.event.clock());
        let named = |error: DeserializeError| DeserializeError(format!("field {}: {error}", field.name()));
        seed.deserialize(NodeDeserializer(node)).map_err(named)
    }
}
