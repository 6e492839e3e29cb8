//! The walk over all buffers: what is where, and how many of what.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::FileId;
use crate::container::{Arena, BufferInfo, Frame, Frames, Head, Loaded, Step, UnreadBytes, Walk, leads_on};
use crate::decode::{EventTypes, Seen};
use crate::error::{Error, ProblemList, Result, Severity};
use crate::event::{Header, RawEvent};
use crate::format::{BufferHeader, CPU_CONFIG_HOOK, Framing, PreVistaBufferHeader, computer_name};
use crate::parser::FirstPass;

use super::TraceFile;
use super::buffer_index::BufferIndex;
use super::changes::sample;
use super::counts::Counts;
use super::kept_buffers::KeptBuffers;
use super::segment::{Open, Segment};

/// Memory for the buffers that one thread walks.
#[derive(Debug)]
pub(super) struct WalkMemory {
    arena: Arena,
    pub(super) kept: KeptBuffers,
}

impl WalkMemory {
    /// Memory for buffers of files.
    pub(super) fn new(files: &[TraceFile]) -> Self {
        let bytes = files.iter().map(|file| file.source.len()).sum();
        Self { arena: Arena::default(), kept: KeptBuffers::of_files(bytes) }
    }

    /// That of another thread, with which it shares the room for what is kept.
    pub(super) fn another(&self) -> Self {
        Self { arena: Arena::default(), kept: self.kept.beside() }
    }
}

/// Everything the walk found.
#[derive(Debug, Default)]
pub struct Indexed {
    pub(super) buffers: BufferIndex,
    /// The segments of the buffer that is being walked.
    segments: Vec<Segment>,
    /// Processors that wrote events.
    pub(super) processors: BTreeSet<u16>,
    last_processor: Option<u16>,
    pub(super) types: EventTypes,
    pub(super) per_file: Vec<Counts>,
    /// Those of the file that is being walked.
    counts: Counts,
    /// The computer name that each file has.
    pub(super) computers: Vec<Option<Box<str>>>,
    /// That of the file that is being walked.
    computer: Option<Box<str>>,
    /// The number of the first buffer.
    first: u32,
    pub(super) problems: ProblemList,
    /// Unpacked buffers for later passes.
    pub(super) kept: KeptBuffers,
}

impl Indexed {
    /// Walks all buffers of all files. `progress` receives the bytes read so far, once per buffer.
    pub(super) fn walk(
        files: &[TraceFile],
        pass: &FirstPass,
        progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Self> {
        let mut indexed = Self::default();
        let mut memory = WalkMemory::new(files);
        let mut before = 0;
        for (id, file) in FileId::all().zip(files) {
            let mut frames = Frames::new(&file.source, id, &file.head);
            while let Some(frame) = frames.next_frame()? {
                indexed.frame(file, &frame, &mut memory, pass)?;
                if let Frame::Buffer(info) = frame {
                    Error::if_cancelled(progress(before + info.offset))?;
                }
            }
            before += file.source.len();
            indexed.end_file(file);
        }
        indexed.kept = memory.kept;
        Ok(indexed)
    }

    /// Makes an empty index, to which parts are added that were walked with some memory.
    pub(super) fn of(memory: &WalkMemory) -> Self {
        Self { kept: memory.kept.beside(), ..Self::default() }
    }

    /// Makes an empty part of an index, whose first buffer has a number.
    pub(super) fn part(first: u32) -> Self {
        Self { first, ..Self::default() }
    }

    /// Completes a part.
    pub(super) fn end_part(&mut self) {
        let Self { types, counts, .. } = self;
        types.take_tallies(|tally| counts.add(tally));
    }

    /// Takes in a buffer or a problem.
    pub(super) fn frame(
        &mut self,
        file: &TraceFile,
        frame: &Frame,
        memory: &mut WalkMemory,
        pass: &FirstPass,
    ) -> Result<()> {
        match frame {
            Frame::Buffer(info) => self.buffer(file, *info, memory, pass),
            Frame::Problem(problem) => {
                self.problems.push(problem.severity, || problem.clone());
                Ok(())
            }
        }
    }

    /// Completes what is known of a file.
    pub(super) fn end_file(&mut self, file: &TraceFile) {
        self.end_part();
        let mut counts = std::mem::take(&mut self.counts);
        counts.finish((!file.head.is_missing()).then(|| file.head.clock.zero()));
        self.per_file.push(counts);
        self.computers.push(self.computer.take());
    }

    /// Adds the part that follows.
    pub(super) fn absorb(&mut self, mut part: Self) {
        self.buffers.append(&part.buffers);
        self.processors.append(&mut part.processors);
        self.types.absorb(&part.types);
        self.counts.add_part(&part.counts);
        self.computer = self.computer.take().or(part.computer);
        self.problems.absorb(part.problems);
        self.kept.absorb(part.kept);
    }

    fn buffer(&mut self, file: &TraceFile, info: BufferInfo, memory: &mut WalkMemory, pass: &FirstPass) -> Result<()> {
        let WalkMemory { arena, kept } = memory;
        let number = self.buffers.len().saturating_add(self.first);
        self.segments.clear();
        let mut loaded = arena.load_into(&file.source, &info, |len| kept.offer(len))?;
        let bytes = loaded.bytes;
        if let Some(problem) = loaded.problem.take() {
            self.problems.push(problem.severity, || problem);
        }
        // The last event's padding may extend beyond the file: the second pass must see no more.
        let end = bytes.len() as u32;
        let known = self.types.list().len();
        let mut walk = Walk::new(bytes, &info, number);
        let mut segment = Open::new(number, &walk);
        // The log-file header is a segment of its own, because its time is not part of the events' span.
        let mut may_be_header = info.offset == 0 && !file.head.is_missing();
        loop {
            let is_full = !may_be_header && self.count_quickly(&mut walk, &mut segment);
            let (before, mut is_header) = (walk.last_time(), false);
            let is_event = is_full
                || match walk.step() {
                    Some(Step::Event(event)) => {
                        // A damaged length hides the header event, and another one comes first.
                        is_header = std::mem::take(&mut may_be_header)
                            && (info.framing == Framing::Records || Head::is_at_header(&event));
                        let seen = self.count_rare(&event, pass);
                        self.counts.time_inversions += u64::from(segment.add(before, event.time(), seen));
                        true
                    }
                    Some(Step::UnreadBytes(gap)) => {
                        self.gap(&info, &loaded, gap);
                        false
                    }
                    None => break,
                };
            if is_event && (is_header || segment.is_full(walk.offset())) {
                self.close(segment, bytes, walk.offset().min(end), is_header);
                segment = Open::new(number, &walk);
            }
        }
        self.close(segment, bytes, walk.offset().min(end), false);
        self.buffers.push(&info, &self.segments);
        if info.is_compressed() {
            self.types.keep_samples(known, bytes, info.framing);
            let len = bytes.len();
            let is_observed = self.segments.iter().any(|segment| segment.seen.is_observed());
            if !self.segments.is_empty() && kept.wants(is_observed) {
                kept.keep(number, len);
            }
        }
        // A record has a processor of its own.
        if !self.segments.is_empty() && info.framing != Framing::Records {
            self.note_processor(info.processor);
        }
        if file.head.is_pre_vista() {
            self.note_lost(file, &info)?;
        }
        self.counts.buffers += 1;
        self.counts.compressed_buffers += u64::from(info.is_compressed());
        Ok(())
    }

    /// Notes the events that a buffer of Windows 2000 or XP counts as lost.
    #[cold]
    fn note_lost(&mut self, file: &TraceFile, info: &BufferInfo) -> Result<()> {
        let mut scratch = Vec::new();
        let header = PreVistaBufferHeader::view(file.source.window(info.offset, BufferHeader::SIZE, &mut scratch)?);
        self.counts.losses.add_buffer(header.map_or(0, |header| header.events_lost(file.head.log.version)));
        Ok(())
    }

    /// Counts events of types that were found lately. Returns whether the segment is full.
    fn count_quickly(&mut self, walk: &mut Walk<'_>, segment: &mut Open) -> bool {
        let (is_full, inversions) = segment.count(walk, self.types.recent());
        self.counts.time_inversions += inversions;
        is_full
    }

    fn close(&mut self, segment: Open, bytes: &[u8], offset: u32, header: bool) {
        let Some(mut segment) = segment.close(offset) else { return };
        segment.sample = sample(bytes.get(segment.start as usize..offset as usize).unwrap_or_default());
        if !header {
            let counts = &mut self.counts;
            counts.first_time = Some(counts.first_time.map_or(segment.min, |first| first.min(segment.min)));
            counts.last_time = Some(counts.last_time.map_or(segment.max, |last| last.max(segment.max)));
        }
        self.segments.push(segment);
    }

    /// Counts an event whose type was not found lately, and notes what few events have.
    #[inline(never)]
    fn count_rare(&mut self, event: &RawEvent<'_>, pass: &FirstPass) -> Seen {
        if let Header::Record(_) = event.header() {
            self.note_processor(event.processor());
        }
        for item in event.extended() {
            *self.counts.by_item.entry(item.item_type.0).or_default() += 1;
        }
        if event.hook() == Some(CPU_CONFIG_HOOK) && self.computer.is_none() {
            self.computer = computer_name(event.payload());
        }
        let Self { types, counts, .. } = self;
        types.count_rare(event, |key| pass.wants(key), |tally| counts.add(tally))
    }

    fn note_processor(&mut self, processor: u16) {
        // Consecutive events usually have one processor: this saves a lookup.
        if self.last_processor.replace(processor) != Some(processor) {
            self.processors.insert(processor);
        }
    }

    /// The second pass sees the segments one by one. It must judge what ends with one as this one does, which sees what
    /// follows.
    #[cold]
    fn note_gap(&mut self, start: u32) {
        let last = self.segments.last_mut().filter(|last| last.end == start);
        if let Some(last) = last {
            last.before_gap = true;
        }
    }

    #[cold]
    fn gap(&mut self, info: &BufferInfo, loaded: &Loaded<'_>, gap: UnreadBytes) {
        let next = loaded.bytes.get(gap.start as usize..).unwrap_or_default();
        if !leads_on(next, info.framing) {
            self.note_gap(gap.start);
        }
        self.problems.push(Severity::Damage, || loaded.problem_of(info, gap));
    }
}
