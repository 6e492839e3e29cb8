//! The event types of a trace, found by their keys.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::bytes::Guid;
use crate::event::{EventKey, EventTypeId, Kind, Place, RawEvent};
use crate::format::{CPU_CONFIG_HOOK, ExtendedType, Framing};
use crate::limits;

use super::EventType;
use super::decode_guid::decode_guid;
use super::recent_types::{RecentTypes, Seen, Tally};
use super::samples::Samples;
use super::short_key::ShortKey;

/// All event types, found by hash.
#[derive(Debug, Default)]
pub(crate) struct EventTypes {
    table: HashTable<u32>,
    list: Vec<EventType>,
    hasher: DefaultHashBuilder,
    metadata: usize,
    overflow: u64,
    /// Most events are found here.
    recent: RecentTypes,
    samples: Samples,
}

/// What makes two keys equal: the fixed part, and for TraceLogging the metadata and traits. Events of manifests may state
/// the GUID under which they are decoded.
struct Probe<'d> {
    key: EventKey,
    metadata: &'d [u8],
    traits_name: &'d [u8],
    decode_guid: Option<Guid>,
}

impl<'d> Probe<'d> {
    fn of(event: &RawEvent<'d>, key: EventKey) -> Self {
        let mut probe = Self { key, metadata: &[], traits_name: &[], decode_guid: None };
        match key.kind {
            Kind::Manifest => probe.decode_guid = decode_guid(event),
            Kind::TraceLogging => probe.take_metadata(event),
            _ => {}
        }
        probe
    }

    fn take_metadata(&mut self, event: &RawEvent<'d>) {
        for item in event.extended() {
            match item.item_type {
                ExtendedType::SCHEMA => self.metadata = item.data,
                ExtendedType::PROVIDER_TRAITS => {
                    self.traits_name = crate::format::Traits::read(item.data).map_or(&[], |traits| traits.name);
                }
                _ => {}
            }
        }
    }

    fn of_type(row: &'d EventType) -> Self {
        let EventType { key, metadata, traits_name, decode_guid, .. } = row;
        Self { key: *key, metadata, traits_name, decode_guid: *decode_guid }
    }

    fn hash(&self, hasher: &DefaultHashBuilder) -> u64 {
        let EventKey { kind, provider, id, version, opcode, task } = self.key;
        let small = u64::from(id) << 32 | u64::from(version) << 24 | u64::from(opcode) << 16 | kind as u64;
        hasher.hash_one((provider.to_u128(), small, task, self.metadata, self.traits_name, self.decode_guid))
    }

    fn equals(&self, other: &EventType) -> bool {
        self.key == other.key
            && *self.metadata == *other.metadata
            && *self.traits_name == *other.traits_name
            && self.decode_guid == other.decode_guid
    }
}

impl EventTypes {
    /// Returns the id of the event's key; `None` for keys beyond the limits.
    #[inline]
    pub(crate) fn find(&self, event: &RawEvent<'_>) -> Option<EventTypeId> {
        let short = ShortKey::of(event);
        match short.and_then(|short| self.recent.find(short)) {
            Some(id) => Some(id),
            None => self.find_rare(event),
        }
    }

    #[inline(never)]
    fn find_rare(&self, event: &RawEvent<'_>) -> Option<EventTypeId> {
        let probe = Probe::of(event, event.key());
        self.find_probe(&probe, probe.hash(&self.hasher))
    }

    /// Returns the types that were found lately. Events may be counted there of which nothing else is to be noted.
    #[inline]
    pub(crate) const fn recent(&mut self) -> &mut RecentTypes {
        &mut self.recent
    }

    /// Counts any other event. `observed` is asked for a new key. Hands the counts over that are not kept for
    /// [`EventTypes::take_tallies`].
    #[inline(never)]
    pub(crate) fn count_rare(
        &mut self,
        event: &RawEvent<'_>,
        observed: impl FnOnce(&EventKey) -> u64,
        mut counted: impl FnMut(&Tally),
    ) -> Seen {
        let known = ShortKey::of(event).and_then(|key| self.recent.find(key));
        let Some(id) = known.or_else(|| self.find_or_add(event, observed)) else {
            self.overflow += 1;
            counted(&Tally::of(event, EventTypeId(u32::MAX)));
            return Seen::default();
        };
        let seen = self.list.get(id.0 as usize).map_or_else(Seen::default, EventType::seen);
        let one = Tally::of(event, id);
        // The event that names the computer is to be noted each time.
        let is_noted = known.is_some() || event.hook() == Some(CPU_CONFIG_HOOK);
        let replaced = if is_noted { None } else { self.recent.add(event, id, seen) };
        for tally in [Some(one), replaced].iter().flatten().filter(|tally| tally.events > 0) {
            counted(tally);
            self.add_tally(tally);
        }
        seen
    }

    /// Adds up what was counted by [`EventTypes::recent`], and hands it over.
    pub(crate) fn take_tallies(&mut self, mut counted: impl FnMut(&Tally)) {
        let Self { recent, list, .. } = self;
        recent.drain(|tally| {
            counted(tally);
            add(list, tally);
        });
    }

    fn add_tally(&mut self, tally: &Tally) {
        add(&mut self.list, tally);
    }

    /// Returns all types, in the order in which they were first seen.
    pub(crate) fn list(&self) -> &[EventType] {
        &self.list
    }

    /// Keeps the first events of the types from the `known`-th on: they are all in this buffer.
    pub(crate) fn keep_samples(&mut self, known: usize, buffer: &[u8], framing: Framing) {
        for row in self.list.get(known..).unwrap_or_default() {
            let rest = buffer.get(row.first.offset as usize..).unwrap_or_default();
            if let Some(event) = framing.marker(rest).and_then(|marker| rest.get(..marker.len)) {
                self.samples.keep(row.id, event);
            }
        }
    }

    /// Returns the first event of a type, header and payload, if it was kept.
    pub(crate) fn sample(&self, id: EventTypeId) -> Option<&[u8]> {
        self.samples.of(id)
    }

    /// Forgets the samples.
    pub(crate) fn end_samples(&mut self) {
        self.samples = Samples::default();
    }

    /// Returns the type of an id.
    #[inline]
    pub(crate) fn get(&self, id: EventTypeId) -> Option<&EventType> {
        self.list.get(id.0 as usize)
    }

    /// Returns all types, to complete them.
    pub(crate) fn list_mut(&mut self) -> &mut [EventType] {
        &mut self.list
    }

    /// Events whose key was beyond the limits.
    pub(crate) const fn overflow(&self) -> u64 {
        self.overflow
    }

    /// Counts the events of another list, which come after those of this one.
    pub(crate) fn absorb(&mut self, later: &Self) {
        self.overflow += later.overflow;
        let mut ids = Vec::with_capacity(later.list.len());
        for row in &later.list {
            let probe = Probe::of_type(row);
            let hash = probe.hash(&self.hasher);
            let known = self.find_probe(&probe, hash).or_else(|| {
                let added = self.add(&probe, hash, row.first, row.observed)?;
                if let Some(sample) = later.sample(row.id) {
                    self.samples.keep(added, sample);
                }
                Some(added)
            });
            match known.and_then(|id| self.list.get_mut(id.0 as usize)) {
                Some(own) => {
                    own.events += row.events;
                    own.kernel_events += row.kernel_events;
                }
                None => self.overflow += row.events(),
            }
            ids.push(known);
        }
        self.recent.take_over(&later.recent, |id| ids.get(id.0 as usize).copied().flatten());
    }

    fn find_probe(&self, probe: &Probe<'_>, hash: u64) -> Option<EventTypeId> {
        let same = |id: &u32| self.list.get(*id as usize).is_some_and(|entry| probe.equals(entry));
        self.table.find(hash, same).copied().map(EventTypeId)
    }

    #[inline(never)]
    fn find_or_add(&mut self, event: &RawEvent<'_>, observed: impl FnOnce(&EventKey) -> u64) -> Option<EventTypeId> {
        let key = event.key();
        let probe = Probe::of(event, key);
        let hash = probe.hash(&self.hasher);
        self.find_probe(&probe, hash).or_else(|| self.add(&probe, hash, event.place(), observed(&key)))
    }

    fn add(&mut self, probe: &Probe<'_>, hash: u64, first: Place, observed: u64) -> Option<EventTypeId> {
        let metadata = self.metadata + probe.metadata.len() + probe.traits_name.len();
        if self.list.len() >= limits::MAX_KEYS || metadata > limits::MAX_METADATA {
            return None;
        }
        self.metadata = metadata;
        let id = u32::try_from(self.list.len()).ok()?;
        let mut added = EventType::new(EventTypeId(id), probe.key, first);
        (added.metadata, added.traits_name, added.decode_guid, added.observed) =
            (probe.metadata.into(), probe.traits_name.into(), probe.decode_guid, observed);
        self.list.push(added);
        let (list, hasher) = (&self.list, &self.hasher);
        self.table
            .insert_unique(hash, id, |id| list.get(*id as usize).map_or(0, |row| Probe::of_type(row).hash(hasher)));
        Some(EventTypeId(id))
    }
}

fn add(list: &mut [EventType], tally: &Tally) {
    if let Some(row) = list.get_mut(tally.id.0 as usize) {
        let count = if tally.hook.is_some() { &mut row.kernel_events } else { &mut row.events };
        *count += tally.events;
    }
}
