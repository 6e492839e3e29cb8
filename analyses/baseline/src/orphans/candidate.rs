//! Events that a line may have been made of.

use std::cell::Cell;
use std::collections::HashMap;

use etwkit::bytes::Guid;
use etwkit::schema::{Names, Schema, SchemaEntry, SchemaSelector, SchemaSource as Origin, standard_opcode, text};

use crate::view::{Column, Source, Views};

use super::encode;
use super::given::{self, Fields, Given};
use super::line::Line;
use super::told::{self, Told};

/// An event to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) place: Place,
    pub(super) version: u8,
    /// Opcode of a manifest's event; nothing but names depend on it.
    pub(super) opcode: u8,
    pub(super) pointer: usize,
    /// Process and thread of the header.
    pub(super) ids: (u32, u32),
    pub(super) payload: Vec<u8>,
    /// The schema that the trace has.
    pub(super) told: Option<Told>,
    /// What other events must have told before.
    pub(super) helps: Vec<Help>,
}

/// What an event is found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    Classic(Guid, u8),
    Manifest(Guid, u16),
    /// `EventWriteString`.
    Text(Guid),
}

/// What an event before tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Help {
    /// Thread, process.
    Thread(u32, u32),
    /// Process, name.
    Process(u32, String),
    /// Key, name.
    File(u64, String),
}

/// All that is built in, to look up schemas by name.
pub(super) struct Known {
    pub(super) views: Views,
    entries: HashMap<Place, Vec<SchemaEntry>>,
    /// Event sources whose manifests the traces have.
    sources: Vec<SchemaEntry>,
    /// The keywords in PerfView's own events are signed, as in newer versions of it.
    pub(super) signed: Cell<bool>,
    /// Places by the provider's name.
    providers: HashMap<String, Vec<Place>>,
}

/// What the events of a line have in common.
struct How<'a> {
    fields: &'a Fields,
    ids: &'a [(u32, u32)],
    helps: &'a [Help],
    opcode: u8,
    /// The trace has the schema.
    is_told: bool,
}

const MANIFEST: u16 = crate::names::MANIFEST_ID;
const NOBODY: (u32, u32) = (u32::MAX, u32::MAX);

impl Known {
    pub(super) fn new() -> Self {
        let sources = text::parse(include_str!("sources.schema")).unwrap();
        let own: Vec<Guid> = sources.iter().map(|entry| entry.select.guid()).collect();
        let built_in = etwkit_parsers::built_in().flatten().filter(|entry| !own.contains(&entry.select.guid()));
        let all: Vec<SchemaEntry> = sources.iter().cloned().chain(built_in).collect();
        let mut known = Self {
            views: Views::built_in(),
            entries: HashMap::new(),
            sources,
            signed: Cell::new(false),
            providers: HashMap::new(),
        };
        for entry in all {
            let place = match entry.select {
                SchemaSelector::Classic { class, opcode } => Place::Classic(class, opcode),
                SchemaSelector::Manifest { provider, id } => Place::Manifest(provider, id),
                _ => continue,
            };
            if let Some(name) = &entry.schema.names().provider {
                known.providers.entry(name.to_string()).or_default().push(place);
            }
            known.entries.entry(place).or_default().push(entry);
        }
        known
    }

    /// Columns of the views of this name, with their events.
    pub(super) fn seen_as(&self, name: &str) -> Vec<(Place, &[Column])> {
        let all = self.views.all().filter(|(.., view)| {
            name.strip_prefix(&*view.provider).and_then(|rest| rest.strip_prefix('/')) == Some(&*view.title)
        });
        all.map(|(classic, guid, number, view)| {
            let place = if classic { Place::Classic(guid, number as u8) } else { Place::Manifest(guid, number) };
            (place, self.views.columns(view))
        })
        .collect()
    }

    /// Every event that the line may be of, likelier ones first.
    pub(super) fn candidates(&self, line: &Line, now: i64) -> Vec<Candidate> {
        let mut found = Vec::new();
        let seen = self.seen_as(&line.name);
        let yields = |place: &Place| matches!(place, Place::Manifest(guid, _) if self.views.yields(*guid));
        let is_told = seen.iter().any(|(place, _)| yields(place));
        for (place, columns) in &seen {
            let names: Vec<&str> = columns.iter().map(|column| &*column.name).collect();
            let Some(values) = line.values(&names) else { continue };
            let fields = given::fields(&self.views, columns, &values, now);
            let helps = helps(columns, &values, &fields);
            let ids = header_ids(line, columns, &values);
            for fields in [&fields, &on_device(columns, fields.clone())] {
                let how = How { fields, ids: &ids, helps: &helps, opcode: 0, is_told: false };
                self.encoded(line, *place, &how, &mut found);
            }
        }
        if seen.is_empty() || is_told {
            self.unseen(line, &mut found);
        }
        found.dedup();
        found
    }

    fn encoded(&self, line: &Line, place: Place, how: &How<'_>, found: &mut Vec<Candidate>) {
        for entry in self.entries.get(&place).into_iter().flatten() {
            let mut fields = with_subject(line, &entry.schema, how.fields);
            let told = how.is_told.then(|| told::parts(&line.name)).flatten();
            let told = told.and_then(|names| told::told(&entry.schema, names, how.fields));
            if told.is_some() {
                for field in entry.schema.fields() {
                    if let Some(name) = told::named(field, how.fields) {
                        fields.insert(field.name.to_string(), Given::Bits(told::number_of(&name).into()));
                    }
                }
            }
            for (pointer, ids) in [8, 4].into_iter().flat_map(|pointer| how.ids.iter().map(move |ids| (pointer, *ids)))
            {
                // A manifest need not tell all of a payload.
                let short = || {
                    let shorter = line.len.checked_sub(4).filter(|_| entry.schema.origin().source == Origin::USER)?;
                    Some([encode::payload(&entry.schema, &fields, pointer, shorter)?, vec![0; 4]].concat())
                };
                let Some(payload) = encode::payload(&entry.schema, &fields, pointer, line.len).or_else(short) else {
                    continue;
                };
                if ids == NOBODY && !matches!(place, Place::Classic(..)) {
                    continue;
                }
                let (version, told, mut helps) = (*entry.versions.start(), told.clone(), how.helps.to_vec());
                if ids == NOBODY && line.tid > 0 && line.pid >= 0 {
                    helps.push(Help::Thread(line.tid.cast_unsigned(), line.pid.cast_unsigned()));
                }
                found.push(Candidate { place, version, opcode: how.opcode, pointer, ids, payload, told, helps });
            }
        }
    }

    /// Events without a view.
    fn unseen(&self, line: &Line, found: &mut Vec<Candidate>) {
        let Some((provider, event)) = line.name.split_once('/') else { return };
        let ids = [(line.pid.cast_unsigned(), line.tid.cast_unsigned())];
        let fields: Fields = line.pairs().iter().map(|(name, text)| (name.clone(), Given::text(text))).collect();
        let bare = |place| Candidate {
            place,
            version: 0,
            opcode: 0,
            pointer: 8,
            ids: ids[0],
            payload: vec![0; line.len],
            told: None,
            helps: Vec::new(),
        };
        if let Some((task, opcode)) = event.split_once("/Opcode(")
            && let (Some(class), Ok(opcode)) = (self.views.class(provider, task), opcode.trim_end_matches(')').parse())
        {
            found.push(bare(Place::Classic(class, opcode)));
        }
        let places = self.providers.get(provider).map_or(&[][..], Vec::as_slice);
        let guid =
            places.iter().find_map(|place| if let Place::Manifest(guid, _) = place { Some(*guid) } else { None });
        let unnamed = provider.strip_prefix("Provider(").and_then(|guid| guid.trim_end_matches(')').parse().ok());
        let Some(guid) = guid.or(unnamed) else { return };
        let id = event.strip_prefix("EventID(").and_then(|id| id.trim_end_matches(')').parse::<u16>().ok());
        match event {
            "ManifestData" => {
                let manifest = told::manifest(&self.sources, guid, provider);
                let manifest = if self.signed.get() { manifest.replace("UInt64", "Int64") } else { manifest };
                let payload = chunk(&fields, &manifest, line.len);
                found.push(Candidate { payload, ..bare(Place::Manifest(guid, MANIFEST)) });
            }
            "EventWriteString" => {
                let mut payload: Vec<u8> = match fields.get("message") {
                    Some(Given::Text(text, _)) => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                    _ => Vec::new(),
                };
                while payload.len() + 2 < line.len {
                    payload.extend([b'x', 0]);
                }
                payload.resize(line.len, 0);
                found.push(Candidate { payload, ..bare(Place::Text(guid)) });
            }
            _ if id.is_some_and(|id| id == MANIFEST) => found.push(bare(Place::Manifest(guid, MANIFEST))),
            _ => self.named(line, (guid, event), &fields, found),
        }
    }

    /// Events of a provider with a schema, by their names or ids.
    fn named(&self, line: &Line, (guid, event): (Guid, &str), fields: &Fields, found: &mut Vec<Candidate>) {
        let is_told = !self.sources.iter().any(|entry| entry.select.guid() == guid);
        let ids = [(line.pid.cast_unsigned(), line.tid.cast_unsigned())];
        let provider = line.name.split('/').next().unwrap_or_default();
        let places = self.providers.get(provider).map_or(&[][..], Vec::as_slice);
        let closeness = |place: &Place| match place {
            Place::Manifest(_, id) if event == format!("EventID({id})") => Some(0),
            Place::Manifest(..) => self.closeness(*place, event),
            _ => None,
        };
        let mut named: Vec<(u8, Place)> = places.iter().filter_map(|place| Some((closeness(place)?, *place))).collect();
        named.sort_by_key(|(distance, _)| *distance);
        named.dedup();
        let named = named.into_iter().take(8).map(|(_, place)| (place, place));
        // The layout of another event, for an id that nobody has: names in the trace need not be known here.
        let alike = |place: &&Place| is_told && self.has_fields(**place, &line.pairs());
        let nobodys = Place::Manifest(guid, told::id_of(&line.text_of_names()));
        let alike = places.iter().filter(alike).take(2).map(|place| (*place, nobodys));
        for (place, written_as) in named.chain(alike) {
            // With a schema in the trace the opcode's number has no name of its own.
            for opcode in opcodes_of(event).take(if is_told { 1 } else { usize::MAX }) {
                let how = How { fields, ids: &ids, helps: &[], opcode, is_told };
                let first = found.len();
                self.encoded(line, place, &how, found);
                found.iter_mut().skip(first).for_each(|candidate| candidate.place = written_as);
            }
        }
    }

    /// Whether an event has just the fields of a line, in its order.
    fn has_fields(&self, place: Place, pairs: &[(String, String)]) -> bool {
        let mut schemas = self.entries.get(&place).into_iter().flatten().map(|entry| &entry.schema);
        schemas.any(|schema| {
            let names = schema.top_level().map(|(_, field)| &*field.name);
            names.eq(pairs.iter().map(|(name, _)| name.as_str()))
        })
    }

    /// How well an event's name here fits a line's: 0 wholly, 1 but for the opcode.
    fn closeness(&self, place: Place, event: &str) -> Option<u8> {
        let names = self.entries.get(&place).into_iter().flatten().map(|entry| entry.schema.names());
        let distance = |names: &Names| {
            let task = names.task.as_deref().or(names.event.as_deref()).unwrap_or_default();
            let (line, opcode) = event.split_once('/').unwrap_or((event, ""));
            (line == task).then(|| u8::from(names.opcode.as_deref().unwrap_or_default() != opcode))
        };
        names.filter_map(distance).min()
    }
}

/// The numbers that the opcode at an event's name's end may have.
fn opcodes_of(event: &str) -> std::ops::RangeInclusive<u8> {
    let Some((_, opcode)) = event.split_once('/') else { return 0..=0 };
    (1..=9).find(|code| standard_opcode(*code) == Some(opcode)).map_or(10..=40, |code| code..=code)
}

/// The device that lines show as drive C.
pub(super) const DEVICE: &str = "\\Device\\HarddiskVolume2\\";

/// The same with paths as the kernel writes them.
fn on_device(columns: &[Column], mut fields: Fields) -> Fields {
    for column in columns {
        if let Source::Call(name, arguments) = &column.source
            && &**name == "path"
            && let Some(Given::Text(path, _)) = arguments.first().and_then(|field| fields.get_mut(&**field))
            && let Some(rest) = path.strip_prefix("C:\\")
        {
            *path = format!("{DEVICE}{rest}");
        }
    }
    fields
}

/// The payload also tells whose the event is, where no column shows it.
fn with_subject(line: &Line, schema: &Schema, fields: &Fields) -> Fields {
    let mut fields = given::spelled(schema, fields);
    let subject = schema.subject();
    for (place, id) in [(subject.process, line.pid), (subject.thread, line.tid)] {
        if let Some(field) = place.and_then(|place| schema.fields().get(usize::from(place))) {
            fields.entry(field.name.to_string()).or_insert(Given::Bits(id.cast_unsigned().into()));
        }
    }
    fields
}

impl Candidate {
    /// Whether the payload tells whose the event is, and other events which process a thread is of.
    pub(super) fn is_nobodys(&self) -> bool {
        self.ids == NOBODY
    }
}

/// Ids that the header may have had: none, where the payload tells; a thread's creator; the line's.
fn header_ids(line: &Line, columns: &[Column], values: &[String]) -> Vec<(u32, u32)> {
    let value = |call: &str| {
        let at =
            columns.iter().position(|column| matches!(&column.source, Source::Call(name, _) if &**name == call))?;
        values.get(at).and_then(|text| given::number(text)).map(|bits| bits as u32)
    };
    let mut ids = vec![NOBODY, (line.pid.cast_unsigned(), line.tid.cast_unsigned())];
    if let Some(thread) = value("parent_thread") {
        ids.push((value("parent_process").unwrap_or(u32::MAX), thread));
    }
    if let Some(process) = value("parent_process") {
        ids.push((process, line.tid.cast_unsigned()));
    }
    ids
}

/// What the columns of a line show of other events.
fn helps(columns: &[Column], values: &[String], fields: &Fields) -> Vec<Help> {
    let mut helps = Vec::new();
    let bits = |name: &str| match fields.get(name) {
        Some(Given::Bits(bits)) => Some(*bits),
        _ => None,
    };
    let mut process = None;
    for (column, value) in columns.iter().zip(values) {
        let Source::Call(name, arguments) = &column.source else { continue };
        let argument = arguments.first().and_then(|name| bits(name));
        match (&**name, argument) {
            ("process_of", Some(thread)) => {
                process = given::number(value).map(|pid| pid as u32).filter(|pid| pid.cast_signed() >= 0);
                helps.extend(process.filter(|_| thread != 0).map(|pid| Help::Thread(thread as u32, pid)));
            }
            ("process_name_of", Some(_)) => helps.extend(process.map(|pid| Help::Process(pid, value.clone()))),
            ("file", _) if !value.is_empty() => {
                let keys = arguments.iter().filter_map(|name| bits(name));
                let name = value.strip_suffix("...").map_or_else(|| value.clone(), |start| format!("{start}x"));
                helps.extend(keys.take(1).map(|key| Help::File(key, name.clone())));
            }
            _ => {}
        }
    }
    helps
}

/// A chunk of a manifest.
fn chunk(fields: &Fields, manifest: &str, len: usize) -> Vec<u8> {
    let value = |name: &str| match fields.get(name) {
        Some(Given::Text(text, _)) => given::number(text).unwrap_or(0) as u16,
        _ => 0,
    };
    let mut payload = Vec::new();
    payload.extend(["Format", "MajorVersion", "MinorVersion", "Magic"].map(|name| value(name) as u8));
    payload.extend(value("TotalChunks").to_le_bytes());
    payload.extend(value("ChunkNumber").to_le_bytes());
    payload.extend(manifest.bytes());
    assert!(payload.len() <= len, "the manifest in the trace has {len} bytes");
    payload.resize(len, b' ');
    payload
}
