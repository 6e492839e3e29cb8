//! The first pass: counts, learning, and a schema for each key. Frozen afterwards.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::bytes::Guid;
use crate::clock::Clock;
use crate::container::{Arena, BufferInfo, Walk};
use crate::decode::{Decoder, EventType, UndecodedReason};
use crate::error::{Error, ErrorKind, Problem, Result, Severity};
use crate::event::{BufferContext, KeyId, Kind, Place, RawEvent};
use crate::input::{Input, IntoInput};
use crate::limits;
use crate::parser::{Parsers, TraceFacts};
use crate::schema::Schema;
use crate::system::System;

use super::filter::Accept;
use super::index::{Counts, Indexed, Segment};
use super::open::{RawTrace, TraceFile};
use super::problems::Problems;
use super::slice::SliceMemory;
use super::slices::{Slice, Slices, SortClock, Span, spans};
use super::undecoded::refine_reasons;

/// Bytes that tell the length of an event in a plain buffer.
const MARKER: usize = 8;

/// A trace after the first pass. Everything in it is fixed and shared by all threads.
#[derive(Debug)]
pub struct Trace {
    files: Vec<TraceFile>,
    indexed: Indexed,
    sort_clock: SortClock,
    spans: Vec<Span>,
    decoder: Arc<Decoder>,
    problems: Problems,
}

/// What is known of a provider in this trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProviderCount {
    /// Its name, if anything tells it.
    pub name: Option<String>,
    /// Events.
    pub events: u64,
    /// Events that have a schema.
    pub decoded: u64,
}

impl Trace {
    /// Opens one file, a path or an [`Input`], and makes the first pass with these parsers.
    pub fn open(input: impl IntoInput, parsers: Parsers) -> Result<Self> {
        RawTrace::open(input)?.decode(parsers)
    }

    /// Opens several files as one trace, as [`RawTrace::open_all`] does, and makes the first pass with these parsers.
    pub fn open_all<I: IntoInput>(inputs: impl IntoIterator<Item = I>, parsers: Parsers) -> Result<Self> {
        RawTrace::open_all(inputs)?.decode(parsers)
    }
}

impl RawTrace {
    /// Makes the first pass: counts, lets the parsers learn, and compiles a schema for each event type.
    pub fn decode(self, parsers: Parsers) -> Result<Trace> {
        self.decode_with(parsers, &mut |_| {})
    }

    /// As [`RawTrace::decode`]; `progress` receives the number of bytes read so far.
    pub fn decode_with(self, mut parsers: Parsers, progress: &mut dyn FnMut(u64)) -> Result<Trace> {
        let Self { files, problems } = self;
        let mut indexed = Indexed::walk(&files, &parsers, progress)?;
        let mut problems = Problems { listed: problems, ..Problems::default() };
        problems.append(std::mem::take(&mut indexed.problems));
        let sort_clock = SortClock::new(&files);
        let buffers = &indexed.buffers;
        let file_of = |buffer: u32| buffers.get(buffer as usize).map_or(0, |info| info.file);
        let spans = spans(&indexed.segments, &sort_clock, file_of, &ranks(&indexed));
        let clocks = files.iter().map(|file| file.head.clock).collect();
        let types = std::mem::take(&mut indexed.types);
        let decoder = Arc::new(Decoder { types, clocks, system: System::default() });
        let mut trace = Trace { files, indexed, sort_clock, spans, decoder, problems };
        let mut state = System { times: trace.sort_clock.times(), ..System::default() };
        trace.learn(&mut parsers, &mut state)?;
        state.freeze();
        trace.note_refused(&state);
        let settled = trace.compile(&parsers)?;
        trace.freeze(state, settled);
        trace.note_losses();
        Ok(trace)
    }
}

/// Place of each segment among events of equal time: by processor, then by place in the file.
fn ranks(indexed: &Indexed) -> Vec<u32> {
    let mut order: Vec<u32> = (0..indexed.segments.len() as u32).collect();
    let key = |at: &u32| {
        let segment = indexed.segments.get(*at as usize)?;
        Some((indexed.buffers.get(segment.buffer as usize)?.processor, *at))
    };
    order.sort_by_key(key);
    let mut ranks = vec![0; order.len()];
    for (rank, at) in order.iter().enumerate() {
        if let Some(slot) = ranks.get_mut(*at as usize) {
            *slot = rank as u32;
        }
    }
    ranks
}

impl Trace {
    /// The files.
    pub fn files(&self) -> &[TraceFile] {
        &self.files
    }

    /// Counts of one file.
    pub fn counts(&self, file: usize) -> Option<&Counts> {
        self.indexed.per_file.get(file)
    }

    /// Counts of all files together, without times: each file has a clock of its own.
    pub fn counts_of_all(&self) -> Counts {
        let mut all = Counts::default();
        self.indexed.per_file.iter().for_each(|counts| all.add_file(counts));
        all
    }

    /// All buffers, in file order.
    pub fn buffers(&self) -> &[BufferInfo] {
        &self.indexed.buffers
    }

    /// Events of all files.
    pub fn events_total(&self) -> u64 {
        self.indexed.per_file.iter().map(|counts| counts.events).sum()
    }

    /// All event types, in the order in which they were first seen.
    pub fn types(&self) -> &[EventType] {
        self.decoder.types()
    }

    /// The event type of an id.
    #[inline]
    pub fn event_type(&self, id: KeyId) -> Option<&EventType> {
        self.decoder.event_type(id)
    }

    /// What turns raw events of the trace into decoded ones.
    pub(super) const fn decoder(&self) -> &Arc<Decoder> {
        &self.decoder
    }

    /// What the parsers learned of the traced system.
    pub fn system(&self) -> &System {
        self.decoder.system()
    }

    /// Everything wrong with the trace: damage by file and offset, losses, notes.
    pub fn problems(&self) -> &[Problem] {
        &self.problems.listed
    }

    /// Problems beyond the limit of those that are listed.
    pub const fn unlisted_problems(&self) -> u64 {
        self.problems.unlisted
    }

    /// How many of those are damage.
    pub const fn unlisted_damage(&self) -> u64 {
        self.problems.unlisted_damage
    }

    /// Whether part of the input could not be read.
    pub fn is_damaged(&self) -> bool {
        self.problems.unlisted_damage > 0 || self.problems().iter().any(|problem| problem.severity == Severity::Damage)
    }

    /// Processors that wrote events, sorted.
    pub fn processors(&self) -> Vec<u16> {
        self.indexed.processors.iter().copied().collect()
    }

    /// The clock of a file.
    pub fn clock(&self, file: u16) -> Option<&Clock> {
        self.decoder.clock(file)
    }

    /// Counts by the GUID that classic, event and message headers carry.
    pub fn by_provider(&self) -> BTreeMap<Guid, ProviderCount> {
        let mut all: BTreeMap<Guid, ProviderCount> = BTreeMap::new();
        for row in self.types().iter().filter(|row| row.events > 0 && row.key.kind != Kind::Error) {
            let entry = all.entry(row.key.provider).or_default();
            entry.events += row.events;
            entry.decoded += if row.schema().is_some() { row.events } else { 0 };
            if entry.name.is_none() {
                entry.name = row.provider_name().map(str::to_owned);
            }
        }
        all
    }

    /// (events with a schema, events without).
    pub fn decoded(&self) -> (u64, u64) {
        let all: u64 = self.types().iter().map(EventType::events).sum();
        let decoded = self.types().iter().filter(|row| row.schema().is_some()).map(EventType::events).sum();
        (decoded, all - decoded + self.keyless_events())
    }

    /// Events whose key was beyond the limits.
    pub(super) fn keyless_events(&self) -> u64 {
        self.decoder.types.overflow()
    }

    pub(super) const fn sort_clock(&self) -> &SortClock {
        &self.sort_clock
    }

    pub(super) fn spans(&self) -> &[Span] {
        &self.spans
    }

    #[inline]
    pub(super) fn source(&self, file: u16) -> Option<&Input> {
        self.files.get(usize::from(file)).map(|file| &file.source)
    }

    #[inline]
    pub(super) fn buffer(&self, number: u32) -> Option<&BufferInfo> {
        self.indexed.buffers.get(number as usize)
    }

    /// What the events of a buffer have in common.
    pub(super) fn context_of(&self, buffer: u32) -> Option<BufferContext> {
        Some(self.buffer(buffer)?.context(buffer))
    }

    #[inline]
    pub(super) fn segment(&self, number: u32) -> Option<(&Segment, &BufferInfo)> {
        let segment = self.indexed.segments.get(number as usize)?;
        Some((segment, self.buffer(segment.buffer)?))
    }

    #[inline]
    pub(super) fn key_of(&self, event: &RawEvent<'_>) -> Option<KeyId> {
        self.decoder.types.find(event)
    }

    /// Hands the events that parsers learn from to them, in time order.
    fn learn(&mut self, parsers: &mut Parsers, state: &mut System) -> Result<()> {
        let teaching = |span: &&Span| self.segment(span.segment).is_some_and(|(segment, _)| segment.teaches);
        let spans: Vec<Span> = self.spans.iter().filter(teaching).copied().collect();
        let accept = Accept::teachers(self);
        let mut memory = SliceMemory::default();
        let mut problems = Problems::default();
        let mut pending: Vec<Slice> = Vec::new();
        let mut slices = Slices::by_time(spans, i64::MIN, i64::MAX, 4 << 20);
        while let Some(slice) = pending.pop().or_else(|| slices.next()) {
            if !memory.fill(self, &slice, &accept)?
                && let Some((first, second)) = slice.split()
            {
                pending.extend([second, first]);
                continue;
            }
            while let Some(event) = memory.next(self) {
                if let Err(error) = parsers.learn(&event, &event.key(), state) {
                    problems.push(Severity::Note, || schema_problem(&event, &error));
                }
            }
        }
        self.problems.append(problems);
        Ok(())
    }

    /// Asks the parsers for the schema of each key, with its first event as the sample.
    fn compile(&mut self, parsers: &Parsers) -> Result<Vec<Settled>> {
        let mut settled: Vec<Settled> = (0..self.types().len()).map(|_| Settled::default()).collect();
        let mut order: Vec<(KeyId, Place)> = self.types().iter().map(|row| (row.id, row.first)).collect();
        order.sort_by_key(|(_, place)| *place);
        let (mut arena, mut plain) = (Arena::default(), Vec::new());
        let mut problems = Problems::default();
        let mut left = limits::MAX_SCHEMAS;
        for (id, place) in order {
            let Some(slot) = settled.get_mut(id.0 as usize) else { continue };
            slot.undecoded = Some(UndecodedReason::Broken);
            let Some((file, info)) = self.file_and_buffer(place) else { continue };
            let facts = TraceFacts { os_build: file.head.log.os_build };
            let bytes = if info.is_compressed() {
                let unpacked = arena.unpacked(&file.source, info, place.buffer)?;
                unpacked.get(place.offset as usize..).unwrap_or_default()
            } else {
                // Only the event: a large buffer may have many keys.
                event_bytes(&file.source, info, place, &mut plain)?
            };
            let Some(event) = event_at(bytes, place, info, file) else { continue };
            let made = parsers.schema(&event, &facts);
            let Some(rest) = left.checked_sub(cost(&made)) else {
                // To go on would take as much time as this limit saves memory.
                let error = Error::limit("schemas of a trace", limits::MAX_SCHEMAS);
                problems.push(Severity::Note, || schema_problem(&event, &error));
                slot.undecoded = Some(UndecodedReason::Limit);
                break;
            };
            left = rest;
            match made {
                Ok(schema) => {
                    slot.undecoded = what_lacks(schema.as_ref(), &event, parsers);
                    slot.schema = schema;
                }
                Err(error) => problems.push(Severity::Note, || schema_problem(&event, &error)),
            }
        }
        self.problems.append(problems);
        Ok(settled)
    }

    /// Puts together what the passes over parsers found. Nothing else holds the decoder yet.
    fn freeze(&mut self, system: System, settled: Vec<Settled>) {
        let Some(decoder) = Arc::get_mut(&mut self.decoder) else { return };
        decoder.system = system;
        let types = decoder.types.list_mut();
        for (row, Settled { schema, undecoded }) in types.iter_mut().zip(settled) {
            // A type that no parser was asked about met the limit of schemas.
            let is_unasked = schema.is_none() && undecoded.is_none();
            row.settle(schema, if is_unasked { Some(UndecodedReason::Limit) } else { undecoded });
        }
        refine_reasons(types);
    }

    fn file_and_buffer(&self, place: Place) -> Option<(&TraceFile, &BufferInfo)> {
        Some((self.files.get(usize::from(place.file))?, self.buffer(place.buffer)?))
    }

    /// What of the traced system did not fit into the caps.
    fn note_refused(&mut self, state: &System) {
        let refused = state.room.refused();
        if refused > 0 {
            let detail = format!("{refused} facts of the traced system were not kept: too many");
            self.problems.listed.push(Problem {
                severity: Severity::Note,
                kind: "state-full",
                file: 0,
                offset: 0,
                len: 0,
                detail,
            });
        }
    }

    /// What the capture itself says that it lost.
    fn note_losses(&mut self) {
        let mut notes = Vec::new();
        for (number, file) in self.files.iter().enumerate() {
            let log = &file.head.log;
            for (count, kind, what) in
                [(log.events_lost, "events-lost", "events"), (log.buffers_lost, "buffers-lost", "buffers")]
            {
                if count > 0 {
                    notes.push(Problem {
                        severity: Severity::Loss,
                        kind,
                        file: number,
                        offset: 0,
                        len: 0,
                        detail: format!("the session lost {count} {what} while it recorded"),
                    });
                }
            }
        }
        self.problems.listed.append(&mut notes);
    }
}

/// What the parsers said of a type.
#[derive(Debug, Default)]
struct Settled {
    schema: Option<Schema>,
    undecoded: Option<UndecodedReason>,
}

/// What the attempt to make a schema takes of [`limits::MAX_SCHEMAS`]. What was given up half made took time all the
/// same.
fn cost(made: &Result<Option<Schema>>) -> usize {
    match made {
        Ok(schema) => schema.as_ref().map_or(0, Schema::weight),
        Err(error) if matches!(error.kind(), ErrorKind::Limit { .. }) => limits::MAX_SCHEMA / 4,
        Err(_) => 0,
    }
}

/// What is still open after the parsers were asked about an event.
fn what_lacks(schema: Option<&Schema>, event: &RawEvent<'_>, parsers: &Parsers) -> Option<UndecodedReason> {
    let Some(schema) = schema else {
        return Some(if parsers.knows_provider(&event.key()) {
            UndecodedReason::Event
        } else {
            UndecodedReason::Provider
        });
    };
    let is_name_only = schema.fields().is_empty() && schema.alternative().is_none() && !event.payload().is_empty();
    is_name_only.then_some(UndecodedReason::Fields)
}

/// The bytes of the event at a known place of a plain buffer.
fn event_bytes<'a>(source: &'a Input, info: &BufferInfo, place: Place, scratch: &'a mut Vec<u8>) -> Result<&'a [u8]> {
    let at = info.offset + u64::from(place.offset);
    let marker = info.framing.marker(source.window(at, MARKER, scratch)?);
    source.window(at, marker.map_or(0, |marker| marker.len), scratch)
}

/// The event that `bytes` begin with, at a known place.
fn event_at<'d>(bytes: &'d [u8], place: Place, info: &BufferInfo, file: &TraceFile) -> Option<RawEvent<'d>> {
    let context = BufferContext { fallback_time: file.head.clock.zero(), place, ..info.context(place.buffer) };
    Walk::part(bytes, context).next_event()
}

fn schema_problem(event: &RawEvent<'_>, error: &Error) -> Problem {
    let key = event.key();
    Problem {
        severity: Severity::Note,
        kind: "bad-schema",
        file: usize::from(event.place().file),
        offset: 0,
        len: 0,
        detail: format!("{} {} id {} version {}: {error}", key.kind.name(), key.provider, key.id, key.version),
    }
}
