//! A trace of candidates, and of the events that name their processes, threads and files.

use std::collections::{BTreeMap, HashMap};

use etwkit_synth::event::ExtendedItem;
use etwkit_synth::schema::{EventMap, map_event, schema_event};
use etwkit_synth::{ClassicEvent, Event, Guid, LogfileHeader, ModernEvent, Payload, PointerSize, TraceBuilder};

use crate::candidate::{Candidate, EarlierEvent, EventId};
use crate::field_values::TICKS;
use crate::in_trace_schema::{InTraceSchema, synth as guid};
use crate::line::Line;
use crate::line_evidence::DEVICE;

const PROCESS: Guid = Guid::new(0x3d6fa8d0_fe05_11d0_9dda_00c04fd7ba7c);
const THREAD: Guid = Guid::new(0x3d6fa8d1_fe05_11d0_9dda_00c04fd7ba7c);
const FILE: Guid = Guid::new(0x90cbdc39_4a3e_11d1_84f4_0000f80464e3);

/// The raw time of a line.
pub(super) fn now(line: &Line) -> i64 {
    LogfileHeader::default().t0 + line.micros * TICKS
}

/// A trace of a machine of this build.
pub(super) struct CandidateTrace {
    build: u32,
    /// Events with their processors, by time.
    events: Vec<(i64, u16, Event)>,
    /// Names that processes have at the moment; none after their end.
    alive: HashMap<u32, Option<String>>,
    threads: HashMap<u32, u32>,
    /// Schemas by provider, id and version.
    schemas: HashMap<(Guid, u16, u8), InTraceSchema>,
    /// Maps by provider and name.
    maps: BTreeMap<([u8; 16], String), EventMap>,
}

impl CandidateTrace {
    pub(super) fn new(build: u32) -> Self {
        let mut new = Self {
            build,
            events: Vec::new(),
            alive: HashMap::new(),
            threads: HashMap::new(),
            schemas: HashMap::new(),
            maps: BTreeMap::new(),
        };
        let time = LogfileHeader::default().t0;
        new.push(etwkit_synth::merged::volume_mapping(PointerSize::Eight, DEVICE, "C:\\").at(time), time);
        new
    }

    /// Adds what a line may be. Lines come in the order of time.
    pub(super) fn add(&mut self, line: &Line, candidates: &[Candidate]) {
        let now = now(line);
        if line.pid > 0 {
            self.name(line.pid.cast_unsigned(), &line.process, now - 1);
        }
        for candidate in candidates {
            if !self.add_schema(candidate) {
                continue;
            }
            candidate.earlier.iter().for_each(|event| self.add_earlier(event, now - 1));
            self.events.push((now, line.processor, event(line, candidate, now)));
        }
        // The texts of these lines may be cut.
        if line.name.starts_with("Windows Kernel/Process/") {
            self.alive.remove(&line.pid.cast_unsigned());
        }
        if line.name.starts_with("Windows Kernel/Thread/") {
            self.threads.remove(&line.tid.cast_unsigned());
        }
    }

    /// Puts the schema into the trace; false if that has another one for such events.
    fn add_schema(&mut self, candidate: &Candidate) -> bool {
        let (Some(schema), EventId::Manifest(provider, id)) = (&candidate.in_trace_schema, candidate.place) else {
            return true;
        };
        let mut schema = schema.clone();
        let provider = guid(provider);
        (schema.info.provider, schema.info.id, schema.info.version) = (provider, id, candidate.version);
        (schema.info.opcode, schema.info.task) = (candidate.opcode, u16::from(!schema.info.task_name.is_empty()));
        let key = (provider, id, candidate.version);
        let known = self.schemas.entry(key).or_insert_with(|| schema.clone());
        if known.info != schema.info {
            return false;
        }
        let time = LogfileHeader::default().t0;
        self.push(schema_event(PointerSize::Eight, &schema.info).at(time), time);
        for map in schema.maps {
            let known = self.maps.entry((provider.to_bytes(), map.name.clone())).or_insert_with(|| map.clone());
            for entry in map.entries {
                if !known.entries.contains(&entry) {
                    known.entries.push(entry);
                }
            }
        }
        true
    }

    fn add_earlier(&mut self, event: &EarlierEvent, time: i64) {
        match event {
            EarlierEvent::Thread(tid, pid) => self.thread(*tid, *pid, time),
            EarlierEvent::Process(pid, name) => self.name(*pid, name, time),
            EarlierEvent::File(key, name) => {
                let payload = Payload::new().u64(*key).utf16z(name);
                self.push(ClassicEvent::new(PointerSize::Eight, FILE, 0).version(2).at(time).payload(payload), time);
            }
        }
    }

    /// From now on the process has this name, as lines write it.
    fn name(&mut self, pid: u32, name: &str, time: i64) {
        let name = (pid != 0 && name != format!("Process({pid})")).then(|| name.to_owned());
        let known = self.alive.insert(pid, name.clone());
        if known.as_ref() == Some(&name) || (known.is_none() && name.is_none()) || pid == 0 {
            return;
        }
        let image = name.as_ref().map_or_else(String::new, |name| format!("{name}.exe"));
        let head = Payload::new().u64(u64::from(pid)).u32(pid).u32(0).u32(0).u32(0).u64(0).u32(0);
        let opcode = if name.is_some() { 1 } else { 2 };
        let event = ClassicEvent::new(PointerSize::Eight, PROCESS, opcode).version(3).at(time);
        self.push(event.payload(head.ansi_z(&image).utf16z("")), time);
    }

    /// From now on the thread is the process's.
    fn thread(&mut self, tid: u32, pid: u32, time: i64) {
        if self.threads.insert(tid, pid) != Some(pid) {
            let payload = Payload::new().u32(pid).u32(tid).zeros(8 * 7 + 8);
            self.push(ClassicEvent::new(PointerSize::Eight, THREAD, 1).version(3).at(time).payload(payload), time);
        }
    }

    fn push(&mut self, event: ClassicEvent, time: i64) {
        self.events.push((time, 63, event.by(u32::MAX, u32::MAX).into()));
    }

    /// The bytes of the trace.
    pub(super) fn build(mut self) -> Vec<u8> {
        let time = LogfileHeader::default().t0;
        for ((provider, _), map) in std::mem::take(&mut self.maps) {
            let [a, b, c, d, e, f, g, h, rest @ ..] = provider;
            let digits = u128::from_be_bytes([&[d, c, b, a, f, e, h, g], &rest[..]].concat().try_into().unwrap());
            self.push(map_event(PointerSize::Eight, Guid::new(digits), &map).at(time), time);
        }
        self.events.sort_by_key(|(time, ..)| *time);
        let header =
            LogfileHeader { processors: 64, build: self.build, buffer_size: 1 << 20, ..LogfileHeader::default() };
        let mut builder = TraceBuilder::new(header);
        for (_, processor, event) in self.events {
            builder = builder.log(processor, event);
        }
        builder.build().bytes
    }
}

fn event(line: &Line, candidate: &Candidate, now: i64) -> Event {
    let size = if candidate.pointer == 4 { PointerSize::Four } else { PointerSize::Eight };
    let (pid, tid) = candidate.ids;
    let payload = candidate.payload.clone();
    match candidate.place {
        EventId::Classic(class, opcode) => {
            let event = ClassicEvent::new(size, guid(class), opcode).version(candidate.version.into());
            event.at(now).by(pid, tid).payload(payload).into()
        }
        EventId::Manifest(provider, id) => {
            let event = ModernEvent::new(guid(provider)).id(id).version(candidate.version).opcode(candidate.opcode);
            let event = event.size(size).at(now).by(pid, tid).payload(payload);
            match &line.container {
                Some(id) => event.item(ExtendedItem::container_id(guid(id.parse().unwrap_or_default()))).into(),
                None => event.into(),
            }
        }
        EventId::Text(provider) => {
            ModernEvent::string_only(guid(provider), "").size(size).at(now).by(pid, tid).payload(payload).into()
        }
    }
}
