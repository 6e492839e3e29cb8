//! Events and fields as `serde` serialises them: the members of the JSON lines.

use std::borrow::Cow;

use ::serde::ser::{Serialize, SerializeMap, Serializer};

use crate::bytes::Guid;
use crate::decode::{Event, FieldView, OwnedEvent};
use crate::output::json::{Buffers, EventWriter, write_derived, write_event, write_kind, write_names};
use crate::render::json::{LEFT_OUT, is_safe_integer, unique_names};
use crate::render::members::{MemberValue, MemberWriter};
use crate::render::time::TimeCache;
use crate::render::value::Written;
use crate::render::{Zone, value};
use crate::select::{HeaderField, HeaderValue, derived_fields};
use crate::system::Function;
use crate::time::FileTime;

use super::node::{Node, Scalar};

/// A map with the members of the event's JSON line, in the same order: `serde_json` writes the line, but for escapes and
/// exponents, which JSON allows to be written in more than one way.
impl Serialize for Event<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut writer = MapWriter { map: serializer.serialize_map(None)?, error: None };
        write_event(&mut writer, self, &mut Buffers::default());
        writer.error.map_or_else(|| writer.map.end(), Err)
    }
}

/// As the [`Event`] that it owns.
impl Serialize for OwnedEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.view().serialize(serializer)
    }
}

/// The value of the field: a number, a boolean, a string, a sequence, or a map, as in JSON lines. A time in ticks of the
/// trace's clock, which a field does not know, is a number.
impl Serialize for FieldView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Node::shown(self, None, &unique_names(self.schema())).serialize(serializer)
    }
}

/// Text without braces, as in JSON lines.
impl Serialize for Guid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The number of 100 ns units since 1601, as `Deserialize` reads it.
impl Serialize for FileTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.0)
    }
}

/// A map that is being written, and its first error.
struct MapWriter<M: SerializeMap> {
    map: M,
    error: Option<M::Error>,
}

impl<M: SerializeMap> MapWriter<M> {
    fn entry(&mut self, name: &str, value: &impl Serialize) {
        if self.error.is_none() {
            self.error = self.map.serialize_entry(name, value).err();
        }
    }
}

impl<M: SerializeMap> MemberWriter for MapWriter<M> {
    fn member(&mut self, name: &str, value: MemberValue<'_>) {
        self.entry(name, &value);
    }

    #[expect(single_use_lifetimes, reason = "an elided lifetime is not stable here")]
    fn list<'a>(&mut self, name: &str, values: impl Iterator<Item = MemberValue<'a>>) {
        self.entry(name, &values.collect::<Vec<_>>());
    }

    fn object<'a>(&mut self, name: &str, members: impl Iterator<Item = (Cow<'a, str>, MemberValue<'a>)>) {
        let members: Vec<_> = members.collect();
        if !members.is_empty() {
            self.entry(name, &Members(&members));
        }
    }
}

impl<M: SerializeMap> EventWriter for MapWriter<M> {
    type Members = Self;

    fn members(&mut self) -> &mut Self {
        self
    }

    fn times(&mut self, event: &Event<'_>) {
        if let Some(HeaderValue::Time { time, is_local }) = HeaderField::Time.value(event) {
            let mut text = Vec::new();
            TimeCache::new(Zone::default()).push_of(&mut text, time, is_local);
            self.member(HeaderField::Time.name(), MemberValue::Text(&text));
        }
        self.member(HeaderField::RawTime.name(), MemberValue::Integer(event.raw().time().0));
        if let Some(file) = event.file_of_several() {
            self.member(HeaderField::File.name(), MemberValue::Text(file.as_bytes()));
        }
    }

    fn names(&mut self, event: &Event<'_>) {
        write_names(self, event);
    }

    fn kind(&mut self, event: &Event<'_>) {
        write_kind(self, event);
    }

    fn fields(&mut self, event: &Event<'_>) {
        let Some(schema) = event.layout_schema() else { return };
        let names = unique_names(schema);
        let mut members = Vec::new();
        for view in event.shown_fields() {
            let name = names.get(view.index()).cloned().unwrap_or_default();
            members.push((name, Node::shown(&view, event.clock(), &names)));
        }
        if event.left_out() > 0 {
            members.push((LEFT_OUT.into(), Node::integer(event.left_out())));
        }
        self.entry(HeaderField::Fields.name(), &Members(&members));
    }

    fn derived(&mut self, event: &Event<'_>) {
        write_derived(self, event, &derived_fields(event));
    }
}

/// A map by its members.
struct Members<'m, K, V>(&'m [(K, V)]);

impl<K: Serialize, V: Serialize> Serialize for Members<'_, K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl Serialize for MemberValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Number(number) => serializer.serialize_u64(number),
            Self::Integer(number) if is_safe_integer(number.into()) => serializer.serialize_i64(number),
            Self::Integer(number) => serializer.collect_str(&number),
            Self::Counter(number) if is_safe_integer(number.into()) => serializer.serialize_u64(number),
            Self::Counter(number) => serializer.collect_str(&number),
            Self::Real(number) => serializer.serialize_f64(number),
            Self::Hex(number) => serializer.serialize_str(&hex(number)),
            Self::Guid(guid) => guid.serialize(serializer),
            Self::Sid(sid) => serializer.collect_str(&sid),
            Self::Text(text) => serializer.serialize_str(&String::from_utf8_lossy(text)),
            Self::Bytes(bytes) => serializer.serialize_str(&digits(bytes)),
            Self::Frame { image, offset } => serializer.collect_str(&format_args!("{image}+{}", hex(offset))),
            Self::Method { module: Some(module), name } => serializer.collect_str(&format_args!("{module}!{name}")),
            Self::Method { module: None, name } => serializer.serialize_str(name),
            Self::Functions(functions) => serializer.collect_seq(functions.iter().map(FunctionMembers)),
            Self::Null => serializer.serialize_unit(),
        }
    }
}

/// A function of native code, as in JSON lines.
struct FunctionMembers<'f>(&'f Function);

impl Serialize for FunctionMembers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Function { name, file, line, .. } = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &**name)?;
        if let Some(file) = file {
            map.serialize_entry("file", &**file)?;
        }
        if let Some(line) = line {
            map.serialize_entry("line", line)?;
        }
        map.end()
    }
}

fn hex(number: u64) -> String {
    let mut text = Vec::new();
    value::hex(&mut text, number);
    String::from_utf8_lossy(&text).into_owned()
}

fn digits(bytes: &[u8]) -> String {
    let mut text = Vec::new();
    crate::bytes::write_hex(&mut text, bytes);
    String::from_utf8_lossy(&text).into_owned()
}

impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Scalar(scalar) => scalar.serialize(serializer),
            Self::Array(nodes) => serializer.collect_seq(nodes),
            Self::Struct(members) => Members(members).serialize(serializer),
        }
    }
}

/// The number that the text is, so that it is the number that readers of JSON lines find.
impl Serialize for Scalar<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.text.as_str();
        match self.shown {
            Written::Text => serializer.serialize_str(text),
            Written::Bool => serializer.serialize_bool(text == "true"),
            Written::Number => match (text.parse::<i128>(), text.parse::<f64>()) {
                (Ok(number), _) if is_safe_integer(number) => serializer.serialize_i64(number as i64),
                (Err(_), Ok(number)) => serializer.serialize_f64(number),
                _ => serializer.serialize_str(text),
            },
        }
    }
}
