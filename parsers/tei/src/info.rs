//! `TRACE_EVENT_INFO` (section 10.1).

use std::sync::Arc;

use etwkit::bytes::{Cursor, Guid, u16_at, u32_at};
use etwkit::error::{Error, Result};
use etwkit::limits;
use etwkit::schema::tdh::{self, InType, OutType, Property, Quantity, Shape};
use etwkit::schema::{Map, Message, Names, Schema, SchemaSource, UserData, standard_level, standard_opcode};

use crate::texts::Texts;

/// The fixed part of a blob. Offsets of texts are kept as they are.
#[derive(Clone, Debug)]
pub(crate) struct Info {
    pub(crate) provider: Guid,
    /// The event class, of MOF events.
    pub(crate) event_guid: Guid,
    pub(crate) id: u16,
    pub(crate) version: u8,
    pub(crate) opcode: u8,
    /// `DECODING_SOURCE`.
    pub(crate) source: u32,
    level: u8,
    keyword: u64,
    texts: TextOffsets,
    properties: u32,
    top_level: u32,
    /// Place and size of the template's binary XML.
    binary_xml: (u32, u32),
    /// `TEMPLATE_FLAGS`.
    template: u32,
}

#[derive(Clone, Debug)]
struct TextOffsets {
    provider: u32,
    level: u32,
    channel: u32,
    keywords: u32,
    task: u32,
    opcode: u32,
    message: u32,
    provider_message: u32,
    event: u32,
}

/// `DECODING_SOURCE` of `tdh.h`.
pub(crate) mod source {
    pub(crate) const MANIFEST: u32 = 0;
    pub(crate) const MOF: u32 = 1;
}

/// Bytes of the fixed part, and of each property after it.
const FIXED: usize = 112;
const PROPERTY: usize = 24;

impl Info {
    /// Reads the fixed part.
    pub(crate) fn read(blob: &[u8]) -> Result<Self> {
        let mut cursor = Cursor::new(blob);
        let provider = cursor.guid("provider of TRACE_EVENT_INFO")?;
        let event_guid = cursor.guid("event class of TRACE_EVENT_INFO")?;
        let [id, id_high, version, _channel, level, opcode, _, _] = cursor.array("descriptor of TRACE_EVENT_INFO")?;
        let keyword = cursor.u64("keyword of TRACE_EVENT_INFO")?;
        let source = cursor.u32("decoding source of TRACE_EVENT_INFO")?;
        let mut text = || cursor.u32("text offset of TRACE_EVENT_INFO");
        let (provider_name, level_name, channel, keywords) = (text()?, text()?, text()?, text()?);
        let (task, opcode_name, message, provider_message) = (text()?, text()?, text()?, text()?);
        let binary_xml = (cursor.u32("binary XML of TRACE_EVENT_INFO")?, cursor.u32("binary XML of TRACE_EVENT_INFO")?);
        let event = cursor.u32("event name of TRACE_EVENT_INFO")?;
        cursor.take(4, "attributes of TRACE_EVENT_INFO")?;
        let properties = cursor.u32("property count of TRACE_EVENT_INFO")?;
        let top_level = cursor.u32("top-level property count of TRACE_EVENT_INFO")?;
        // The rest are tags.
        let template = cursor.u32("flags of TRACE_EVENT_INFO")? & 0xF;
        let texts = TextOffsets {
            provider: provider_name,
            level: level_name,
            channel,
            keywords,
            task,
            opcode: opcode_name,
            message,
            provider_message,
            event,
        };
        let id = u16::from_le_bytes([id, id_high]);
        Ok(Self {
            provider,
            event_guid,
            id,
            version,
            opcode,
            source,
            level,
            keyword,
            texts,
            properties,
            top_level,
            binary_xml,
            template,
        })
    }

    /// Compiles the blob it was read from. `map` finds a map by name.
    pub(crate) fn compile<'m>(&self, blob: &[u8], map: impl Fn(&str) -> Option<&'m Arc<Map>>) -> Result<Schema> {
        let mut texts = Texts::new(blob);
        let properties = self.properties(blob, &mut texts, map)?;
        let names = self.names(&mut texts)?;
        let message = texts.get(self.texts.message, "event message")?;
        // TDH has made line breaks of `%n`.
        let message = message.map(|text| Message::parse(&text.replace("\r\n", "\n")));
        let mut builder = Schema::builder(SchemaSource::TRACE_EVENT_INFO.into()).names(names).message(message);
        builder = builder.user_data(self.user_data(blob).map(Arc::new));
        tdh::compile(&properties, self.top_level as usize, &mut builder)?;
        builder.build()
    }

    /// Returns the elements of a template that is `UserData` (seen in traces that `KernelTraceControl` merged).
    fn user_data(&self, blob: &[u8]) -> Option<UserData> {
        /// `TEMPLATE_USER_DATA` of `tdh.h`.
        const USER_DATA: u32 = 2;
        let (place, size) = self.binary_xml;
        if self.template & USER_DATA == 0 || place == 0 {
            return None;
        }
        tdh::user_data(blob.get(place as usize..)?.get(..size as usize)?)
    }

    fn names(&self, texts: &mut Texts<'_>) -> Result<Names> {
        let offsets = &self.texts;
        let is_class = self.source == source::MOF;
        // Of a MOF event the name at this place is that of an activity id property.
        let event = if is_class { None } else { texts.get(offsets.event, "event name")? };
        let opcode = texts.get(offsets.opcode, "opcode name")?.filter(|_| self.opcode != 0);
        let opcode = opcode.map(|name| built_in(&name, standard_opcode(self.opcode)));
        let level = texts.get(offsets.level, "level name")?.filter(|_| standard_level(self.level).is_none());
        let mut names = Names::default();
        names.provider = texts.get(offsets.provider, "provider name")?;
        names.provider_guid = is_class.then_some(self.provider).filter(|guid| !guid.is_null());
        names.task = texts.get(offsets.task, "task name")?;
        names.opcode = opcode;
        names.level = level;
        names.channel = texts.get(offsets.channel, "channel name")?;
        names.keywords = keywords(self.keyword, texts.list(offsets.keywords, "keyword names")?);
        names.event = event;
        names.provider_message = texts.get(offsets.provider_message, "provider message")?;
        Ok(names)
    }

    fn properties<'m>(
        &self,
        blob: &[u8],
        texts: &mut Texts<'_>,
        map: impl Fn(&str) -> Option<&'m Arc<Map>>,
    ) -> Result<Vec<Property>> {
        let count = self.properties as usize;
        if count > limits::MAX_FIELDS {
            return Err(Error::limit("properties of TRACE_EVENT_INFO", limits::MAX_FIELDS).at(100));
        }
        let end = FIXED + count * PROPERTY;
        let Some(list) = blob.get(FIXED..end) else {
            return Err(Error::truncated("properties of TRACE_EVENT_INFO", end, blob.len()).at(FIXED as u64));
        };
        list.chunks_exact(PROPERTY).map(|bytes| property(bytes, texts, &map)).collect()
    }
}

/// Names of `winmeta.xml` come with their prefix, `win:Start`.
fn built_in(name: &str, standard: Option<&str>) -> Box<str> {
    name.strip_prefix("win:").map_or(name, |bare| standard.unwrap_or(bare)).into()
}

/// `PROPERTY_FLAGS`.
mod flag {
    pub(super) const STRUCT: u32 = 1;
    pub(super) const LENGTH_BY_REFERENCE: u32 = 2;
    pub(super) const COUNT_BY_REFERENCE: u32 = 4;
    pub(super) const FIXED_LENGTH: u32 = 0x10;
    pub(super) const FIXED_COUNT: u32 = 0x20;
    pub(super) const TAGS: u32 = 0x40;
    pub(super) const CUSTOM_SCHEMA: u32 = 0x80;
}

/// `EVENT_PROPERTY_INFO`; `bytes` are its 24.
fn property<'m>(bytes: &[u8], texts: &mut Texts<'_>, map: &impl Fn(&str) -> Option<&'m Arc<Map>>) -> Result<Property> {
    let flags = u32_at(bytes, 0);
    let has = |bit| flags & bit != 0;
    let (first, second, third) = (u16_at(bytes, 8), u16_at(bytes, 10), u32_at(bytes, 12));
    let (count, length) = (u16_at(bytes, 16), u16_at(bytes, 18));
    let shape = if has(flag::STRUCT) {
        Shape::Struct { first, members: second }
    } else {
        Shape::Value(InType(first), OutType(second))
    };
    // Of a custom schema the third number is the place of bytes for those who know the protocol.
    let map_name = if has(flag::STRUCT | flag::CUSTOM_SCHEMA) { 0 } else { third };
    let map_name = texts.get(map_name, "map name of a property")?;
    let name = texts.get(u32_at(bytes, 4), "name of a property")?.unwrap_or_default();
    let (is_fixed_count, is_fixed_length) =
        (has(flag::FIXED_COUNT) || count > 1, has(flag::FIXED_LENGTH) || length > 0);
    let mut property = Property::with_shape(name, shape)
        .count(Quantity::from_flags(count, has(flag::COUNT_BY_REFERENCE), is_fixed_count))
        .length(Quantity::from_flags(length, has(flag::LENGTH_BY_REFERENCE), is_fixed_length));
    property.map = map_name.and_then(|name| map(&name)).map(Arc::clone);
    property.tag = if has(flag::TAGS) { u32_at(bytes, 20) & 0x0FFF_FFFF } else { 0 };
    Ok(property)
}

/// Names of the bits that are set in the descriptor's keyword. The blob has the names only, in the order of the bits;
/// if the numbers of bits and names differ, names cannot be matched to bits, and none is returned. The high 16 bits are
/// Windows' own and have no names in the list.
fn keywords(mask: u64, names: Vec<Box<str>>) -> Box<[(u64, Box<str>)]> {
    let bits = (0..48).map(|bit| 1u64 << bit).filter(|bit| mask & bit != 0);
    if bits.clone().count() == names.len() { bits.zip(names).collect() } else { Box::default() }
}
