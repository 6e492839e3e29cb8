//! Manifests that event sources write into the trace (section 10.3).

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use etwkit::bytes::{Guid, u8_at, u16_at};
use etwkit::error::{Error, Result};
use etwkit::event::{Kind, NO_ID, RawEvent};
use etwkit::limits;
use etwkit::parser::{Claims, SchemaProvider, TraceFacts};
use etwkit::schema::{DisplayFormat, Encoding, Field, Len, Names, Scalar, Schema, SchemaSource, Wire};

use crate::store::Store;
use crate::xml;

/// Event id of a chunk of a manifest.
pub(crate) const MANIFEST_EVENT: u16 = 0xFFFE;
/// Bytes before the text: format, version, magic, number of chunks, chunk.
const ENVELOPE: usize = 8;
const MAGIC: u8 = 0x5B;
/// `SimpleXmlFormat`, the only one there is.
const SIMPLE_XML: u8 = 1;
/// Bytes of one manifest. An EventSource refuses to make one of more than 255 chunks of 0xFF00 bytes.
const MAX_MANIFEST: usize = 255 * 0xFF00;
/// Bytes that an incomplete manifest takes in addition to its text.
const OPEN: usize = 128;
/// Different manifests of one provider; of more, the oldest is forgotten.
const MAX_MANIFESTS: usize = 8;

/// Parser of the manifests that event sources of .NET write into the trace they log to.
///
/// A manifest comes in chunks, which are put together by provider, process and thread; a first chunk starts over, one
/// out of turn drops what was begun. The same manifest is written by every process and on request; it is read once.
///
/// **Several different manifests of a provider** are builds of its assembly in different processes, or one process that
/// was replaced during the recording. A schema is for all events with one provider, id and version, so the process
/// cannot choose. The manifest completed last is tried first, and a payload that it does not fit exactly is tried with
/// those before it; an event that the last one lacks is taken from the others. What they describe differently is marked
/// `build-guessed`. (`TraceEvent` uses one manifest for the
/// whole file, the one with more events, and ignores versions.)
///
/// Its events are named as `TraceEvent` does: task and opcode by the names in the manifest, the chunks `ManifestData`.
#[derive(Clone, Debug, Default)]
pub struct EventSourceManifests {
    store: Store,
    /// Digest and length of the manifests in the store, in its order.
    known: BTreeMap<Guid, Vec<(u64, usize)>>,
    /// Manifests with missing chunks.
    open: BTreeMap<Writer, Assembly>,
    open_bytes: usize,
    /// Bytes of the texts of the manifests in the store.
    kept: usize,
}

type Writer = (Guid, u32, u32);

#[derive(Clone, Debug)]
struct Assembly {
    total: u16,
    next: u16,
    text: Vec<u8>,
}

/// A chunk.
struct Chunk<'d> {
    total: u16,
    number: u16,
    text: &'d [u8],
}

impl<'d> Chunk<'d> {
    /// `None` if it is not a chunk: an event that happens to have the id.
    fn read(payload: &'d [u8]) -> Option<Self> {
        let text = payload.get(ENVELOPE..)?;
        let (total, number) = (u16_at(payload, 4), u16_at(payload, 6));
        let is_chunk = u8_at(payload, 0) == SIMPLE_XML && u8_at(payload, 3) == MAGIC && number < total;
        is_chunk.then_some(Self { total, number, text })
    }
}

impl EventSourceManifests {
    /// A parser that knows nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the providers it has manifests of.
    pub fn providers(&self) -> impl Iterator<Item = &crate::Provider> {
        self.store.iter()
    }

    /// Takes the payload of an event with id 0xFFFE. One that is not a chunk is passed over.
    pub fn add_chunk(&mut self, provider: Guid, pid: u32, tid: u32, payload: &[u8]) -> Result<()> {
        let Some(chunk) = Chunk::read(payload) else { return Ok(()) };
        self.store.claim(provider);
        match self.assemble((provider, pid, tid), &chunk)? {
            Some(text) => self.add_manifest(provider, &text),
            None => Ok(()),
        }
    }

    /// Returns the text of a manifest, if this is its last chunk.
    fn assemble(&mut self, writer: Writer, chunk: &Chunk<'_>) -> Result<Option<Vec<u8>>> {
        let begun = self.open.remove(&writer);
        self.open_bytes -= begun.as_ref().map_or(0, |begun| OPEN + begun.text.len());
        let mut assembly = match begun {
            _ if chunk.number == 0 => Assembly { total: chunk.total, next: 0, text: Vec::new() },
            Some(begun) if (begun.next, begun.total) == (chunk.number, chunk.total) => begun,
            // Without its first chunk, which a circular file may have overwritten, a manifest cannot be read.
            _ => return Ok(None),
        };
        let len = assembly.text.len() + chunk.text.len();
        if len > MAX_MANIFEST {
            return Err(Error::limit("bytes of an EventSource manifest", MAX_MANIFEST));
        }
        if self.open_bytes + OPEN + len > limits::MAX_LEARNED {
            return Err(Error::limit("bytes of incomplete EventSource manifests", limits::MAX_LEARNED));
        }
        assembly.text.extend_from_slice(chunk.text);
        assembly.next += 1;
        if assembly.next == assembly.total {
            return Ok(Some(assembly.text));
        }
        self.open_bytes += OPEN + len;
        self.open.insert(writer, assembly);
        Ok(None)
    }

    /// Reads a whole manifest, unless it is known: then it becomes the first choice.
    fn add_manifest(&mut self, guid: Guid, text: &[u8]) -> Result<()> {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let digest = (hasher.finish(), text.len());
        let known = self.known.get_mut(&guid);
        let place = known.as_ref().and_then(|known| known.iter().position(|known| *known == digest));
        // The oldest one, in whose place this one comes if there are as many as may be.
        let oldest = known.as_ref().and_then(|known| known.get(MAX_MANIFESTS - 1)).map_or(0, |(_, len)| *len);
        if let (Some(at), Some(known)) = (place, known) {
            known.get_mut(..=at).into_iter().for_each(|known| known.rotate_right(1));
            self.store.promote(guid, at);
            return Ok(());
        }
        let kept = self.kept - oldest + text.len();
        if kept > limits::MAX_LEARNED {
            return Err(Error::limit("bytes of schemas in the trace", limits::MAX_LEARNED));
        }
        let Some(mut provider) = xml::parse(text)?.into_iter().next() else {
            return Err(Error::schema("an EventSource manifest without a provider"));
        };
        // Events are found by the GUID of their header. An EventSource has no classic ones.
        provider.guid = guid;
        provider.forget_classes();
        self.kept = kept;
        self.store.add_first(provider, MAX_MANIFESTS);
        let known = self.known.entry(guid).or_default();
        known.insert(0, digest);
        known.truncate(MAX_MANIFESTS);
        Ok(())
    }

    fn provider_name(&self, event: &RawEvent<'_>) -> Option<Box<str>> {
        let known = self.store.of(event.provider_guid()).first().and_then(crate::Provider::name);
        known.map(Box::from).or_else(|| {
            let traits = event.traits().filter(|traits| !traits.name.is_empty())?;
            Some(String::from_utf8_lossy(traits.name).into())
        })
    }
}

impl SchemaProvider for EventSourceManifests {
    fn name(&self) -> &'static str {
        "event-source"
    }

    fn claims(&self) -> Claims {
        Claims::providers(self.store.guids())
    }

    fn learns_from(&self) -> Claims {
        Claims::event_id(MANIFEST_EVENT)
    }

    fn learn(&mut self, event: &RawEvent<'_>) -> Result<()> {
        let (pid, tid) = (event.pid().unwrap_or(NO_ID), event.tid().unwrap_or(NO_ID));
        self.add_chunk(event.provider_guid(), pid, tid, event.payload())
    }

    fn schema(&self, event: &RawEvent<'_>, _: &TraceFacts) -> Result<Option<Schema>> {
        let key = event.key();
        if key.kind == Kind::Manifest && key.id == MANIFEST_EVENT && Chunk::read(event.payload()).is_some() {
            return chunk_schema(self.provider_name(event)).map(Some);
        }
        self.store.schema(&key, SchemaSource::IN_TRACE_MANIFEST)
    }
}

/// Returns the schema of a chunk. Name and fields are `TraceEvent`'s; instead of the number of its bytes the text
/// itself is there.
fn chunk_schema(provider: Option<Box<str>>) -> Result<Schema> {
    let mut names = Names::default().task("ManifestData");
    names.provider = provider;
    let mut builder = Schema::builder(SchemaSource::IN_TRACE_MANIFEST.into()).names(names);
    for name in ["Format", "MajorVersion", "MinorVersion", "Magic"] {
        builder.field(Field::new(name, Wire::Scalar(Scalar::U8)));
    }
    for name in ["TotalChunks", "ChunkNumber"] {
        builder.field(Field::new(name, Wire::Scalar(Scalar::U16)));
    }
    let text = Wire::Text { encoding: Encoding::Utf8, len: Len::Rest };
    builder.field(Field::new("Manifest", text).displayed(DisplayFormat::Xml));
    builder.build()
}

#[cfg(test)]
mod tests {
    use etwkit::error::ErrorKind;

    use super::*;

    #[test]
    fn manifests_that_never_end_take_bounded_memory() {
        let mut parser = EventSourceManifests::new();
        // The first of two chunks, without text.
        let first = [SIMPLE_XML, 0, 0, MAGIC, 2, 0, 0, 0];
        let most = u32::try_from(limits::MAX_LEARNED / OPEN).unwrap();
        for tid in 0..most {
            parser.add_chunk(Guid::NULL, 4, tid, &first).unwrap();
        }
        let refused = parser.add_chunk(Guid::NULL, 4, most, &first).unwrap_err();
        assert!(matches!(refused.kind(), ErrorKind::Limit { limit, .. } if *limit == limits::MAX_LEARNED as u64));
        // One that goes on, even to its end, makes room.
        let last = [SIMPLE_XML, 0, 0, MAGIC, 2, 0, 1, 0];
        assert!(parser.add_chunk(Guid::NULL, 4, 0, &last).is_err(), "no XML");
        assert!(parser.add_chunk(Guid::NULL, 4, most, &first).is_ok());
        assert_eq!((parser.open.len(), parser.known.len()), (most as usize, 0));
    }
    #[test]
    fn a_manifest_that_is_forgotten_makes_room() {
        const GUID: &str = "{00112233-4455-6677-8899-aabbccddeeff}";
        let text = |number: usize| {
            format!(
                "<instrumentationManifest><instrumentation><events><provider name='{number}' guid='{GUID}'/></events></instrumentation></instrumentationManifest>"
            )
        };
        let mut parser = EventSourceManifests::new();
        // Others leave room for as many as are kept of a provider.
        parser.kept = limits::MAX_LEARNED - MAX_MANIFESTS * text(0).len();
        let guid: Guid = GUID.parse().unwrap();
        (0..MAX_MANIFESTS + 2).for_each(|number| parser.add_manifest(guid, text(number).as_bytes()).unwrap());
        let names: Vec<_> = parser.providers().filter_map(crate::Provider::name).collect();
        assert_eq!(names, ["9", "8", "7", "6", "5", "4", "3", "2"]);
        assert_eq!(parser.kept, limits::MAX_LEARNED);
        assert!(parser.add_manifest(Guid::NULL, text(0).as_bytes()).is_err());
    }
}
