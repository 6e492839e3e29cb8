//! What decodes the events of a trace, and what is missing to decode the rest.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::bytes::Guid;
use crate::decode::{EventType, UndecodedReason};
use crate::event::{EventKey, Kind};
use crate::schema::{Schema, SchemaSource};

use super::Trace;

/// Events that schemas of one source decode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceCount {
    /// Events.
    pub events: u64,
    /// Keys of these events: each has a schema of its own.
    pub schemas: u64,
    /// Events whose version was unknown: a lower one is used.
    pub version_guessed: u64,
    /// Events with several known layouts; the trace's OS build or the fit chose.
    pub build_guessed: u64,
}

/// Events of one provider, class or message GUID that lack the same thing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UndecodedTypes {
    /// How the events name their schema.
    pub kind: Kind,
    /// Provider, event class or message GUID; null for events whose keys were not kept.
    pub guid: Guid,
    /// Its name, if the trace has it.
    pub name: Option<String>,
    /// What they lack.
    pub missing: UndecodedReason,
    /// Events.
    pub events: u64,
    /// Their keys with the events of each, the most frequent first.
    pub keys: Vec<(EventKey, u64)>,
}

impl UndecodedTypes {
    /// Describes events that lack something, without their provider and keys.
    pub const fn new(kind: Kind, missing: UndecodedReason, events: u64) -> Self {
        Self { kind, guid: Guid::NULL, name: None, missing, events, keys: Vec::new() }
    }
}

impl Trace {
    /// Returns which sources of schemas decode how many events.
    pub fn sources(&self) -> BTreeMap<SchemaSource, SourceCount> {
        let mut all: BTreeMap<SchemaSource, SourceCount> = BTreeMap::new();
        for row in self.types() {
            let described = row.layout_schema();
            let Some(origin) = described.map(Schema::origin) else { continue };
            let events = row.events();
            let count = all.entry(origin.source).or_default();
            count.events += events;
            count.schemas += 1;
            count.version_guessed += if origin.guessed_version { events } else { 0 };
            count.build_guessed += if origin.guessed_build { events } else { 0 };
        }
        all
    }

    /// Returns the types of events that cannot be decoded, and why, the most frequent first. Events that the kernel could
    /// not write are not among them: there is nothing to decode.
    ///
    /// [`UndecodedReason::Fields`] is judged by the first event of a key; its events count as decoded elsewhere
    /// if the schema [has a layout](Schema::has_layout).
    pub fn undecoded_types(&self) -> Vec<UndecodedTypes> {
        let mut found: BTreeMap<(Kind, Guid, UndecodedReason), UndecodedTypes> = BTreeMap::new();
        for row in self.types().iter().filter(|row| row.key.kind != Kind::Error) {
            let Some(missing) = row.undecoded() else { continue };
            let EventKey { kind, provider, .. } = row.key;
            // What is missing is known under the GUID for decoding.
            let guid = row.decode_guid().unwrap_or(provider);
            let empty = || UndecodedTypes { kind, guid, name: None, missing, events: 0, keys: Vec::new() };
            let group = found.entry((kind, guid, missing)).or_insert_with(empty);
            group.events += row.events();
            group.name = group.name.take().or_else(|| row.provider_name().map(str::to_owned));
            group.keys.push((row.key, row.events()));
        }
        let mut groups: Vec<UndecodedTypes> = found.into_values().chain(self.overflow()).collect();
        for group in &mut groups {
            group.keys.sort_by_key(|(key, events)| (Reverse(*events), *key));
        }
        groups.sort_by_key(|group| (Reverse(group.events), group.guid, group.missing));
        groups
    }

    /// Events whose keys were not kept.
    fn overflow(&self) -> Option<UndecodedTypes> {
        let events = self.keyless_events();
        let keys = Vec::new();
        let types = UndecodedTypes {
            kind: Kind::Error,
            guid: Guid::NULL,
            name: None,
            missing: UndecodedReason::Limit,
            events,
            keys,
        };
        (events > 0).then_some(types)
    }
}

/// Says of types whose provider is known after all that only the event is not: parsers that claim a kind of events do
/// not name their providers, but another event of the same one may have a schema.
pub(super) fn refine_reasons(types: &mut [EventType]) {
    let with = types.iter().filter(|row| row.schema().is_some());
    let known: BTreeSet<(Kind, Guid)> = with.map(|row| (row.key.kind, row.key.provider)).collect();
    for row in types {
        if row.undecoded == Some(UndecodedReason::Provider) && known.contains(&(row.key.kind, row.key.provider)) {
            row.undecoded = Some(UndecodedReason::Event);
        }
    }
}
