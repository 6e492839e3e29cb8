//! Events that a line may have been made of.

use std::cell::Cell;
use std::collections::HashMap;

use etwkit::bytes::Guid;
use etwkit::schema::{Names, Schema, SchemaEntry, SchemaSelector, SchemaSource as Origin, standard_opcode, text};

use crate::encode;
use crate::field_values::{self, FieldValue, Fields};
use crate::in_trace_schema::{self, InTraceSchema};
use crate::line::Line;
use crate::view::{Column, ColumnSource, Views};
use crate::view_lookup;

/// An event to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) place: EventId,
    pub(super) version: u8,
    /// Opcode of a manifest's event; nothing but names depend on it.
    pub(super) opcode: u8,
    pub(super) pointer: usize,
    /// Process and thread of the header.
    pub(super) ids: (u32, u32),
    pub(super) payload: Vec<u8>,
    /// The schema that the trace has.
    pub(super) in_trace_schema: Option<InTraceSchema>,
    /// What events before it must say.
    pub(super) earlier: Vec<EarlierEvent>,
}

/// What an event is found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum EventId {
    Classic(Guid, u8),
    Manifest(Guid, u16),
    /// `EventWriteString`.
    Text(Guid),
}

/// What an event before says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EarlierEvent {
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
    entries: HashMap<EventId, Vec<SchemaEntry>>,
    /// Event sources whose manifests the traces have.
    sources: Vec<SchemaEntry>,
    /// The keywords in PerfView's own events are signed, as in newer versions of it.
    pub(super) signed: Cell<bool>,
    /// Places by the provider's name.
    providers: HashMap<String, Vec<EventId>>,
}

/// What the events of a line have in common.
struct LineFacts<'a> {
    fields: &'a Fields,
    ids: &'a [(u32, u32)],
    earlier: &'a [EarlierEvent],
    opcode: u8,
    /// The trace has the schema.
    is_in_trace: bool,
}

/// The id of the events that carry a manifest.
const MANIFEST: u16 = 65534;
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
                SchemaSelector::Classic { class, opcode } => EventId::Classic(class, opcode),
                SchemaSelector::Manifest { provider, id } => EventId::Manifest(provider, id),
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
    pub(super) fn seen_as(&self, name: &str) -> Vec<(EventId, &[Column])> {
        let all = view_lookup::all(&self.views).filter(|(.., view)| {
            name.strip_prefix(&*view.provider).and_then(|rest| rest.strip_prefix('/')) == Some(&*view.title)
        });
        all.map(|(classic, guid, number, view)| {
            let place = if classic { EventId::Classic(guid, number as u8) } else { EventId::Manifest(guid, number) };
            (place, self.views.columns(view))
        })
        .collect()
    }

    /// Every event that the line may be of, likelier ones first.
    pub(super) fn candidates(&self, line: &Line, now: i64) -> Vec<Candidate> {
        let mut found = Vec::new();
        let seen = self.seen_as(&line.name);
        let yields =
            |place: &EventId| matches!(place, EventId::Manifest(guid, _) if view_lookup::yields(&self.views, *guid));
        let is_in_trace = seen.iter().any(|(place, _)| yields(place));
        for (place, columns) in &seen {
            let names: Vec<&str> = columns.iter().map(|column| &*column.name).collect();
            let Some(values) = line.values(&names) else { continue };
            let fields = field_values::fields(&self.views, columns, &values, now);
            let earlier = earlier(columns, &values, &fields);
            let ids = header_ids(line, columns, &values);
            for fields in [&fields, &on_device(columns, fields.clone())] {
                let facts = LineFacts { fields, ids: &ids, earlier: &earlier, opcode: 0, is_in_trace: false };
                self.encoded(line, *place, &facts, &mut found);
            }
        }
        if seen.is_empty() || is_in_trace {
            self.unseen(line, &mut found);
        }
        found.dedup();
        found
    }

    fn encoded(&self, line: &Line, place: EventId, facts: &LineFacts<'_>, found: &mut Vec<Candidate>) {
        for entry in self.entries.get(&place).into_iter().flatten() {
            let mut fields = with_subject(line, &entry.schema, facts.fields);
            let in_trace_schema = facts.is_in_trace.then(|| in_trace_schema::parts(&line.name)).flatten();
            let in_trace_schema =
                in_trace_schema.and_then(|names| in_trace_schema::of_schema(&entry.schema, names, facts.fields));
            if in_trace_schema.is_some() {
                for field in entry.schema.fields() {
                    if let Some(name) = in_trace_schema::named(field, facts.fields) {
                        fields
                            .insert(field.name.to_string(), FieldValue::Bits(in_trace_schema::number_of(&name).into()));
                    }
                }
            }
            for (pointer, ids) in
                [8, 4].into_iter().flat_map(|pointer| facts.ids.iter().map(move |ids| (pointer, *ids)))
            {
                // A manifest need not tell all of a payload.
                let short = || {
                    let shorter = line.len.checked_sub(4).filter(|_| entry.schema.origin().source == Origin::USER)?;
                    Some([encode::payload(&entry.schema, &fields, pointer, shorter)?, vec![0; 4]].concat())
                };
                let Some(payload) = encode::payload(&entry.schema, &fields, pointer, line.len).or_else(short) else {
                    continue;
                };
                if ids == NOBODY && !matches!(place, EventId::Classic(..)) {
                    continue;
                }
                let (version, in_trace_schema, mut earlier) =
                    (*entry.versions.start(), in_trace_schema.clone(), facts.earlier.to_vec());
                if ids == NOBODY && line.tid > 0 && line.pid >= 0 {
                    earlier.push(EarlierEvent::Thread(line.tid.cast_unsigned(), line.pid.cast_unsigned()));
                }
                found.push(Candidate {
                    place,
                    version,
                    opcode: facts.opcode,
                    pointer,
                    ids,
                    payload,
                    in_trace_schema,
                    earlier,
                });
            }
        }
    }

    /// Events without a view.
    fn unseen(&self, line: &Line, found: &mut Vec<Candidate>) {
        let Some((provider, event)) = line.name.split_once('/') else { return };
        let ids = [(line.pid.cast_unsigned(), line.tid.cast_unsigned())];
        let fields: Fields = line.pairs().iter().map(|(name, text)| (name.clone(), FieldValue::text(text))).collect();
        let bare = |place| Candidate {
            place,
            version: 0,
            opcode: 0,
            pointer: 8,
            ids: ids[0],
            payload: vec![0; line.len],
            in_trace_schema: None,
            earlier: Vec::new(),
        };
        if let Some((task, opcode)) = event.split_once("/Opcode(")
            && let (Some(class), Ok(opcode)) =
                (view_lookup::class(&self.views, provider, task), opcode.trim_end_matches(')').parse())
        {
            found.push(bare(EventId::Classic(class, opcode)));
        }
        let places = self.providers.get(provider).map_or(&[][..], Vec::as_slice);
        let guid =
            places.iter().find_map(|place| if let EventId::Manifest(guid, _) = place { Some(*guid) } else { None });
        let unnamed = provider.strip_prefix("Provider(").and_then(|guid| guid.trim_end_matches(')').parse().ok());
        let Some(guid) = guid.or(unnamed) else { return };
        let id = event.strip_prefix("EventID(").and_then(|id| id.trim_end_matches(')').parse::<u16>().ok());
        match event {
            "ManifestData" => {
                let manifest = in_trace_schema::manifest(&self.sources, guid, provider);
                let manifest = if self.signed.get() { manifest.replace("UInt64", "Int64") } else { manifest };
                let payload = chunk(&fields, &manifest, line.len);
                found.push(Candidate { payload, ..bare(EventId::Manifest(guid, MANIFEST)) });
            }
            "EventWriteString" => {
                let mut payload: Vec<u8> = match fields.get("message") {
                    Some(FieldValue::Text(text, _)) => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                    _ => Vec::new(),
                };
                while payload.len() + 2 < line.len {
                    payload.extend([b'x', 0]);
                }
                payload.resize(line.len, 0);
                found.push(Candidate { payload, ..bare(EventId::Text(guid)) });
            }
            _ if id.is_some_and(|id| id == MANIFEST) => found.push(bare(EventId::Manifest(guid, MANIFEST))),
            _ => self.named(line, (guid, event), &fields, found),
        }
    }

    /// Events of a provider with a schema, by their names or ids.
    fn named(&self, line: &Line, (guid, event): (Guid, &str), fields: &Fields, found: &mut Vec<Candidate>) {
        let is_in_trace = !self.sources.iter().any(|entry| entry.select.guid() == guid);
        let ids = [(line.pid.cast_unsigned(), line.tid.cast_unsigned())];
        let provider = line.name.split('/').next().unwrap_or_default();
        let places = self.providers.get(provider).map_or(&[][..], Vec::as_slice);
        let closeness = |place: &EventId| match place {
            EventId::Manifest(_, id) if event == format!("EventID({id})") => Some(0),
            EventId::Manifest(..) => self.closeness(*place, event),
            _ => None,
        };
        let mut named: Vec<(u8, EventId)> =
            places.iter().filter_map(|place| Some((closeness(place)?, *place))).collect();
        named.sort_by_key(|(distance, _)| *distance);
        named.dedup();
        let named = named.into_iter().take(8).map(|(_, place)| (place, place));
        // The layout of another event, for an id that nobody has: names in the trace need not be known here.
        let alike = |place: &&EventId| is_in_trace && self.has_fields(**place, &line.pairs());
        let nobodys = EventId::Manifest(guid, in_trace_schema::id_of(&line.text_of_names()));
        let alike = places.iter().filter(alike).take(2).map(|place| (*place, nobodys));
        for (place, written_as) in named.chain(alike) {
            // With a schema in the trace the opcode's number has no name of its own.
            for opcode in opcodes_of(event).take(if is_in_trace { 1 } else { usize::MAX }) {
                let facts = LineFacts { fields, ids: &ids, earlier: &[], opcode, is_in_trace };
                let first = found.len();
                self.encoded(line, place, &facts, found);
                found.iter_mut().skip(first).for_each(|candidate| candidate.place = written_as);
            }
        }
    }

    /// Whether an event has just the fields of a line, in its order.
    fn has_fields(&self, place: EventId, pairs: &[(String, String)]) -> bool {
        let mut schemas = self.entries.get(&place).into_iter().flatten().map(|entry| &entry.schema);
        schemas.any(|schema| {
            let names = schema.top_level().map(|(_, field)| &*field.name);
            names.eq(pairs.iter().map(|(name, _)| name.as_str()))
        })
    }

    /// How well an event's name here fits a line's: 0 wholly, 1 but for the opcode.
    fn closeness(&self, place: EventId, event: &str) -> Option<u8> {
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
        if let ColumnSource::Call(name, arguments) = &column.source
            && &**name == "path"
            && let Some(FieldValue::Text(path, _)) = arguments.first().and_then(|field| fields.get_mut(&**field))
            && let Some(rest) = path.strip_prefix("C:\\")
        {
            *path = format!("{DEVICE}{rest}");
        }
    }
    fields
}

/// The payload also tells whose the event is, where no column shows it.
fn with_subject(line: &Line, schema: &Schema, fields: &Fields) -> Fields {
    let mut fields = fields.clone();
    let subject = schema.subject();
    for (place, id) in [(subject.process, line.pid), (subject.thread, line.tid)] {
        if let Some(field) = place.and_then(|place| schema.fields().get(usize::from(place))) {
            fields.entry(field.name.to_string()).or_insert(FieldValue::Bits(id.cast_unsigned().into()));
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
        let at = columns
            .iter()
            .position(|column| matches!(&column.source, ColumnSource::Call(name, _) if &**name == call))?;
        values.get(at).and_then(|text| field_values::number(text)).map(|bits| bits as u32)
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
fn earlier(columns: &[Column], values: &[String], fields: &Fields) -> Vec<EarlierEvent> {
    let mut earlier = Vec::new();
    let bits = |name: &str| match fields.get(name) {
        Some(FieldValue::Bits(bits)) => Some(*bits),
        _ => None,
    };
    let mut process = None;
    for (column, value) in columns.iter().zip(values) {
        let ColumnSource::Call(name, arguments) = &column.source else { continue };
        let argument = arguments.first().and_then(|name| bits(name));
        match (&**name, argument) {
            ("process_of", Some(thread)) => {
                process = field_values::number(value).map(|pid| pid as u32).filter(|pid| pid.cast_signed() >= 0);
                earlier.extend(process.filter(|_| thread != 0).map(|pid| EarlierEvent::Thread(thread as u32, pid)));
            }
            ("process_name_of", Some(_)) => {
                earlier.extend(process.map(|pid| EarlierEvent::Process(pid, value.clone())));
            }
            ("file", _) if !value.is_empty() => {
                let keys = arguments.iter().filter_map(|name| bits(name));
                let name = value.strip_suffix("...").map_or_else(|| value.clone(), |start| format!("{start}x"));
                earlier.extend(keys.take(1).map(|key| EarlierEvent::File(key, name.clone())));
            }
            _ => {}
        }
    }
    earlier
}

/// A chunk of a manifest.
fn chunk(fields: &Fields, manifest: &str, len: usize) -> Vec<u8> {
    let value = |name: &str| match fields.get(name) {
        Some(FieldValue::Text(text, _)) => field_values::number(text).unwrap_or(0) as u16,
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
