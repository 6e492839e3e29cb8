//! Manifests: chunks in the trace, text, and what a binary has.

use etwkit::bytes::{Guid, utf16_file};
use etwkit::parser::{SchemaProvider, TraceFacts};
use etwkit::schema::SchemaSource;
use etwkit_manifest::wevt::{self, Messages, Resources};
use etwkit_manifest::{EventSourceManifests, Provider, xml};

use crate::event::{Plain, decode};
use crate::pieces::pieces;
use crate::schema_size;

/// Events of a provider whose schemas are made.
const EVENTS: usize = 32;

/// Takes the pieces as chunks: the kind's low bits are the process, the provider, and whether a piece is a whole chunk
/// event or only text, which gets an envelope. Then decodes the rest by the schemas of all events, found by their key,
/// as a trace finds them.
pub fn manifest_chunks(data: &[u8]) {
    let (pieces, payload) = pieces(data, 32);
    let mut parser = EventSourceManifests::new();
    for (kind, piece) in &pieces {
        let guid = Guid::from_u128((kind >> 2 & 3).into());
        let pid = u32::from(kind & 3);
        let _ = if kind & 0x10 == 0 {
            parser.add_chunk(guid, pid, 0, piece)
        } else {
            parser.add_chunk(guid, pid, 0, &[&[1, 0, 0, 0x5B, 1, 0, 0, 0], *piece].concat())
        };
    }
    let providers: Vec<&Provider> = parser.providers().collect();
    assert!(providers.len() <= pieces.len());
    for provider in providers {
        for (id, version) in provider.events().take(EVENTS) {
            // A version more is read by the one that is there.
            for version in [version, version.saturating_add(1)] {
                let event = Plain::new(payload, true).named(provider.guid(), id, version);
                let Ok(Some(schema)) = parser.schema(&event.raw(), &TraceFacts::default()) else { continue };
                schema_size::check(&schema, data.len());
                decode(&schema, payload, true);
            }
        }
    }
}

/// Reads a manifest as it is, and its text as UTF-16: both state the same. Its events have schemas or errors.
pub fn manifest_xml(data: &[u8]) {
    let parsed = xml::parse(data);
    check(parsed.as_deref().unwrap_or_default(), data.len(), data);
    // These begin as UTF-16 does, or with a mark.
    if utf16_file(data).is_some() || data.starts_with(b"\xEF\xBB\xBF") {
        return;
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    let wide: Vec<u8> = [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    match (parsed, xml::parse(&wide)) {
        (Ok(narrow), Ok(wide)) => assert_eq!(narrow, wide),
        (narrow, wide) => assert_eq!(narrow.is_ok(), wide.is_ok(), "one coding is read, the other is not"),
    }
}

/// Takes the pieces as message tables (kind 0), `WEVT_TEMPLATE` resources (1) and PE files (2); all tables together go
/// with each resource.
pub fn wevt(data: &[u8]) {
    let (pieces, payload) = pieces(data, 8);
    let mut messages = Messages::new();
    let mut templates = Vec::new();
    for (kind, piece) in &pieces {
        match kind % 3 {
            0 => {
                let before = messages.len();
                let _ = messages.add(piece);
                assert!(
                    messages.len() - before <= piece.len() / 2,
                    "a message takes four bytes, and a table is read twice"
                );
            }
            1 => templates.push((piece.to_vec(), None)),
            _ => {
                let Ok(resources) = Resources::read(piece) else { continue };
                let messages = resources.messages;
                templates
                    .extend(resources.templates.into_iter().take(4).map(|template| (template, Some(messages.clone()))));
            }
        }
    }
    for (template, own) in &templates {
        let providers = wevt::parse(template, own.as_ref().unwrap_or(&messages)).unwrap_or_default();
        let events: usize = providers.iter().map(|provider| provider.events().count()).sum();
        assert!(events <= (template.len() * 16 + (1 << 20)) / 48, "{events} events");
        check(&providers, data.len(), payload);
    }
}

fn check(providers: &[Provider], source: usize, payload: &[u8]) {
    for provider in providers.iter().take(EVENTS) {
        for (id, version) in provider.events().take(EVENTS) {
            let Ok(schema) = provider.schema(id, version, SchemaSource::USER) else { continue };
            let Some(schema) = schema else { panic!("an event that is listed is not there") };
            schema_size::check(&schema, source);
            decode(&schema, payload, true);
        }
    }
}
