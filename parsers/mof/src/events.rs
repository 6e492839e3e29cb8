//! Classes with `EventType`, by what events carry, and their schemas.

use std::collections::{BTreeMap, HashMap, HashSet};

use etwkit::bytes::Guid;
use etwkit::error::{Error, Result};
use etwkit::limits::MAX_FIELDS;
use etwkit::schema::{Names, Origin, Schema, SchemaSource, tdh};

use crate::ast::{Property, Qualifiers, Value};
use crate::limits;
use crate::maps;
use crate::property::{self, Unknown};
use crate::repository::{Known, Repository};

/// Classes of one event that are tried.
const MAX_CLASSES: usize = 8;

/// An event type of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct EventType {
    /// Index of the class.
    class: u32,
    /// Place in the class' list of types.
    place: u8,
    /// `EventVersion`; without one it is for every version that no other class is for.
    version: Option<u8>,
}

/// Event types by class GUID and opcode.
#[derive(Debug, Default)]
pub(crate) struct Events {
    types: BTreeMap<(Guid, u8), Vec<EventType>>,
    guids: Vec<Guid>,
}

impl Events {
    /// Those of all classes. What cannot be used is noted in the repository.
    pub(crate) fn of(repository: &mut Repository) -> Result<Self> {
        let mut events = Self::default();
        let mut notes = Vec::new();
        let mut count = 0;
        for (class, known) in repository.classes().iter().enumerate() {
            let Some(types) = known.class.qualifiers.list("EventType") else { continue };
            match head(repository, class) {
                Ok((guid, version)) => count += events.add(class, guid, version, types),
                Err(detail) => notes.push((known.file, known.place, detail)),
            }
            if count > limits::MAX_EVENTS {
                return Err(Error::limit("event types of MOF classes", limits::MAX_EVENTS));
            }
            notes.extend(misgivings(known, types));
        }
        for (file, place, detail) in notes {
            repository.note(file, place, detail);
        }
        events.guids = events.types.keys().map(|(guid, _)| *guid).collect();
        events.guids.dedup();
        Ok(events)
    }

    fn add(&mut self, class: usize, guid: Guid, version: Option<u8>, types: &[Value]) -> usize {
        let mut seen = HashSet::new();
        for (place, opcode) in types.iter().enumerate() {
            let Some(opcode) = as_opcode(opcode).filter(|opcode| seen.insert(*opcode)) else { continue };
            let place = u8::try_from(place).unwrap_or(u8::MAX);
            let class = u32::try_from(class).unwrap_or(u32::MAX);
            self.types.entry((guid, opcode)).or_default().push(EventType { class, place, version });
        }
        seen.len()
    }

    /// Returns all class GUIDs, sorted.
    pub(crate) fn guids(&self) -> &[Guid] {
        &self.guids
    }

    /// GUID and opcode of all events, with the versions there are; `None` means any version.
    pub(crate) fn keys(&self) -> impl Iterator<Item = (Guid, u8, Option<u8>)> {
        self.types.iter().flat_map(|((guid, opcode), types)| types.iter().map(|each| (*guid, *opcode, each.version)))
    }

    /// Returns the schema of an event: of its version, else of a class without version, else of the highest lower
    /// version. Classes of the same rank are alternatives.
    pub(crate) fn schema(
        &self,
        repository: &Repository,
        guid: Guid,
        opcode: u8,
        version: u8,
    ) -> Result<Option<Schema>> {
        let Some(types) = self.types.get(&(guid, opcode)) else { return Ok(None) };
        let lower = types.iter().filter_map(|each| each.version).filter(|lower| *lower < version).max();
        let ranks = [Some(Some(version)), Some(None), lower.map(Some)];
        let Some(chosen) = ranks.into_iter().flatten().find(|rank| types.iter().any(|each| each.version == *rank))
        else {
            return Ok(None);
        };
        let guessed_version = chosen.is_some_and(|chosen| chosen != version);
        let origin = Origin::from(SchemaSource::USER).guessed_version(guessed_version);
        let of_rank = types.iter().filter(|each| each.version == chosen).take(MAX_CLASSES);
        Schema::first_of(of_rank.map(|each| compile(repository, *each, guid, opcode, origin)))
    }
}

/// Returns the GUID and the version of a class' events: its own or those of its nearest base.
fn head(repository: &Repository, class: usize) -> Result<(Guid, Option<u8>), String> {
    let chain = repository.chain(class).map_err(|error| error.to_string())?;
    let nearest = |name: &str| chain.iter().find_map(|known| known.class.qualifiers.get(name));
    let Some(text) = nearest("Guid") else { return Err("neither the class nor a base of it has a GUID".into()) };
    let guid = text.text().and_then(|text| text.trim().parse().ok());
    let Some(guid) = guid else { return Err("the class has an invalid GUID".into()) };
    let Some(version) = nearest("EventVersion") else { return Ok((guid, None)) };
    match version.number().and_then(|number| u8::try_from(number).ok()) {
        Some(version) => Ok((guid, Some(version))),
        None => Err("EventVersion is not a number from 0 to 255".into()),
    }
}

type Noted = (usize, crate::text::Place, String);

/// Returns the parts of a class that are not used: invalid event types, properties without a place or a known layout.
fn misgivings(known: &Known, types: &[Value]) -> Vec<Noted> {
    let mut notes = Vec::new();
    if types.iter().any(|value| as_opcode(value).is_none()) {
        notes.push((
            known.file,
            known.place,
            "an EventType is not a number from 0 to 255, so it is not used".to_owned(),
        ));
    }
    let mut ids = HashSet::new();
    let any: HashMap<String, u16> =
        known.class.properties.iter().map(|property| (property.name.to_lowercase(), 0)).collect();
    for (property, place) in known.class.properties.iter().zip(&known.places) {
        let name = &property.name;
        let mut note = |detail: String| notes.push((known.file, *place, detail));
        match property.qualifiers.number("WmiDataId") {
            None => note(format!("`{name}` has no WmiDataId: it is not a field of the payload")),
            Some(id) if !ids.insert(id) => note(format!("`{name}` has the WmiDataId of another: it comes after it")),
            Some(_) => {}
        }
        // Sizes by a property of a base are judged when a schema is made.
        let has_size = property.qualifiers.get("WmiSizeIs").is_some();
        match property::property(property, &any) {
            Err(unknown) if !has_size => note(format!("`{name}` {unknown}: fields end before it")),
            _ => {}
        }
        if let Err(error) = maps::map(name, &property.qualifiers) {
            note(format!("the values of `{name}` have no names: {error}"));
        }
    }
    notes
}

fn as_opcode(value: &Value) -> Option<u8> {
    value.number().and_then(|number| u8::try_from(number).ok())
}

/// Returns the schema of one type of a class.
fn compile(repository: &Repository, from: EventType, guid: Guid, opcode: u8, origin: Origin) -> Result<Schema> {
    let chain = repository.chain(from.class as usize)?;
    let names = names(repository, &chain, from, guid, opcode);
    let properties = properties(&fields(&chain)?);
    let mut builder = Schema::builder(origin).names(names);
    tdh::compile(&properties, properties.len(), &mut builder)?;
    builder.build()
}

/// Returns the properties that are fields, in the order of their ids. One of a derived class takes the place of the one
/// of that name in its base.
fn fields<'c>(chain: &[&'c Known]) -> Result<Vec<&'c Property>> {
    let mut seen = HashSet::new();
    let mut fields = Vec::new();
    for (depth, known) in chain.iter().enumerate() {
        for (place, property) in known.class.properties.iter().enumerate() {
            let is_first = seen.insert(property.name.to_lowercase());
            if let Some(id) = property.qualifiers.number("WmiDataId").filter(|_| is_first) {
                fields.push(((id, std::cmp::Reverse(depth), place), property));
            }
        }
        if fields.len() > MAX_FIELDS {
            return Err(Error::limit("fields of a schema", MAX_FIELDS));
        }
    }
    fields.sort_by_key(|(order, _)| *order);
    Ok(fields.into_iter().map(|(_, property)| property).collect())
}

/// Returns the fields as TDH describes them, up to the first whose layout is not known: what follows it stays
/// undecoded.
fn properties(fields: &[&Property]) -> Vec<tdh::Property> {
    let mut places = HashMap::new();
    let mut properties = Vec::new();
    for (place, field) in (0_u16..).zip(fields) {
        let known: Result<tdh::Property, Unknown> = property::property(field, &places);
        let Ok(mut known) = known else { break };
        // A map that cannot be read was noted; the numbers are right without it.
        known.map = maps::map(&field.name, &field.qualifiers).ok().flatten().map(std::sync::Arc::new);
        places.insert(field.name.to_lowercase(), place);
        properties.push(known);
    }
    properties
}

fn names(repository: &Repository, chain: &[&Known], from: EventType, guid: Guid, opcode: u8) -> Names {
    let own = chain.first();
    let has_guid = |known: &&&Known| known.class.qualifiers.get("Guid").is_some();
    let task = chain.iter().find(has_guid);
    let provider = chain.last().filter(|known| known.class.qualifiers.get("Guid").is_some());
    let provider_guid = provider.and_then(|known| known.class.qualifiers.text("Guid")?.trim().parse().ok());
    let opcodes = own.and_then(|known| known.class.qualifiers.list("EventTypeName"));
    let opcode_name = opcodes.and_then(|names| names.get(usize::from(from.place))).and_then(Value::text);
    let file = own.map_or("", |known| repository.file(known.file));
    let mut names = Names::default();
    names.provider = provider.map(|known| known.class.name.clone());
    names.provider_guid = provider_guid.filter(|provider| *provider != guid);
    names.task = task.map(|known| display(&known.class.qualifiers).unwrap_or(&known.class.name).into());
    names.opcode = opcode_name.filter(|name| opcode != 0 || *name != "Info").map(Into::into);
    names.event = own.map(|known| known.class.name.clone());
    names.details = [("MofFile".into(), file.into())].into();
    names
}

fn display(qualifiers: &Qualifiers) -> Option<&str> {
    qualifiers.text("DisplayName").map(str::trim).filter(|name| !name.is_empty())
}
