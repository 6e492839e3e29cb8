//! Finds the events that a line may have been made of, among all that have schemas here.

use std::cell::Cell;
use std::collections::HashMap;

use etwkit::bytes::Guid;
use etwkit::schema::{Names, SchemaEntry, SchemaSelector, SchemaSource as Origin, standard_opcode, text};

use crate::candidate::{Candidate, EarlierEvent, EventId, NOBODY};
use crate::encode;
use crate::field_values::{self, FieldValue, Fields};
use crate::in_trace_schema;
use crate::line::Line;
use crate::line_evidence::{earlier, header_ids, on_device, with_subject};
use crate::view::{Column, Views};
use crate::view_lookup;

/// All that is built in, to look up schemas by name.
pub(super) struct KnownEvents {
    pub(super) views: Views,
    pub(super) release: &'static str,
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

impl KnownEvents {
    /// What a release of TraceEvent knows.
    pub(super) fn new(release: &'static str) -> Self {
        let sources = text::parse(include_str!("sources.schema")).unwrap();
        let own: Vec<Guid> = sources.iter().map(|entry| entry.select.guid()).collect();
        let built_in = etwkit_parsers::built_in().flatten().filter(|entry| !own.contains(&entry.select.guid()));
        let all: Vec<SchemaEntry> = sources.iter().cloned().chain(built_in).collect();
        let mut known = Self {
            views: Views::built_in().at_release(release.parse().unwrap()),
            release,
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
            let names = facts.is_in_trace.then(|| in_trace_schema::parts(&line.name)).flatten();
            let in_trace_schema =
                names.and_then(|names| in_trace_schema::of_schema(&entry.schema, names, facts.fields));
            if in_trace_schema.is_some() {
                let named = entry
                    .schema
                    .fields()
                    .iter()
                    .filter_map(|field| Some((field, in_trace_schema::named(field, facts.fields)?)));
                fields.extend(named.map(|(field, name)| {
                    (field.name.to_string(), FieldValue::Bits(in_trace_schema::number_of(&name).into()))
                }));
            }
            for (pointer, ids) in
                [8, 4].into_iter().flat_map(|pointer| facts.ids.iter().map(move |ids| (pointer, *ids)))
            {
                let Some(payload) = payload(entry, &fields, pointer, line.len) else { continue };
                if ids == NOBODY && !matches!(place, EventId::Classic(..)) {
                    continue;
                }
                let (in_trace_schema, mut earlier) = (in_trace_schema.clone(), facts.earlier.to_vec());
                if ids == NOBODY && line.tid > 0 && line.pid >= 0 {
                    earlier.push(EarlierEvent::Thread(line.tid.cast_unsigned(), line.pid.cast_unsigned()));
                }
                let (version, opcode) = (*entry.versions.start(), facts.opcode);
                found.push(Candidate { place, version, opcode, pointer, ids, payload, in_trace_schema, earlier });
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
                let payload = message(&fields, line.len);
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

/// A payload of this length with these fields.
fn payload(entry: &SchemaEntry, fields: &Fields, pointer: usize, len: usize) -> Option<Vec<u8>> {
    // A manifest need not describe all of a payload.
    let short = || {
        let shorter = len.checked_sub(4).filter(|_| entry.schema.origin().source == Origin::USER)?;
        Some([encode::payload(&entry.schema, fields, pointer, shorter)?, vec![0; 4]].concat())
    };
    encode::payload(&entry.schema, fields, pointer, len).or_else(short)
}

/// The payload of `EventWriteString`.
fn message(fields: &Fields, len: usize) -> Vec<u8> {
    let mut payload: Vec<u8> = match fields.get("message") {
        Some(FieldValue::Text(text, _)) => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        _ => Vec::new(),
    };
    while payload.len() + 2 < len {
        payload.extend([b'x', 0]);
    }
    payload.resize(len, 0);
    payload
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
