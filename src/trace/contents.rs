//! What a trace contains: files, types, counts, the traced system, problems.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::FileId;
use crate::bytes::Guid;
use crate::clock::Clock;
use crate::container::{BufferInfo, Head};
use crate::decode::{Decoder, EventType};
use crate::error::{Problem, ProblemList, Result, Severity};
use crate::event::{EventTypeId, Kind, Place, RawEvent};
use crate::input::{Input, IntoInput};
use crate::limits::Limits;
use crate::parser::{Finding, Parsers};
use crate::select::Selector;
use crate::system::{System, Systems};

use super::buffer_index::{Buffers, IndexedSegment};
use super::changes::{Changes, sample};
use super::counts::Counts;
use super::index::Indexed;
use super::kept_buffers::KeptBuffers;
use super::open::{RawTrace, TraceFile};
use super::segment::Wanted;
use super::slices::{SortClock, Span, Spans};

/// A trace after the first pass. Everything in it is fixed and shared by all threads.
#[derive(Debug)]
pub struct Trace {
    pub(super) files: Vec<TraceFile>,
    pub(super) indexed: Indexed,
    pub(super) sort_clock: SortClock,
    pub(super) decoder: Arc<Decoder>,
    /// What the parsers found, without schemas and facts about the system.
    pub(super) findings: Vec<Finding>,
    pub(super) problems: ProblemList,
    pub(super) changes: Changes,
    /// Unpacked buffers.
    pub(super) kept: Arc<KeptBuffers>,
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

    /// Opens files as [`Trace::open_all`] does, with other [`Limits`] on what the files can make it keep.
    pub fn open_with<I: IntoInput>(
        inputs: impl IntoIterator<Item = I>,
        parsers: Parsers,
        limits: Limits,
    ) -> Result<Self> {
        RawTrace::open_with(inputs, limits)?.decode(parsers)
    }
}

/// Facts about a provider in this trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProviderCount {
    /// Its name, if known.
    pub name: Option<String>,
    /// Events.
    pub events: u64,
    /// Events that have a schema.
    pub decoded: u64,
}

impl Trace {
    /// Returns the files.
    pub fn files(&self) -> &[TraceFile] {
        &self.files
    }

    /// Returns a file; `None` if there are not as many.
    pub fn file(&self, id: FileId) -> Option<&TraceFile> {
        self.files.get(id.index())
    }

    /// Returns the files with their ids.
    pub fn files_with_ids(&self) -> impl Iterator<Item = (FileId, &TraceFile)> {
        FileId::all().zip(self.files())
    }

    /// Counts of one file.
    pub fn counts(&self, file: FileId) -> Option<&Counts> {
        self.indexed.per_file.get(file.index())
    }

    /// Counts of all files together, without times: each file has a clock of its own.
    pub fn counts_of_all(&self) -> Counts {
        let mut all = Counts::default();
        self.indexed.per_file.iter().for_each(|counts| all.add_file(counts));
        all
    }

    /// Returns all buffers, in file order.
    pub fn buffers(&self) -> Buffers<'_> {
        self.indexed.buffers.buffers()
    }

    /// Returns the buffer with a number, as [`Place::buffer`](crate::event::Place::buffer) has it.
    pub fn buffer(&self, number: u32) -> Option<BufferInfo> {
        self.indexed.buffers.buffer(number)
    }

    /// Returns the number of events of all files.
    pub fn events_total(&self) -> u64 {
        self.indexed.per_file.iter().map(|counts| counts.events).sum()
    }

    /// Returns all event types, in the order in which they were first seen.
    pub fn types(&self) -> &[EventType] {
        self.decoder.types()
    }

    /// Returns whether any event type has a field that the selector leads to.
    pub fn has_field(&self, name: &Selector) -> bool {
        self.types().iter().filter_map(EventType::schema).any(|schema| name.is_field_of(schema))
    }

    /// Returns the event type of an id.
    #[inline]
    pub fn event_type(&self, id: EventTypeId) -> Option<&EventType> {
        self.decoder.event_type(id)
    }

    /// Returns the decoder, which turns raw events of the trace into decoded ones.
    pub(super) const fn decoder(&self) -> &Arc<Decoder> {
        &self.decoder
    }

    /// Returns the facts that the parsers read about the traced system: that of the first file, if files are of several
    /// machines or boots. [`Event::system`](crate::decode::Event::system) is that of an event.
    pub fn system(&self) -> &System {
        self.systems().first()
    }

    /// Returns what the parsers learned of each machine and boot that the files are of. Files are of the same one if
    /// their headers have the same boot time, to ten seconds, and neither their computer names nor the frequencies of
    /// their performance counters differ.
    pub fn systems(&self) -> &Systems {
        self.decoder.systems()
    }

    /// Returns what a parser found that is neither a schema nor part of the system, by its type: see
    /// [`SchemaProvider::finish`](crate::parser::SchemaProvider::finish).
    pub fn finding<T: Any>(&self) -> Option<&T> {
        self.findings.iter().find_map(|finding| finding.downcast_ref())
    }

    /// Returns everything wrong with the trace: damage by file and offset, losses, notes.
    pub fn problems(&self) -> &[Problem] {
        &self.problems.listed
    }

    /// Returns a problem for each buffer of which the second pass read other bytes than the first one: the file was
    /// truncated or written to meanwhile. Complete when the events have been read; without a change, empty.
    pub fn changes(&self) -> Vec<Problem> {
        self.changes.problems()
    }

    /// Returns the number of problems beyond the limit of those that are listed.
    pub const fn unlisted_problems(&self) -> u64 {
        self.problems.unlisted
    }

    /// Returns how many of those are damage.
    pub const fn unlisted_damage(&self) -> u64 {
        self.problems.unlisted_damage
    }

    /// Returns whether part of the input could not be read, or was changed while it was read.
    pub fn is_damaged(&self) -> bool {
        let changes = self.changes();
        self.problems.unlisted_damage > 0
            || self.problems().iter().chain(&changes).any(|problem| problem.severity == Severity::Damage)
    }

    /// Returns the numbers of the processors that wrote events, sorted.
    pub fn processor_numbers(&self) -> Vec<u16> {
        self.indexed.processors.iter().copied().collect()
    }

    /// Returns the clock of a file.
    pub fn clock(&self, file: FileId) -> Option<&Clock> {
        self.decoder.clock(file)
    }

    /// Counts by the GUID that classic, event and message headers carry.
    pub fn by_provider(&self) -> BTreeMap<Guid, ProviderCount> {
        let mut all: BTreeMap<Guid, ProviderCount> = BTreeMap::new();
        for row in self.types().iter().filter(|row| row.events > 0 && row.key.kind != Kind::Error) {
            let entry = all.entry(row.key.provider).or_default();
            entry.events += row.events;
            entry.decoded += if row.has_layout() { row.events } else { 0 };
            if entry.name.is_none() {
                entry.name = row.provider_name().map(str::to_owned);
            }
        }
        all
    }

    /// Returns the numbers of events with a schema and of those without. Those that the kernel could not write are neither:
    /// no schema would help.
    pub fn decoded(&self) -> (u64, u64) {
        let count = |is_of: fn(&EventType) -> bool| -> u64 {
            self.types().iter().filter(|row| is_of(row)).map(EventType::events).sum()
        };
        (count(EventType::has_layout), count(EventType::is_undecoded) + self.keyless_events())
    }

    /// Events whose key was beyond the limits.
    pub(super) fn keyless_events(&self) -> u64 {
        self.decoder.types.overflow()
    }

    pub(super) const fn sort_clock(&self) -> &SortClock {
        &self.sort_clock
    }

    /// Returns all segments, in the order of the files.
    pub(super) fn segments(&self) -> impl Iterator<Item = IndexedSegment> {
        self.indexed.buffers.segments()
    }

    #[inline]
    pub(super) fn source(&self, file: FileId) -> Option<&Input> {
        self.files.get(file.index()).map(|file| &file.source)
    }

    /// Returns the segment with a number.
    pub(super) fn segment(&self, number: u32) -> Option<IndexedSegment> {
        self.indexed.buffers.segment(number)
    }

    /// Compares the bytes of a segment with those that the first pass saw.
    #[inline]
    pub(super) fn compare(&self, indexed: &IndexedSegment, bytes: &[u8]) {
        if sample(bytes) != indexed.segment.sample {
            self.changes.note(&indexed.buffer);
        }
    }

    /// Returns whether an event of the trace is the header of its file, whose payload is in
    /// [`Head::log`](field@crate::container::Head::log). A header that cannot be read is an event as others.
    pub fn is_log_header(&self, event: &RawEvent<'_>) -> bool {
        let Place { file, buffer, .. } = event.place();
        Head::is_at_header(event)
            && self.buffer(buffer).is_some_and(|buffer| buffer.offset == 0)
            && self.files.get(file.index()).is_some_and(|file| !file.head.is_missing())
    }

    /// Returns the type of an event of the trace; `None` beyond the limits.
    #[inline]
    pub fn type_of(&self, event: &RawEvent<'_>) -> Option<&EventType> {
        self.event_type(self.key_of(event)?)
    }

    #[inline]
    pub(super) fn key_of(&self, event: &RawEvent<'_>) -> Option<EventTypeId> {
        self.decoder.types.find(event)
    }
}

impl Spans for Trace {
    fn blocks(&self) -> usize {
        self.indexed.buffers.blocks()
    }

    fn block(&self, number: usize, wanted: Wanted, each: impl FnMut(Span)) {
        let wanted = self.indexed.buffers.block(number).filter(|indexed| wanted.takes(&indexed.segment));
        wanted.map(|indexed| Span::new(&indexed, &self.sort_clock)).for_each(each);
    }
}
