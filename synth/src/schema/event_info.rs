//! `TRACE_EVENT_INFO` and `EVENT_MAP_INFO` blobs of merged traces (section 10.1; `tdh.h`).

use crate::event::{ClassicEvent, PointerSize};
use crate::guid::Guid;
use crate::narrow::{u16_of, u32_of};
use crate::payload::Payload;

/// Class of the events that carry the blobs.
const EVENT_METADATA: Guid = Guid::new(0xbbccf6c1_6cd1_48c4_80ff_839482e37671);

/// Returns the event that carries `info`: opcode 32.
pub fn schema_event(size: PointerSize, info: &EventInfo) -> ClassicEvent {
    ClassicEvent::new(size, EVENT_METADATA, 32).payload(info.to_bytes())
}

/// Returns the event that carries `map` of `provider`: opcode 33.
pub fn map_event(size: PointerSize, provider: Guid, map: &EventMap) -> ClassicEvent {
    ClassicEvent::new(size, EVENT_METADATA, 33).payload(Payload::new().guid(provider).rest(map.to_bytes()))
}

/// `TRACE_EVENT_INFO`. Empty texts become offset 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventInfo {
    /// Provider.
    pub provider: Guid,
    /// Classic event class, nil for manifest events.
    pub event_guid: Guid,
    /// Event id.
    pub id: u16,
    /// Event version.
    pub version: u8,
    /// Channel.
    pub channel: u8,
    /// Level.
    pub level: u8,
    /// Opcode.
    pub opcode: u8,
    /// Task.
    pub task: u16,
    /// Keyword.
    pub keyword: u64,
    /// 0 XML manifest, 1 WBEM, 2 WPP, 3 `TraceLogging`.
    pub decoding_source: u32,
    /// Provider name.
    pub provider_name: String,
    /// Level name.
    pub level_name: String,
    /// Channel name.
    pub channel_name: String,
    /// Keyword names.
    pub keywords: Vec<String>,
    /// Task name.
    pub task_name: String,
    /// Opcode name.
    pub opcode_name: String,
    /// Message with `%1` inserts.
    pub message: String,
    /// Event name (offset 92, newer systems).
    pub event_name: String,
    /// How many properties are not members of structs.
    pub top_level: u32,
    /// All properties; struct members after the top-level ones.
    pub properties: Vec<Property>,
}

/// `EVENT_PROPERTY_INFO`, 24 bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Property {
    /// 1 struct, 2 length by reference, 4 count by reference, 0x10 fixed length, 0x20 fixed count, ...
    pub flags: u32,
    /// Name.
    pub name: String,
    /// In-type, or the first member's index of a struct.
    pub in_type: u16,
    /// Out-type, or the member count of a struct.
    pub out_type: u16,
    /// Name of the value map, if any.
    pub map: String,
    /// Count, or index of the property that contains it.
    pub count: u16,
    /// Length, or index of the property that contains it.
    pub length: u16,
}

impl Property {
    /// A scalar of this TDH in-type and out-type; `length` in bytes, 0 for text.
    pub fn new(name: &str, in_type: u16, out_type: u16, length: u16) -> Self {
        Self { name: name.into(), in_type, out_type, count: 1, length, ..Self::default() }
    }
}

impl EventInfo {
    /// Returns the blob; texts follow the properties, each with the trailing space Windows gives them.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut texts = Texts::after(112 + 24 * self.properties.len());
        let fixed = self.fixed(&mut texts);
        let blob = self.properties.iter().fold(fixed, |blob, property| property.write(&mut texts, blob));
        blob.bytes(&texts.bytes).into_bytes()
    }

    fn fixed(&self, texts: &mut Texts) -> Payload {
        let guids = Payload::new().guid(self.provider).guid(self.event_guid);
        let id = guids.u16(self.id).u8(self.version).u8(self.channel).u8(self.level).u8(self.opcode);
        id.u16(self.task)
            .u64(self.keyword)
            .u32(self.decoding_source)
            .u32(texts.add(&self.provider_name))
            .u32(texts.add(&self.level_name))
            .u32(texts.add(&self.channel_name))
            .u32(texts.add_list(&self.keywords))
            .u32(texts.add(&self.task_name))
            .u32(texts.add(&self.opcode_name))
            .u32(texts.add(&self.message))
            .zeros(12)
            .u32(texts.add(&self.event_name))
            .u32(0)
            .u32(u32_of(self.properties.len()))
            .u32(self.top_level)
            .u32(0)
    }
}

impl Property {
    fn write(&self, texts: &mut Texts, to: Payload) -> Payload {
        let head = to.u32(self.flags).u32(texts.add(&self.name)).u16(self.in_type).u16(self.out_type);
        head.u32(texts.add(&self.map)).u16(self.count).u16(self.length).u32(0)
    }
}

/// `EVENT_MAP_INFO`: names for values or bits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventMap {
    /// Name.
    pub name: String,
    /// 1 value map, 2 bit map, ... (section 9.7).
    pub flag: u32,
    /// Value and text.
    pub entries: Vec<(u32, String)>,
}

impl EventMap {
    /// Returns the map; offsets count from its start.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut texts = Texts::after(16 + 8 * self.entries.len());
        let head = Payload::new().u32(texts.add(&self.name)).u32(self.flag);
        let fixed = head.u32(u32_of(self.entries.len())).u32(0);
        let entry = |map: Payload, (value, text): &(u32, String)| map.u32(texts.add(text)).u32(*value);
        let map = self.entries.iter().fold(fixed, entry);
        map.bytes(&texts.bytes).into_bytes()
    }
}

/// The text area after the fixed part.
struct Texts {
    base: usize,
    bytes: Vec<u8>,
}

impl Texts {
    const fn after(base: usize) -> Self {
        Self { base, bytes: Vec::new() }
    }

    fn add(&mut self, text: &str) -> u32 {
        if text.is_empty() {
            return 0;
        }
        let at = self.base + self.bytes.len();
        self.push(&format!("{text} "));
        u32::from(u16_of(at))
    }

    fn add_list(&mut self, texts: &[String]) -> u32 {
        let Some((first, rest)) = texts.split_first() else { return 0 };
        let at = self.add(first);
        for text in rest {
            self.push(&format!("{text} "));
        }
        self.push("");
        at
    }

    fn push(&mut self, text: &str) {
        self.bytes.extend(Payload::new().utf16z(text).into_bytes());
    }
}
