//! A tree of values for `serde`.

use std::borrow::Cow;

use ::serde::de::value::{MapDeserializer, SeqDeserializer};
use ::serde::de::{self, Deserializer as _, IntoDeserializer, Visitor};
use ::serde::forward_to_deserialize_any;

use crate::render::value::Written;

use super::error::DeserializeError;
use super::node::{Node, Number, Scalar, Text};

type Result<T> = std::result::Result<T, DeserializeError>;

/// Hands a node to a type.
pub(super) struct NodeDeserializer<'a>(pub(super) Node<'a>);

impl<'a> IntoDeserializer<'a, DeserializeError> for Node<'a> {
    type Deserializer = NodeDeserializer<'a>;

    fn into_deserializer(self) -> NodeDeserializer<'a> {
        NodeDeserializer(self)
    }
}

impl<'a> NodeDeserializer<'a> {
    /// As a number if it has one, else as JSON lines show it. Where that does not fit into what is asked for, as the
    /// number of its type: codes of errors are of signed types, and shown as their bits.
    fn number<V: Visitor<'a>>(self, fits: impl FnOnce(i128) -> bool, visitor: V) -> Result<V::Value> {
        match self.0 {
            Node::Scalar(Scalar { number: Some(Number::Integer(shown)), signed: Some(signed), .. }) if !fits(shown) => {
                visitor.visit_i64(signed)
            }
            Node::Scalar(Scalar { number: Some(number), .. }) => visit_number(number, visitor),
            node => NodeDeserializer(node).deserialize_any(visitor),
        }
    }

    /// As the text that is shown.
    fn text<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Node::Scalar(scalar) => visit_text(scalar.text, visitor),
            node => NodeDeserializer(node).deserialize_any(visitor),
        }
    }

    fn sequence<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Node::Scalar(Scalar { bytes: Some(bytes), .. }) => {
                visitor.visit_seq(SeqDeserializer::new(bytes.iter().copied()))
            }
            Node::Array(nodes) => visitor.visit_seq(SeqDeserializer::new(nodes.into_iter())),
            node => NodeDeserializer(node).deserialize_any(visitor),
        }
    }
}

fn visit_number<'a, V: Visitor<'a>>(number: Number, visitor: V) -> Result<V::Value> {
    match number {
        Number::Integer(number) => match u64::try_from(number) {
            Ok(number) => visitor.visit_u64(number),
            Err(_) => visitor.visit_i64(number as i64),
        },
        Number::Float(number) => visitor.visit_f64(number),
    }
}

fn visit_text<'a, V: Visitor<'a>>(text: Text<'a>, visitor: V) -> Result<V::Value> {
    match text {
        Text::Lent(text) => visitor.visit_borrowed_str(text),
        Text::Made(text) => visitor.visit_string(text),
    }
}

/// Numbers, by whatever type they are asked for.
macro_rules! numbers {
    ($($method:ident: $fits:expr),+ $(,)?) => {$(
        fn $method<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
            self.number($fits, visitor)
        }
    )+};
}

/// Returns whether a number is one of a type.
fn is<T: TryFrom<i128>>(number: i128) -> bool {
    T::try_from(number).is_ok()
}

impl<'a> de::Deserializer<'a> for NodeDeserializer<'a> {
    type Error = DeserializeError;

    /// As JSON lines have it, but that integers beyond 2^53 stay numbers.
    fn deserialize_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Node::Scalar(Scalar { number: Some(number), shown: Written::Number, .. }) => visit_number(number, visitor),
            Node::Scalar(Scalar { number: Some(number), shown: Written::Bool, .. }) => {
                visitor.visit_bool(number.is_set())
            }
            Node::Scalar(scalar) => visit_text(scalar.text, visitor),
            Node::Array(nodes) => visitor.visit_seq(SeqDeserializer::new(nodes.into_iter())),
            Node::Struct(members) => visitor.visit_map(MapDeserializer::new(members.into_iter())),
        }
    }

    fn deserialize_bool<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Node::Scalar(Scalar { number: Some(number), .. }) => visitor.visit_bool(number.is_set()),
            node => NodeDeserializer(node).deserialize_any(visitor),
        }
    }

    numbers!(
        deserialize_i8: is::<i8>,
        deserialize_i16: is::<i16>,
        deserialize_i32: is::<i32>,
        deserialize_i64: is::<i64>,
        deserialize_i128: is::<i128>,
        deserialize_u8: is::<u8>,
        deserialize_u16: is::<u16>,
        deserialize_u32: is::<u32>,
        deserialize_u64: is::<u64>,
        deserialize_u128: is::<u128>,
        deserialize_f32: |_| true,
        deserialize_f64: |_| true,
    );

    fn deserialize_char<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        self.text(visitor)
    }

    fn deserialize_str<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        self.text(visitor)
    }

    fn deserialize_string<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        self.text(visitor)
    }

    fn deserialize_bytes<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Node::Scalar(Scalar { bytes: Some(Cow::Borrowed(bytes)), .. }) => visitor.visit_borrowed_bytes(bytes),
            Node::Scalar(Scalar { bytes: Some(Cow::Owned(bytes)), .. }) => visitor.visit_byte_buf(bytes),
            node => NodeDeserializer(node).deserialize_any(visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'a>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        self.sequence(visitor)
    }

    fn deserialize_tuple<V: Visitor<'a>>(self, _len: usize, visitor: V) -> Result<V::Value> {
        self.sequence(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'a>>(
        self,
        _name: &'static str,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.sequence(visitor)
    }

    /// Members by exact name, else without regard to ASCII case.
    fn deserialize_struct<V: Visitor<'a>>(
        self,
        _name: &'static str,
        members: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let Node::Struct(own) = self.0 else { return self.deserialize_any(visitor) };
        let (exact, others): (Vec<_>, Vec<_>) = own.into_iter().partition(|(name, _)| members.contains(&&**name));
        let mut found: Vec<(&'static str, Node<'a>)> = Vec::new();
        for (name, node) in exact.into_iter().chain(others) {
            let mut known = members.iter().filter(|member| member.eq_ignore_ascii_case(&name));
            let is_new = |member: &&&str| found.iter().all(|(seen, _)| seen != *member);
            let known = members.iter().find(|member| **member == name).or_else(|| known.find(is_new));
            if let Some(member) = known.filter(is_new) {
                found.push((member, node));
            }
        }
        visitor.visit_map(MapDeserializer::new(found.into_iter()))
    }

    /// A variant without data, by the name that is shown.
    fn deserialize_enum<V: Visitor<'a>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.0 {
            Node::Scalar(Scalar { text: Text::Lent(text), .. }) => visitor.visit_enum(text.into_deserializer()),
            Node::Scalar(Scalar { text: Text::Made(text), .. }) => visitor.visit_enum(text.into_deserializer()),
            node => NodeDeserializer(node).deserialize_any(visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! { <V: Visitor<'a>> unit unit_struct map identifier }
}

impl Number {
    /// Returns whether it is not 0, as booleans of any width are read.
    fn is_set(self) -> bool {
        match self {
            Self::Integer(number) => number != 0,
            Self::Float(number) => number != 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use ::serde::Deserialize;

    use super::*;
    use crate::decode::Value;
    use crate::render::value::ValueContext;
    use crate::schema::{DisplayFormat, Field, Scalar as Type, Wire};

    #[test]
    fn an_integer_is_what_is_shown_or_else_what_its_type_states() {
        fn read<'a, T: Deserialize<'a>>(value: Value<'_>, display: DisplayFormat) -> Option<T> {
            let field = Field::new("x", Wire::Scalar(Type::I32)).displayed(display);
            T::deserialize(NodeDeserializer(Node::Scalar(Scalar::made(value, ValueContext::new(&field))))).ok()
        }
        let access_denied = Value::Signed(-2_147_024_891, 4);
        assert_eq!(read::<u32>(access_denied, DisplayFormat::HResult), Some(0x8007_0005));
        assert_eq!(read::<i32>(access_denied, DisplayFormat::HResult), Some(-2_147_024_891));
        assert_eq!(read::<u32>(access_denied, DisplayFormat::Plain), None);
        assert_eq!(read::<i8>(Value::Unsigned(0xFF, 1), DisplayFormat::Signed), Some(-1));
        assert_eq!(read::<u64>(Value::Unsigned(u64::MAX, 8), DisplayFormat::Plain), Some(u64::MAX));
    }
}
