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

    /// Returns a built-in table, and those among its alternatives, with what another source states about the event in
    /// Windows' words: the trace, the user or the bundled facts.
    fn reported(&self, schema: Schema, event: &RawEvent<'_>, facts: &TraceFacts) -> Schema {
        if event.kind() != Kind::Manifest {
            return schema;
        }
        schema.reported_as(|table| {
            let mut others = self.claiming(event.key()).filter_map(|provider| provider.reported(event, facts).ok()?);
            let find = |other: Schema| other.with_alternatives().find(|other| is_report_of(other, table)).cloned();
            if is_own_table(table) { others.find_map(find) } else { None }
        })
    }
}

/// Returns whether a schema is a built-in table that has the names of other tools. A table that names keywords has
/// Windows' words itself: it is there to correct the other sources.
fn is_own_table(schema: &Schema) -> bool {
    schema.origin().source == SchemaSource::BUILT_IN && schema.names().keywords.is_empty()
}

/// Returns whether a schema from another source can name the parts of a table. Messages and elements name fields by
/// number, so both must have the same number of fields; parts of fields are no fields of Windows.
fn is_report_of(other: &Schema, table: &Schema) -> bool {
    let origin = other.origin();
    let is_windows = origin.source != SchemaSource::BUILT_IN && !origin.guessed_version;
    is_windows && other.wholes().count() == table.wholes().count()
}
