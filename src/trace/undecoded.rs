//! What decodes the events of a trace, and what is missing to decode the rest.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::bytes::Guid;
use crate::event::{EventKey, KeyId, Kind};
use crate::schema::SchemaSource;

use super::Trace;
use super::types::KeyCount;

/// Events that schemas of one source decode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SourceCount {
    /// Events.
    pub events: u64,
    /// Keys of these events: each has a schema of its own.
    pub schemas: u64,
    /// Events whose version was unknown: a lower one stands in.
    pub version_guessed: u64,
    /// Events of which several layouts are known; the trace's OS build or the fit chose.
    pub build_guessed: u64,
}

/// Why events of a key are not decoded, or only their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum UndecodedReason {
    /// No parser knows the provider, class or message GUID.
    Provider,
    /// A parser knows the provider or class, but not this id or opcode in this version or a lower one.
    Event,
    /// A parser knows what the event is called, and not what its payload holds.
    Fields,
    /// What a parser found could not be read; a problem `bad-schema` tells more.
    Broken,
    /// The trace has more keys or schemas than are kept.
    Limit,
}

/// Events of one provider, class or message GUID that lack the same thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndecodedTypes {
    /// How the events name their schema.
    pub kind: Kind,
    /// Provider, event class or message GUID; null for events whose keys were not kept.
    pub guid: Guid,
    /// Its name, if anything in the trace tells it.
    pub name: Option<String>,
    /// What they lack.
    pub missing: UndecodedReason,
    /// Events.
    pub events: u64,
    /// Their keys with the events of each, the most frequent first.
    pub keys: Vec<(EventKey, u64)>,
}

impl Trace {
    /// What decodes the events, by source of schemas.
    pub fn sources(&self) -> BTreeMap<SchemaSource, SourceCount> {
        let mut all: BTreeMap<SchemaSource, SourceCount> = BTreeMap::new();
        for (id, key) in self.keys() {
            let Some(origin) = self.schema(id).map(crate::schema::Schema::origin) else { continue };
            let events = events(key);
            let count = all.entry(origin.source).or_default();
            count.events += events;
            count.schemas += 1;
            count.version_guessed += if origin.guessed_version { events } else { 0 };
            count.build_guessed += if origin.guessed_build { events } else { 0 };
        }
        all
    }

    /// What cannot be decoded and why, the most frequent first.
    ///
    /// [`UndecodedReason::Fields`] is judged by the first event of a key; its events count as decoded elsewhere.
    pub fn gaps(&self) -> Vec<UndecodedTypes> {
        let mut gaps: BTreeMap<(Kind, Guid, UndecodedReason), UndecodedTypes> = BTreeMap::new();
        let known = self.known();
        for (id, key) in self.keys() {
            let Some(missing) = self.missing(id, &key.key, &known) else { continue };
            let EventKey { kind, provider: guid, .. } = key.key;
            let empty = || UndecodedTypes { kind, guid, name: None, missing, events: 0, keys: Vec::new() };
            let gap = gaps.entry((kind, guid, missing)).or_insert_with(empty);
            gap.events += events(key);
            gap.name = gap.name.take().or_else(|| self.provider_name(id));
            gap.keys.push((key.key, events(key)));
        }
        let mut gaps: Vec<UndecodedTypes> = gaps.into_values().chain(self.overflow()).collect();
        for gap in &mut gaps {
            gap.keys.sort_by_key(|(key, events)| (Reverse(*events), *key));
        }
        gaps.sort_by_key(|gap| (Reverse(gap.events), gap.guid, gap.missing));
        gaps
    }

    /// Events whose keys were not kept.
    fn overflow(&self) -> Option<UndecodedTypes> {
        let events = self.keyless_events();
        let keys = Vec::new();
        let gap = UndecodedTypes {
            kind: Kind::Error,
            guid: Guid::NULL,
            name: None,
            missing: UndecodedReason::Limit,
            events,
            keys,
        };
        (events > 0).then_some(gap)
    }

    /// Why a key has no schema, or none with fields; `None` if nothing is missing. `known`: of whom other events have one.
    fn missing(&self, id: KeyId, key: &EventKey, known: &BTreeSet<(Kind, Guid)>) -> Option<UndecodedReason> {
        match (self.noted_missing(id), self.schema(id)) {
            (None, None) => Some(UndecodedReason::Limit),
            // Parsers that claim a kind of events do not tell whose they know.
            (Some(UndecodedReason::Provider), _) if known.contains(&(key.kind, key.provider)) => {
                Some(UndecodedReason::Event)
            }
            (noted, _) => noted,
        }
    }

    /// Providers, classes and message GUIDs of which some event has a schema.
    fn known(&self) -> BTreeSet<(Kind, Guid)> {
        let with = self.keys().filter(|(id, _)| self.schema(*id).is_some());
        with.map(|(_, key)| (key.key.kind, key.key.provider)).collect()
    }
}

const fn events(key: &KeyCount) -> u64 {
    key.events + key.kernel_events
}
