//! The choice among what several providers have for one event.

use crate::error::Result;
use crate::event::{EventKey, Kind, RawEvent};
use crate::schema::{Schema, SchemaSource};

use super::{Claims, Finding, SchemaProvider, TraceFacts};

/// The providers of a trace after they learned, in order of precedence.
#[derive(Debug)]
pub(crate) struct Providers {
    list: Vec<(Claims, Box<dyn SchemaProvider>)>,
}

impl Providers {
    pub(super) fn new(providers: impl Iterator<Item = Box<dyn SchemaProvider>>) -> Self {
        Self { list: providers.map(|provider| (provider.claims(), provider)).collect() }
    }

    /// Returns whether any provider claims events of this key's provider, class or message GUID by that GUID.
    pub(crate) fn know(&self, key: &EventKey) -> bool {
        self.list.iter().any(|(claims, _)| claims.names(&key.provider))
    }

    /// Returns the first schema that a provider has for the event. A schema for a lower version is used only when no
    /// provider knows the event's own version.
    pub(crate) fn schema(&self, event: &RawEvent<'_>, facts: &TraceFacts) -> Result<Option<Schema>> {
        let (mut stand_in, mut failed) = (None, None);
        for provider in self.claiming(event.key()) {
            match provider.schema(event, facts) {
                Ok(Some(schema)) if !schema.origin().guessed_version => {
                    return Ok(Some(self.reported(schema, event, facts)));
                }
                Ok(found) => stand_in = stand_in.or(found),
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        // What one provider cannot read does not take the place of what another has.
        match (stand_in, failed) {
            (None, Some(error)) => Err(error),
            (stand_in, _) => Ok(stand_in),
        }
    }

    /// Returns what the providers found in addition to schemas.
    pub(crate) fn finish(self) -> impl Iterator<Item = Finding> {
        self.list.into_iter().filter_map(|(_, provider)| provider.finish())
    }

    fn claiming(&self, key: EventKey) -> impl Iterator<Item = &dyn SchemaProvider> {
        self.list.iter().filter(move |(claims, _)| claims.holds(&key)).map(|(_, provider)| provider.as_ref())
    }

    /// Returns a built-in table with what another source states about the event in Windows' words: the trace, the user
    /// or the bundled facts. Messages and elements name fields by number, so both must have the same number of fields.
    /// A table that names keywords has Windows' words itself: it is there to correct the other sources.
    fn reported(&self, schema: Schema, event: &RawEvent<'_>, facts: &TraceFacts) -> Schema {
        let is_table = schema.origin().source == SchemaSource::BUILT_IN && schema.names().keywords.is_empty();
        if event.kind() != Kind::Manifest || !is_table {
            return schema;
        }
        let fits = |other: &Schema| {
            let origin = other.origin();
            let is_windows = origin.source != SchemaSource::BUILT_IN && !origin.guessed_version;
            is_windows && other.top_level().count() == schema.top_level().count()
        };
        let mut others = self.claiming(event.key()).filter_map(|provider| provider.schema(event, facts).ok()?);
        match others.find(fits) {
            Some(other) => schema.reported_as(other),
            None => schema,
        }
    }
}
