//! A provider made of schema text, for crates whose parser is a table.

use std::sync::OnceLock;

use crate::bytes::Guid;
use crate::error::Result;
use crate::event::{EventKey, RawEvent};
use crate::schema::{Schema, SchemaEntry, SchemaSet, SchemaSource, SchemasOnDemand, text};

use super::{Claims, SchemaProvider, TraceFacts};

/// Schemas of some texts, meant to be a `static`. When the first event of their providers comes, the texts are searched
/// for their statements; a statement is read when its event comes. Both happen once in a process.
///
/// ```
/// use etwkit::bytes::Guid;
/// use etwkit::parser::{Parsers, SchemaTables};
///
/// static DOOR: SchemaTables = SchemaTables::built_in(
///     "door",
///     &[Guid::from_u128(0x5e7a_1000_0001_4b1d_9c0d_e7a5_1d0c_0001)],
///     &[r#"provider "Door" {5e7a1000-0001-4b1d-9c0d-e7a51d0c0001}
///          event id 100 { Number u32 }"#],
/// );
/// let parsers = Parsers::none().with(&DOOR);
/// assert_eq!(DOOR.set().len(), 1);
/// ```
#[derive(Debug)]
pub struct SchemaTables {
    name: &'static str,
    source: SchemaSource,
    claims: &'static [Guid],
    texts: &'static [&'static str],
    set: OnceLock<SchemaSet>,
    on_demand: OnceLock<SchemasOnDemand>,
}

impl SchemaTables {
    /// Describes tables whose schemas have the source [`SchemaSource::BUILT_IN`]. `claims` are the providers, classes
    /// and message GUIDs of the texts.
    pub const fn built_in(name: &'static str, claims: &'static [Guid], texts: &'static [&'static str]) -> Self {
        Self::new(name, SchemaSource::BUILT_IN, claims, texts)
    }

    /// Describes tables of another source: `claims` are the providers, classes and message GUIDs of the texts.
    pub const fn new(
        name: &'static str,
        source: SchemaSource,
        claims: &'static [Guid],
        texts: &'static [&'static str],
    ) -> Self {
        Self { name, source, claims, texts, set: OnceLock::new(), on_demand: OnceLock::new() }
    }

    /// Returns its name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the GUIDs whose events it has schemas for.
    pub const fn guids(&self) -> &'static [Guid] {
        self.claims
    }

    /// Returns the texts.
    pub const fn texts(&self) -> &'static [&'static str] {
        self.texts
    }

    /// Returns the schema for events with this key, with other layouts as its alternatives: what
    /// [`SchemaSet::choose`] returns, but no other schema is read.
    ///
    /// A built-in text that cannot be read is a defect, which a test of its crate finds; here the statements that are
    /// wrong are not there.
    pub fn choose(&self, key: &EventKey, name: Option<&str>, build: u32) -> Option<Schema> {
        self.on_demand().choose(key, name, build)
    }

    /// Returns the schema for an event of a trace: what [`SchemaSet::of_event`] returns, but no other schema is read.
    pub fn of_event(&self, event: &RawEvent<'_>, build: u32) -> Option<Schema> {
        self.on_demand().of_event(event, build)
    }

    /// Returns how many `event` statements [`SchemaTables::choose`] and [`SchemaTables::of_event`] have read in this
    /// process: for tests of the cost of small traces.
    pub fn read_statements(&self) -> usize {
        self.on_demand.get().map_or(0, SchemasOnDemand::read_statements)
    }

    fn on_demand(&self) -> &SchemasOnDemand {
        self.on_demand.get_or_init(|| SchemasOnDemand::new(self.texts, self.source.into()))
    }

    /// Returns all of its schemas, which the first call reads: for tools that list them. A text that cannot be read
    /// counts as empty.
    pub fn set(&self) -> &SchemaSet {
        self.set.get_or_init(|| self.entries().flatten().collect())
    }

    /// Reads the schemas of each text, for printing.
    pub fn entries(&self) -> impl Iterator<Item = Vec<SchemaEntry>> + use<> {
        let origin = self.source.into();
        self.texts.iter().map(move |text| text::parse_with_origin(text, origin).unwrap_or_default())
    }
}

impl SchemaProvider for &'static SchemaTables {
    fn name(&self) -> &str {
        self.name
    }

    fn claims(&self) -> Claims {
        Claims::providers(self.claims)
    }

    fn schema(&self, event: &RawEvent<'_>, facts: &TraceFacts) -> Result<Option<Schema>> {
        Ok(SchemaTables::of_event(self, event, facts.os_build))
    }
}
