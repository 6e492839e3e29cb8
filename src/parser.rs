//! The common trait of all parsers, and their registry.

use std::fmt::Debug;

use crate::bytes::Guid;
use crate::error::Result;
use crate::event::{EventKey, Kind, RawEvent};
use crate::schema::{Schema, SchemaSource};
use crate::system::System;

/// A source of schemas: kernel tables, manifests, TraceLogging metadata, TMF files, or your own.
///
/// A parser is asked once a *key* (see [`EventKey`]), never once an event; what it returns is run by the engine.
pub trait Parser: Debug + Send + Sync {
    /// A short name for diagnostics, such as `kernel` or `tracelogging`.
    fn name(&self) -> &'static str;

    /// Which events it may have a schema for.
    fn claims(&self) -> Claims<'_>;

    /// Which events teach it something; they are handed to [`Parser::learn`].
    fn teachers(&self) -> Claims<'_> {
        Claims::Nothing
    }

    /// First pass: takes what an event teaches, a schema or a fact about the system. Called in time order, before the
    /// first [`Parser::schema`].
    fn learn(&mut self, _event: &RawEvent<'_>, _state: &mut System) -> Result<Learned> {
        Ok(Learned::Nothing)
    }

    /// Between the passes: the schema of an event, asked once a key. `None` leaves it to the parsers after this one.
    fn schema(&self, event: &RawEvent<'_>, trace: &TraceFacts) -> Result<Option<Schema>>;
}

/// Facts of the trace that help to choose among layouts.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TraceFacts {
    /// OS build of the logging machine, 0 if not known.
    pub os_build: u32,
}

/// Events a parser is interested in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claims<'a> {
    /// None.
    Nothing,
    /// Those of these providers, event classes or message GUIDs. Found faster if sorted (by [`Guid`]'s order, that of its
    /// bytes in the file).
    Providers(&'a [Guid]),
    /// Those that name their schema in this way.
    Kind(Kind),
    /// Classic events of these classes with these opcodes. Found faster if sorted.
    Classic(&'a [(Guid, u8)]),
    /// Manifest events of any provider with this id.
    EventId(u16),
    /// All.
    Fallback,
}

impl Claims<'_> {
    /// Whether an event with this key is among them.
    pub fn holds(&self, key: &EventKey) -> bool {
        match self {
            Self::Nothing => false,
            Self::Providers(guids) => is_in(guids, &key.provider),
            Self::Kind(kind) => key.kind == *kind,
            Self::Classic(list) => key.kind == Kind::Classic && is_in(list, &(key.provider, key.opcode)),
            Self::EventId(id) => key.kind == Kind::Manifest && key.id == *id,
            Self::Fallback => true,
        }
    }
}

impl Claims<'_> {
    /// Whether events of this provider or class are among them because of its GUID.
    pub(crate) fn names(&self, guid: &Guid) -> bool {
        match self {
            Self::Providers(guids) => is_in(guids, guid),
            Self::Classic(list) => list.iter().any(|(class, _)| class == guid),
            _ => false,
        }
    }
}

/// Nothing claimed is missed because a parser sorted it otherwise, by the text of GUIDs for example.
fn is_in<T: Ord>(list: &[T], wanted: &T) -> bool {
    list.binary_search(wanted).is_ok() || !list.is_sorted() && list.contains(wanted)
}

/// What [`Parser::learn`] took from an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Learned {
    /// Nothing.
    Nothing,
    /// A schema, or part of one.
    Schema,
    /// A fact about the system.
    Fact,
}

/// The parsers in force, in the order in which they are asked.
#[derive(Debug, Default)]
pub struct Parsers {
    list: Vec<Box<dyn Parser>>,
}

impl Parsers {
    /// None: every event is delivered undecoded.
    pub fn none() -> Self {
        Self::default()
    }

    /// Adds a parser, asked after those that are there.
    #[must_use]
    pub fn with(mut self, parser: impl Parser + 'static) -> Self {
        self.list.push(Box::new(parser));
        self
    }

    /// Adds a parser that is asked before those that are there, for schemas of the user's own.
    #[must_use]
    pub fn with_first(mut self, parser: impl Parser + 'static) -> Self {
        self.list.insert(0, Box::new(parser));
        self
    }

    /// The parsers.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Parser> {
        self.list.iter().map(AsRef::as_ref)
    }

    /// Whether any parser wants to learn from events with this key.
    pub(crate) fn has_teacher(&self, key: &EventKey) -> bool {
        self.list.iter().any(|parser| parser.teachers().holds(key))
    }

    /// Hands an event to all parsers that want to learn from it.
    pub(crate) fn learn(&mut self, event: &RawEvent<'_>, key: &EventKey, state: &mut System) -> Result<()> {
        for parser in &mut self.list {
            if parser.teachers().holds(key) {
                parser.learn(event, state)?;
            }
        }
        Ok(())
    }

    /// Whether any parser claims events of this key's provider, class or message GUID by that GUID.
    pub(crate) fn knows_provider(&self, key: &EventKey) -> bool {
        self.list.iter().any(|parser| parser.claims().names(&key.provider))
    }

    /// The first schema that a parser has for the event. One for a lower version stands in only when no parser knows the
    /// event's own version.
    pub(crate) fn schema(&self, event: &RawEvent<'_>, facts: &TraceFacts) -> Result<Option<Schema>> {
        let key = event.key();
        let (mut stand_in, mut failed) = (None, None);
        for parser in self.list.iter().filter(|parser| parser.claims().holds(&key)) {
            match parser.schema(event, facts) {
                Ok(Some(schema)) if !schema.origin().guessed_version => {
                    return Ok(Some(self.reported(schema, event, facts)));
                }
                Ok(found) => stand_in = stand_in.or(found),
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        // What one parser cannot read does not take the place of what another has.
        match (stand_in, failed) {
            (None, Some(error)) => Err(error),
            (stand_in, _) => Ok(stand_in),
        }
    }

    /// A table of ours with what another source says of the event in Windows' words: the trace, the user or the bundled
    /// facts. Messages and elements name fields by number, so that the two must have as many. A table that names keywords
    /// has Windows' words itself: it is there to correct the other sources.
    fn reported(&self, schema: Schema, event: &RawEvent<'_>, facts: &TraceFacts) -> Schema {
        let is_ours = schema.origin().source == SchemaSource::BuiltIn && schema.names().keywords.is_empty();
        if event.kind() != Kind::Manifest || !is_ours {
            return schema;
        }
        let key = event.key();
        let fits = |other: &Schema| {
            let origin = other.origin();
            let is_told = origin.source != SchemaSource::BuiltIn && !origin.guessed_version;
            is_told && other.top_level().count() == schema.top_level().count()
        };
        let claiming = self.list.iter().filter(|parser| parser.claims().holds(&key));
        let mut others = claiming.filter_map(|parser| parser.schema(event, facts).ok()?);
        match others.find(fits) {
            Some(other) => schema.reported_as(other),
            None => schema,
        }
    }
}
