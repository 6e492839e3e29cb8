//! A parser made of schema text: built-in tables, and what users write.

use std::sync::OnceLock;

use crate::bytes::Guid;
use crate::error::Result;
use crate::event::{Kind, RawEvent};
use crate::parser::{Claims, Parser, TraceFacts};
use crate::schema::{Schema, SchemaSet, SchemaSource, text};

/// Serves the schemas of some texts. They are read when the first event of their providers comes.
#[derive(Debug)]
pub struct SchemaTables {
    name: &'static str,
    claims: &'static [Guid],
    texts: &'static [&'static str],
    set: OnceLock<SchemaSet>,
}

impl SchemaTables {
    /// Built-in tables: `claims` are the providers, classes and message GUIDs of the texts, sorted.
    pub const fn built_in(name: &'static str, claims: &'static [Guid], texts: &'static [&'static str]) -> Self {
        Self { name, claims, texts, set: OnceLock::new() }
    }

    /// All of its schemas. A built-in text that cannot be read is a defect, which a test of its crate finds; here it
    /// counts as empty.
    pub fn set(&self) -> &SchemaSet {
        let read = |text: &&str| text::parse_with_origin(text, SchemaSource::BuiltIn.into()).unwrap_or_default();
        self.set.get_or_init(|| self.texts.iter().flat_map(read).collect())
    }

    /// The texts, for tests and for printing.
    pub const fn texts(&self) -> &'static [&'static str] {
        self.texts
    }
}

impl Parser for SchemaTables {
    fn name(&self) -> &'static str {
        self.name
    }

    fn claims(&self) -> Claims<'_> {
        Claims::Providers(self.claims)
    }

    fn schema(&self, event: &RawEvent<'_>, facts: &TraceFacts) -> Result<Option<Schema>> {
        Ok(choose(self.set(), event, facts))
    }
}

/// Schemas of texts that a user gave.
#[derive(Debug)]
pub struct UserTables {
    set: SchemaSet,
}

impl UserTables {
    /// Reads a text.
    pub fn parse(text: &str) -> Result<Self> {
        Ok(Self { set: text::parse(text)?.into_iter().collect() })
    }

    /// All of its schemas.
    pub const fn set(&self) -> &SchemaSet {
        &self.set
    }
}

impl Parser for UserTables {
    fn name(&self) -> &'static str {
        "user"
    }

    fn claims(&self) -> Claims<'_> {
        Claims::Providers(self.set.providers())
    }

    fn schema(&self, event: &RawEvent<'_>, facts: &TraceFacts) -> Result<Option<Schema>> {
        Ok(choose(&self.set, event, facts))
    }
}

fn choose(set: &SchemaSet, event: &RawEvent<'_>, facts: &TraceFacts) -> Option<Schema> {
    let key = event.key();
    // A table may describe a TraceLogging event by name; the event's own metadata is asked first.
    let name = match key.kind {
        Kind::TraceLogging => event.metadata().and_then(metadata_name),
        _ => None,
    };
    set.choose(&key, name.as_deref(), facts.os_build)
}

/// The event's name in TraceLogging metadata: after the size and one to four tag bytes.
fn metadata_name(metadata: &[u8]) -> Option<String> {
    let body = metadata.get(2..)?;
    let tags = body.iter().position(|b| b & 0x80 == 0)? + 1;
    let name = body.get(tags..)?.split(|&b| b == 0).next()?;
    Some(String::from_utf8_lossy(name).into_owned())
}
