//! A provider made of schema text, for crates whose parser is a table.

use std::sync::OnceLock;

use crate::bytes::Guid;
use crate::error::Result;
use crate::event::RawEvent;
use crate::schema::{Schema, SchemaEntry, SchemaSet, SchemaSource, text};

use super::{Claims, SchemaProvider, TraceFacts};

/// Schemas of some texts, meant to be a `static`: the texts are read when the first event of their providers comes,
/// once in a process.
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
        Self { name, source, claims, texts, set: OnceLock::new() }
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

    /// Returns all of its schemas, which are read by the first call. A built-in text that cannot be read is a defect,
    /// which a test of its crate finds; here it counts as empty.
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
        Ok(self.set().of_event(event, facts.os_build))
    }
}
