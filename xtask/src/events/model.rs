//! The events of a table: what all versions and forms of an event have together.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;

use etwkit::event::Kind;
use etwkit::schema::{DisplayFormat, Field, Map, Schema, SchemaEntry, SchemaSelector, text};

use super::types::Type;
use super::versions::Versions;
use super::{meaning, names};
use crate::Done;

/// A `.schema` file.
#[derive(Debug)]
pub(super) struct Table {
    /// The file's name without its ending.
    pub(super) stem: String,
    /// What it describes: the first sentence of its comment.
    pub(super) about: String,
    /// Its events, in the order of the file.
    pub(super) events: Vec<Event>,
    /// All maps that its fields use, by name.
    pub(super) maps: Vec<Map>,
}

/// All that the table states about the events of one name and one provider or class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Event {
    /// `Task/Opcode`.
    pub(super) name: String,
    /// Name of the provider.
    pub(super) provider: String,
    pub(super) ids: Vec<Id>,
    pub(super) versions: Versions,
    /// Windows builds, if the event is not of all.
    pub(super) builds: Option<RangeInclusive<u32>>,
    pub(super) fields: Vec<FieldFacts>,
}

/// What chooses an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Id {
    pub(super) select: SchemaSelector,
    /// The owner of its GUID: a class or a provider.
    pub(super) of: String,
    /// Whether other events have it too: for other versions or builds, or distinguished by their payload.
    pub(super) is_shared: bool,
    /// Whether the table itself has it, and not the parser that serves the table's other forms.
    pub(super) is_own: bool,
}

/// A field of any version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FieldFacts {
    /// Its name as Rust writes it.
    pub(super) accessor: String,
    /// Its spellings; one but where versions differ in upper and lower case.
    pub(super) names: Vec<String>,
    pub(super) versions: Versions,
    /// The different layouts of it.
    pub(super) layouts: Vec<Layout>,
}

/// How a field is stored and shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) rust: Type,
    /// Its type, as the text form writes it.
    pub(super) wire: String,
    /// What its values mean.
    pub(super) meaning: String,
    pub(super) is_hidden: bool,
    /// The members of a struct, members of members included.
    pub(super) members: Vec<Member>,
}

/// A member of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// Its name with those of the structs around it.
    pub(super) path: String,
    pub(super) wire: String,
    pub(super) meaning: String,
}

impl Table {
    /// Reads a table.
    pub(super) fn read(stem: &str, source: &str) -> Done<Self> {
        let mut table = Self { stem: stem.to_owned(), about: about(source), events: Vec::new(), maps: Vec::new() };
        for entry in text::parse(source).map_err(|error| format!("{stem}: {error}"))? {
            table.note_maps(&entry.schema);
            table.add(&entry);
        }
        Ok(table)
    }

    fn add(&mut self, entry: &SchemaEntry) {
        let names = entry.schema.names();
        let (name, provider) = (names.full().unwrap_or_default(), names.provider.as_deref().unwrap_or_default());
        let is_same = |event: &&mut Event| event.name == name && event.provider == provider;
        if let Some(event) = self.events.iter_mut().find(is_same) {
            event.add(entry);
            return;
        }
        let mut event = Event::new(&name, provider, &entry.builds);
        event.add(entry);
        self.events.push(event);
    }

    /// Events that `part` states the same of, with what it states.
    pub(super) fn grouped(&self, part: impl Fn(&Event) -> String) -> Vec<(Vec<&Event>, String)> {
        let mut groups: Vec<(Vec<&Event>, String)> = Vec::new();
        for event in &self.events {
            let said = part(event);
            match groups.iter_mut().find(|(_, known)| *known == said) {
                Some((events, _)) => events.push(event),
                None => groups.push((vec![event], said)),
            }
        }
        groups
    }

    fn note_maps(&mut self, schema: &Schema) {
        for map in schema.maps() {
            if !self.maps.contains(map) {
                self.maps.push(map.clone());
            }
        }
    }
}

/// Finds the ids of several events.
pub(super) fn mark_shared(tables: &mut [Table]) {
    let (mut seen, mut shared) = (BTreeSet::new(), BTreeSet::new());
    for id in tables.iter().flat_map(|table| &table.events).flat_map(|event| &event.ids) {
        if !seen.insert(id.select.clone()) {
            shared.insert(id.select.clone());
        }
    }
    for id in tables.iter_mut().flat_map(|table| &mut table.events).flat_map(|event| &mut event.ids) {
        id.is_shared = shared.contains(&id.select);
    }
}

impl Event {
    fn new(name: &str, provider: &str, builds: &RangeInclusive<u32>) -> Self {
        let (name, provider) = (name.to_owned(), provider.to_owned());
        let (ids, versions, fields) = <_>::default();
        Self { name, provider, ids, versions, builds: Some(builds.clone()), fields }
    }

    /// Adds a version or form of the event.
    fn add(&mut self, entry: &SchemaEntry) {
        let task = entry.schema.names().task.as_deref().unwrap_or(&self.name);
        let of = if entry.select.kind() == Kind::Classic { task } else { &self.provider }.to_owned();
        self.add_id(&entry.select, &of, true);
        self.versions.add(&entry.versions);
        self.builds = self.builds.take().filter(|builds| *builds == entry.builds && *builds != (0..=u32::MAX));
        let mut after = 0;
        for (place, field) in entry.schema.top_level() {
            let at = self.place_of(&names::snake(&field.name), after);
            if let Some(facts) = self.fields.get_mut(at) {
                facts.add(&field.name, &entry.versions, Layout::new(&entry.schema, place, field));
            }
            after = after.max(at + 1);
        }
    }

    /// Adds what chooses the event.
    pub(super) fn add_id(&mut self, select: &SchemaSelector, of: &str, is_own: bool) {
        if !self.ids.iter().any(|id| id.select == *select) {
            self.ids.push(Id { select: select.clone(), of: of.to_owned(), is_shared: false, is_own });
        }
    }

    /// What a reader wants to know first: `Process/Start`, its ids and its versions.
    pub(super) fn about(&self) -> String {
        let ids: Vec<String> = self.ids.iter().filter(|id| id.is_own).map(Id::to_string).collect();
        let builds = self.builds.as_ref().map_or_else(String::new, |builds| format!(", {}", self::builds(builds)));
        format!("`{}`: {}; {}{builds}", self.name, ids.join(", "), self.versions.sentence())
    }

    /// Returns the fields but for padding.
    pub(super) fn shown_fields(&self) -> impl Iterator<Item = &FieldFacts> {
        self.fields.iter().filter(|facts| !facts.is_hidden())
    }

    /// Returns the place of a field among those of all versions; one that is not there yet goes after the one before
    /// it.
    fn place_of(&mut self, accessor: &str, after: usize) -> usize {
        let known = self.fields.iter().position(|facts| facts.accessor == accessor);
        known.unwrap_or_else(|| {
            self.fields.insert(after, FieldFacts::new(accessor.to_owned()));
            after
        })
    }
}

impl FieldFacts {
    fn new(accessor: String) -> Self {
        Self { accessor, names: Vec::new(), versions: Versions::default(), layouts: Vec::new() }
    }

    fn add(&mut self, name: &str, versions: &RangeInclusive<u8>, layout: Layout) {
        self.versions.add(versions);
        if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
        }
        if !self.layouts.contains(&layout) {
            self.layouts.push(layout);
        }
    }

    /// Returns whether it is padding in all versions.
    pub(super) fn is_hidden(&self) -> bool {
        self.layouts.iter().all(|layout| layout.is_hidden)
    }

    /// Returns the type for the values of all versions.
    pub(super) fn rust(&self) -> Type {
        self.layouts.iter().map(|layout| layout.rust).reduce(Type::join).unwrap_or(Type::Field)
    }
}

impl Layout {
    fn new(schema: &Schema, place: usize, field: &Field) -> Self {
        let mut members = Vec::new();
        add_members(schema, place, &field.name, &mut members);
        Self {
            rust: Type::of(field),
            wire: meaning::wire(schema, field),
            meaning: meaning::of(schema, field),
            is_hidden: field.display == DisplayFormat::Hidden,
            members,
        }
    }
}

fn add_members(schema: &Schema, place: usize, path: &str, members: &mut Vec<Member>) {
    for (at, member) in schema.members(place) {
        let path = format!("{path}.{}", member.name);
        let (wire, meaning) = (meaning::wire(schema, member), meaning::of(schema, member));
        members.push(Member { path: path.clone(), wire, meaning });
        add_members(schema, at, &path, members);
    }
}

/// `opcode 1 of class 3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c`, `event 1 of Microsoft-Windows-DotNETRuntime`.
impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.select {
            SchemaSelector::Classic { class, opcode } => write!(f, "opcode {opcode} of class {class}"),
            SchemaSelector::Manifest { id, .. } => write!(f, "event {id} of {}", self.of),
            other => write!(f, "{}", other.kind().name()),
        }
    }
}

/// `Windows builds up to 6999`.
pub(super) fn builds(builds: &RangeInclusive<u32>) -> String {
    match (*builds.start(), *builds.end()) {
        (0, last) => format!("Windows builds up to {last}"),
        (first, u32::MAX) => format!("Windows builds from {first}"),
        (first, last) => format!("Windows builds {first} to {last}"),
    }
}

/// Returns the first sentence of a table.
fn about(source: &str) -> String {
    let comment = source.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
    let text = comment.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    text.split_once(". ").map_or_else(|| text.trim_end_matches('.').to_owned(), |(first, _)| first.to_owned())
}
