//! Providers by GUID.

use std::collections::{BTreeMap, BTreeSet};

use etwkit::bytes::Guid;
use etwkit::error::Result;
use etwkit::event::{EventKey, Kind};
use etwkit::schema::{Origin, Schema, SchemaSource};

use crate::model::Provider;

/// Descriptions of providers, several per provider if there are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Store {
    /// The best description first.
    providers: BTreeMap<Guid, Vec<Provider>>,
    /// Provider of each event class.
    classes: BTreeMap<Guid, Guid>,
    /// All providers and classes.
    claimed: BTreeSet<Guid>,
}

impl Store {
    /// Returns all GUIDs that events may carry, sorted.
    pub(crate) fn guids(&self) -> Vec<Guid> {
        self.claimed.iter().copied().collect()
    }

    /// Returns the descriptions of a provider.
    pub(crate) fn of(&self, guid: Guid) -> &[Provider] {
        self.providers.get(&guid).map_or(&[], Vec::as_slice)
    }

    /// Returns all descriptions.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Provider> {
        self.providers.values().flatten()
    }

    /// Notes a GUID for which there is something to report.
    pub(crate) fn claim(&mut self, guid: Guid) {
        self.claimed.insert(guid);
    }

    /// Adds a description as the last choice.
    pub(crate) fn add(&mut self, provider: Provider) {
        self.claim_all(&provider);
        self.providers.entry(provider.guid).or_default().push(provider);
    }

    /// Adds a description as the first choice; of more than `most` the last is dropped.
    pub(crate) fn add_first(&mut self, provider: Provider, most: usize) {
        self.claim_all(&provider);
        let list = self.providers.entry(provider.guid).or_default();
        list.insert(0, provider);
        list.truncate(most);
    }

    /// Makes a provider's description at `at` its first choice.
    pub(crate) fn promote(&mut self, guid: Guid, at: usize) {
        if let Some(list) = self.providers.get_mut(&guid).and_then(|list| list.get_mut(..=at)) {
            list.rotate_right(1);
        }
    }

    fn claim_all(&mut self, provider: &Provider) {
        for class in provider.events.iter().filter_map(|event| event.class) {
            self.classes.entry(class).or_insert(provider.guid);
            self.claim(class);
        }
        self.claim(provider.guid);
    }

    /// Returns the schema of an event: from every description that has it, the others as alternatives of the first. If
    /// none has it in this version, from the highest lower one.
    pub(crate) fn schema(&self, key: &EventKey, source: SchemaSource) -> Result<Option<Schema>> {
        match key.kind {
            Kind::Manifest => self.manifest(key, source),
            Kind::Classic => self.classic(key, source),
            _ => Ok(None),
        }
    }

    fn manifest(&self, key: &EventKey, source: SchemaSource) -> Result<Option<Schema>> {
        let list = self.of(key.provider);
        let has = |version| list.iter().any(|provider| provider.event(key.id, version).is_some());
        let mut origin = Origin::from(source);
        let mut version = Some(key.version);
        if !has(key.version) {
            version = list.iter().filter_map(|provider| provider.lower_version(key.id, key.version)).max();
            origin.guessed_version = true;
        }
        let Some(version) = version else { return Ok(None) };
        let compiled = |origin| {
            let found = list.iter().filter_map(|provider| Some((provider, provider.event(key.id, version)?)));
            Schema::first_of(found.map(|(provider, event)| provider.compile(event, origin)))
        };
        let schema = compiled(origin)?;
        if schema.as_ref().is_some_and(|schema| schema.alternative().is_some()) {
            // Which of them an event was written by is not known.
            origin.guessed_build = true;
            return compiled(origin);
        }
        Ok(schema)
    }

    /// Classic events of a provider with a manifest name the task's class and the opcode.
    fn classic(&self, key: &EventKey, source: SchemaSource) -> Result<Option<Schema>> {
        let Some(guid) = self.classes.get(&key.provider) else { return Ok(None) };
        let found = self.of(*guid).iter().flat_map(|provider| {
            let events = provider.classic_events(key.provider, key.opcode, key.version);
            events.map(move |event| (provider, event))
        });
        Schema::first_of(found.map(|(provider, event)| provider.compile_class(event, source.into())))
    }
}
