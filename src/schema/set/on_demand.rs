//! Schemas of texts that are read an event at a time.

use std::ops::RangeInclusive;
use std::sync::OnceLock;

use crate::bytes::Guid;
use crate::event::{EventKey, RawEvent};
use crate::schema::text::{Outline, Section, guids};
use crate::schema::{Origin, Schema, SchemaEntry, SchemaSelector};

use super::choice::{self, wanted};
use super::stored::{Sorting, Stored, place};

/// The schemas of built-in texts, found like those of a [`SchemaSet`](super::SchemaSet). A text is searched for its
/// statements when an event of its providers comes, and a statement is read when an event asks for it, both once. What
/// is wrong is not there.
#[derive(Debug)]
pub(crate) struct SchemasOnDemand {
    texts: Box<[Text]>,
    origin: Origin,
}

#[derive(Debug)]
struct Text {
    source: &'static str,
    /// The GUIDs that it mentions.
    guids: Box<[Guid]>,
    /// Its statements, searched for when an event with one of the GUIDs comes.
    outlined: OnceLock<Option<Outlined>>,
}

#[derive(Debug)]
struct Outlined {
    outline: Outline<'static>,
    /// Of each section of the outline, what has been read of it.
    sections: Box<[Read]>,
}

#[derive(Debug)]
struct Read {
    /// Of each `event` statement, its entries.
    events: Box<[OnceLock<Box<[Stored]>>]>,
    /// The selectors of the statements, sorted; those of the same events keep the order of the text.
    selectors: OnceLock<Box<[Selected]>>,
}

/// An event of a statement.
#[derive(Debug, PartialEq)]
struct Selected {
    select: SchemaSelector,
    /// The place of the statement.
    at: usize,
    /// The versions that the statement can be for.
    versions: RangeInclusive<u8>,
}

/// The events whose schemas are looked for.
#[derive(Clone, Copy)]
struct Wanted<'s> {
    place: Sorting<'s>,
    /// The first and the last version.
    versions: (u8, u8),
}

impl SchemasOnDemand {
    /// Searches the texts.
    pub(crate) fn new(texts: &[&'static str], origin: Origin) -> Self {
        Self { texts: texts.iter().map(|text| Text::new(text)).collect(), origin }
    }

    /// Returns the schema for an event, as [`SchemaSet::choose`](super::SchemaSet::choose) does.
    pub(crate) fn choose(&self, key: &EventKey, name: Option<&str>, build: u32) -> Option<Schema> {
        let place = wanted(key, name)?;
        let of = |versions| -> Vec<&Stored> {
            self.texts.iter().flat_map(|text| text.entries(Wanted { place, versions }, self.origin)).collect()
        };
        // Entries of lower versions only matter where none has this one, and those of higher ones never do.
        let mut entries = of((key.version, key.version));
        if !entries.iter().any(|stored| stored.holds_version(key.version)) {
            entries = of((0, key.version));
        }
        choice::chain(choice::best(&entries, key.version, build))
    }

    /// Returns the schema for an event of a trace, as [`SchemaSet::of_event`](super::SchemaSet::of_event) does.
    pub(crate) fn of_event(&self, event: &RawEvent<'_>, build: u32) -> Option<Schema> {
        self.choose(&event.key(), choice::name(event).as_deref(), build)
    }

    /// Returns how many `event` statements have been read.
    pub(crate) fn read_statements(&self) -> usize {
        let outlined = self.texts.iter().filter_map(|text| text.outlined.get()?.as_ref());
        let events = outlined.flat_map(|outlined| &outlined.sections).flat_map(|section| &section.events);
        events.filter(|event| event.get().is_some()).count()
    }
}

impl Text {
    fn new(text: &'static str) -> Self {
        Self { source: text, guids: guids(text).collect(), outlined: OnceLock::new() }
    }

    /// Returns the entries for these events of statements that may be for their versions, in the order of the text.
    fn entries<'s>(&'s self, wanted: Wanted<'s>, origin: Origin) -> impl Iterator<Item = &'s Stored> {
        let outlined = || self.outlined.get_or_init(|| Outlined::new(self.source)).as_ref();
        let outlined = if self.guids.contains(&wanted.place.1) { outlined() } else { None };
        outlined.into_iter().flat_map(move |outlined| outlined.entries(wanted, origin))
    }
}

impl Outlined {
    fn new(text: &'static str) -> Option<Self> {
        let outline = Outline::new(text)?;
        let sections = outline.sections().map(Read::new).collect();
        Some(Self { outline, sections })
    }

    /// Returns the entries for these events of statements that may be for their versions, in the order of the text.
    fn entries<'s>(&'s self, wanted: Wanted<'s>, origin: Origin) -> impl Iterator<Item = &'s Stored> {
        let sections =
            self.outline.sections().zip(&self.sections).filter(move |(section, _)| section.has(wanted.place.1));
        let statements = sections.flat_map(move |(section, read)| {
            read.statements(section, wanted).map(move |at| read.event(at, || self.outline.event(section, at, origin)))
        });
        statements.flatten().filter(move |stored| stored.place() == wanted.place)
    }
}

impl Read {
    fn new(section: &Section<'_>) -> Self {
        Self { events: (0..section.len()).map(|_| OnceLock::new()).collect(), selectors: OnceLock::new() }
    }

    /// Returns the places of the statements for these events that may be for their versions.
    fn statements<'s>(&'s self, section: &Section<'_>, wanted: Wanted<'s>) -> impl Iterator<Item = usize> + use<'s> {
        let selectors = self.selectors.get_or_init(|| selectors(section));
        let start = selectors.partition_point(|selected| place(&selected.select) < wanted.place);
        let rest = selectors.get(start..).unwrap_or_default();
        let of_events = rest.iter().take_while(move |selected| place(&selected.select) == wanted.place);
        let (first, last) = wanted.versions;
        of_events
            .filter(move |selected| *selected.versions.start() <= last && *selected.versions.end() >= first)
            .map(|selected| selected.at)
    }

    /// Returns the entries of a statement.
    fn event(&self, at: usize, read: impl FnOnce() -> Vec<SchemaEntry>) -> &[Stored] {
        let Some(event) = self.events.get(at) else { return &[] };
        event.get_or_init(|| read().into_iter().map(Stored::from).collect())
    }
}

fn selectors(section: &Section<'_>) -> Box<[Selected]> {
    let mut selectors: Vec<Selected> =
        section.selectors().map(|(at, select, versions)| Selected { select, at, versions }).collect();
    selectors.sort_unstable_by(|a, b| (place(&a.select), a.at).cmp(&(place(&b.select), b.at)));
    // A statement may list a number twice, and then has two entries for it.
    selectors.dedup();
    selectors.into()
}
