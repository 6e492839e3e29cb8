//! Which blob is for which event.

use std::collections::BTreeMap;
use std::sync::Arc;

use etwkit::bytes::Guid;
use etwkit::error::{Error, Result};
use etwkit::event::{Kind, RawEvent};
use etwkit::format::EVENT_METADATA;
use etwkit::limits;
use etwkit::parser::{Claims, SchemaProvider, TraceFacts};
use etwkit::schema::{Map, Schema};

use crate::info::{Info, source};
use crate::map;

/// Parser of the `TRACE_EVENT_INFO` blobs of a trace.
///
/// Blobs of manifest events (decoding source 0) are found by provider, id and version, those of MOF events (source 1)
/// by event class, opcode and version. Those of WPP (2) and TraceLogging events (3) are not kept: the former lack the
/// places of their arguments, the latter carry the same in themselves.
///
/// Windows writes a blob for each pointer size that occurs; they make the same schema. When blobs for one event differ,
/// from machines of different builds for instance, the later one is tried first.
#[derive(Clone, Debug, Default)]
pub struct TraceEventInfo {
    blobs: BTreeMap<Key, Vec<Box<[u8]>>>,
    maps: BTreeMap<(Guid, Box<str>), Arc<Map>>,
    /// Bytes of all blobs and maps.
    kept: usize,
}

/// Blobs for one event; more are not kept.
const MAX_BLOBS: usize = 8;

/// The key of an event's blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    kind: Kind,
    guid: Guid,
    /// Event id, or the opcode of a MOF event.
    number: u16,
    version: u8,
}

impl Key {
    fn of_info(info: &Info) -> Option<Self> {
        let version = info.version;
        Some(match info.source {
            source::MANIFEST => Self { kind: Kind::Manifest, guid: info.provider, number: info.id, version },
            source::MOF => Self { kind: Kind::Classic, guid: info.event_guid, number: info.opcode.into(), version },
            _ => return None,
        })
    }

    fn of_event(event: &RawEvent<'_>) -> Option<Self> {
        let key = event.key();
        let number = match key.kind {
            Kind::Manifest => key.id,
            Kind::Classic => key.opcode.into(),
            _ => return None,
        };
        Some(Self { kind: key.kind, guid: key.provider, number, version: key.version })
    }
}

impl TraceEventInfo {
    /// A parser that knows nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns how many events it has blobs for.
    pub fn len(&self) -> usize {
        self.blobs.len()
    }

    /// Returns whether it has none.
    pub fn is_empty(&self) -> bool {
        self.blobs.is_empty()
    }

    /// Returns the schema of a manifest event.
    pub fn manifest_schema(&self, provider: Guid, id: u16, version: u8) -> Result<Option<Schema>> {
        self.compile(Key { kind: Kind::Manifest, guid: provider, number: id, version })
    }

    /// Returns the schemas of all its events, compiled now.
    pub fn schemas(&self) -> impl Iterator<Item = Result<Schema>> {
        self.blobs.keys().filter_map(|key| self.compile(*key).transpose())
    }

    /// Takes a `TRACE_EVENT_INFO`, the payload of an opcode 32 event.
    pub fn add_info(&mut self, blob: &[u8]) -> Result<()> {
        let Some(key) = Key::of_info(&Info::read(blob)?) else { return Ok(()) };
        let known = self.blobs.get(&key).map_or(&[][..], Vec::as_slice);
        if known.len() >= MAX_BLOBS || known.iter().any(|known| **known == *blob) {
            return Ok(());
        }
        self.charge(blob.len() + size_of::<(Key, Vec<Box<[u8]>>)>())?;
        self.blobs.entry(key).or_default().push(blob.into());
        Ok(())
    }

    /// Takes a provider's GUID and an `EVENT_MAP_INFO`, the payload of an opcode 33 event.
    pub fn add_map(&mut self, payload: &[u8]) -> Result<()> {
        let Some(found) = map::read(payload)? else { return Ok(()) };
        let key = (found.provider, Box::from(found.map.name()));
        // It takes the place of an older one of its name.
        self.kept -= self.maps.get(&key).map_or(0, |old| weight(old));
        self.charge(weight(&found.map)).inspect_err(|_| drop(self.maps.remove(&key)))?;
        self.maps.insert(key, Arc::new(found.map));
        Ok(())
    }

    /// Pays for something that is kept.
    fn charge(&mut self, len: usize) -> Result<()> {
        if len > limits::MAX_LEARNED - self.kept {
            return Err(Error::limit("bytes of schemas in the trace", limits::MAX_LEARNED));
        }
        self.kept += len;
        Ok(())
    }

    fn compile(&self, key: Key) -> Result<Option<Schema>> {
        let blobs = self.blobs.get(&key).into_iter().flatten().rev();
        Schema::first_of(blobs.map(|blob| self.compile_blob(blob)))
    }

    fn compile_blob(&self, blob: &[u8]) -> Result<Schema> {
        let info = Info::read(blob)?;
        info.compile(blob, |name| self.maps.get(&(info.provider, name.into())))
    }
}

/// Bytes of memory that a map takes, which is much more than its bytes in the trace: many small entries may name one
/// text.
fn weight(map: &Map) -> usize {
    size_of::<((Guid, Box<str>), Arc<Map>)>() + map.name().len() + map.weight()
}

/// Opcodes of the events of `EVENT_METADATA`.
const EVENT_INFO: u8 = 32;
const MAP_INFO: u8 = 33;

impl SchemaProvider for TraceEventInfo {
    fn name(&self) -> &'static str {
        "trace-event-info"
    }

    fn claims(&self) -> Claims {
        let mut guids: Vec<Guid> = self.blobs.keys().map(|key| key.guid).collect();
        guids.sort_unstable();
        guids.dedup();
        Claims::providers(guids)
    }

    fn learns_from(&self) -> Claims {
        Claims::provider(EVENT_METADATA)
    }

    fn learn(&mut self, event: &RawEvent<'_>) -> Result<()> {
        match event.opcode() {
            EVENT_INFO => self.add_info(event.payload()),
            MAP_INFO => self.add_map(event.payload()),
            _ => Ok(()),
        }
    }

    fn schema(&self, event: &RawEvent<'_>, _: &TraceFacts) -> Result<Option<Schema>> {
        Key::of_event(event).map_or(Ok(None), |key| self.compile(key))
    }
}
