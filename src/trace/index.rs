//! The walk over all buffers: what is where, and how many of what.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use crate::container::{Arena, BufferInfo, Frame, Frames, Loaded, Step, UnreadBytes, Walk, leads_on};
use crate::decode::EventTypes;
use crate::error::{Error, Result, Severity};
use crate::event::RawEvent;
use crate::format::{CPU_CONFIG_HOOK, HeaderType, computer_name};
use crate::parser::FirstPass;
use crate::time::RawTime;

use super::TraceFile;
use super::problems::Problems;

/// Counts over all events of a trace.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Counts {
    /// Events.
    pub events: u64,
    /// Events of each header type, by [`HeaderType::index`].
    pub by_header: [u64; HeaderType::ALL.len()],
    /// Kernel events by hook id.
    pub by_hook: BTreeMap<u16, u64>,
    /// Extended items by type.
    pub by_item: BTreeMap<u16, u64>,
    /// Bytes of payload.
    pub payload_bytes: u64,
    /// Buffers.
    pub buffers: u64,
    /// Buffers that are compressed.
    pub compressed_buffers: u64,
    /// Events that are earlier than the one before them in their buffer.
    pub time_inversions: u64,
    /// Earliest raw time stamp. That of the log-file header counts only if there is no other event: it has the
    /// session's start, and in relogged files when they were written.
    pub first_time: Option<RawTime>,
    /// Latest raw time stamp, in the same sense.
    pub last_time: Option<RawTime>,
    hooks: Vec<u64>,
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            events: 0,
            by_header: [0; HeaderType::ALL.len()],
            by_hook: BTreeMap::new(),
            by_item: BTreeMap::new(),
            payload_bytes: 0,
            buffers: 0,
            compressed_buffers: 0,
            time_inversions: 0,
            first_time: None,
            last_time: None,
            // While counting, an array by hook id: a map lookup for each event would be slower.
            hooks: vec![0; 1 << 16],
        }
    }
}

impl Counts {
    /// Adds the counts of another file. Times and the clock that they are of are left alone.
    pub(super) fn add_file(&mut self, other: &Self) {
        let Self { events, by_header, by_hook, by_item, payload_bytes, buffers, .. } = self;
        *events += other.events;
        *payload_bytes += other.payload_bytes;
        *buffers += other.buffers;
        by_header.iter_mut().zip(other.by_header).for_each(|(sum, more)| *sum += more);
        for (hook, count) in &other.by_hook {
            *by_hook.entry(*hook).or_default() += count;
        }
        for (item, count) in &other.by_item {
            *by_item.entry(*item).or_default() += count;
        }
        self.compressed_buffers += other.compressed_buffers;
        self.time_inversions += other.time_inversions;
    }
}

/// Part of a buffer between two checkpoints: small enough to process as a whole, large enough to keep their number low.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) buffer: u32,
    /// From the start of the (unpacked) buffer.
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) events: u32,
    /// Time of the event before it, for messages without a stamp.
    pub(super) entry_time: RawTime,
    pub(super) min: RawTime,
    pub(super) max: RawTime,
    /// Whether the first pass hands one of its events to a provider or an observer.
    pub(super) observed: bool,
    /// Whether a gap follows it that no event leads to.
    pub(super) before_gap: bool,
}

/// A segment ends after this many events ...
const SEGMENT_EVENTS: u32 = 256;
/// ... or this many bytes.
const SEGMENT_BYTES: u32 = 32 << 10;

/// Everything the walk found.
#[derive(Debug, Default)]
pub struct Indexed {
    pub(super) buffers: Vec<BufferInfo>,
    pub(super) segments: Vec<Segment>,
    /// Processors that wrote events.
    pub(super) processors: BTreeSet<u16>,
    last_processor: Option<u16>,
    pub(super) types: EventTypes,
    pub(super) per_file: Vec<Counts>,
    /// The computer name that each file has.
    pub(super) computers: Vec<Option<Box<str>>>,
    pub(super) problems: Problems,
}

impl Indexed {
    /// Walks all buffers of all files. `progress` receives the bytes read so far, once a buffer.
    pub(super) fn walk(
        files: &[TraceFile],
        pass: &FirstPass,
        progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Self> {
        let mut indexed = Self::default();
        let mut arena = Arena::default();
        let mut before = 0;
        for (number, file) in files.iter().enumerate() {
            indexed.per_file.push(Counts::default());
            indexed.computers.push(None);
            let number = u16::try_from(number).unwrap_or(u16::MAX);
            let mut frames = Frames::new(&file.source, number, &file.head);
            while let Some(frame) = frames.next_frame()? {
                match frame {
                    Frame::Buffer(info) => {
                        indexed.buffer(file, info, &mut arena, pass)?;
                        Error::if_cancelled(progress(before + info.offset))?;
                    }
                    Frame::Problem(problem) => indexed.problems.push(problem.severity, || problem),
                }
            }
            before += file.source.len();
            if let Some(counts) = indexed.per_file.last_mut() {
                counts.finish((!file.head.is_missing()).then(|| file.head.clock.zero()));
            }
        }
        Ok(indexed)
    }

    fn buffer(&mut self, file: &TraceFile, info: BufferInfo, arena: &mut Arena, pass: &FirstPass) -> Result<()> {
        let number = u32::try_from(self.buffers.len()).unwrap_or(u32::MAX);
        self.buffers.push(info);
        let mut loaded = arena.load(&file.source, &info)?;
        let bytes = loaded.bytes;
        if let Some(problem) = loaded.problem.take() {
            self.problems.push(problem.severity, || problem);
        }
        // The last event's padding may extend beyond the file: the second pass must see no more.
        let end = bytes.len() as u32;
        let mut walk = Walk::new(bytes, &info, number);
        let mut segment = Open::new(number, &walk);
        // The log-file header is a segment of its own, because its time is not part of the events' span.
        let mut header = info.offset == 0 && !file.head.is_missing();
        while let Some(step) = walk.step() {
            match step {
                Step::Event(event) => {
                    self.event(&event, &mut segment, pass);
                    if header || segment.is_full(walk.offset()) {
                        self.close(segment, walk.offset().min(end), std::mem::take(&mut header));
                        segment = Open::new(number, &walk);
                    }
                }
                Step::UnreadBytes(gap) => {
                    let next = bytes.get(gap.start as usize..).unwrap_or_default();
                    if !leads_on(next, info.framing) {
                        self.note_gap(number, gap.start);
                    }
                    self.gap(&info, &loaded, gap);
                }
            }
        }
        self.close(segment, walk.offset().min(end), false);
        if let Some(counts) = self.per_file.last_mut() {
            counts.buffers += 1;
            counts.compressed_buffers += u64::from(info.is_compressed());
        }
        Ok(())
    }

    fn close(&mut self, segment: Open, offset: u32, header: bool) {
        let Some(segment) = segment.close(offset) else { return };
        if let Some(counts) = self.per_file.last_mut().filter(|_| !header) {
            counts.first_time = Some(counts.first_time.map_or(segment.min, |first| first.min(segment.min)));
            counts.last_time = Some(counts.last_time.map_or(segment.max, |last| last.max(segment.max)));
        }
        self.segments.push(segment);
    }

    #[inline]
    fn event(&mut self, event: &RawEvent<'_>, segment: &mut Open, pass: &FirstPass) {
        let id = self.types.count(event, |key| pass.wants(key));
        let observed = id.is_some_and(|id| self.types.list().get(id.0 as usize).is_some_and(|key| key.observed != 0));
        // Consecutive events usually have one processor: this saves a lookup for each event.
        if self.last_processor != Some(event.processor()) {
            self.last_processor = Some(event.processor());
            self.processors.insert(event.processor());
        }
        let inverted = segment.add(event.time(), observed);
        if let Some(counts) = self.per_file.last_mut() {
            counts.add(event, inverted);
        }
        if event.hook() == Some(CPU_CONFIG_HOOK) {
            self.note_computer(event.payload());
        }
    }

    #[cold]
    fn note_computer(&mut self, payload: &[u8]) {
        if let Some(name) = self.computers.last_mut().filter(|name| name.is_none()) {
            *name = computer_name(payload);
        }
    }

    /// The second pass sees the segments one by one. It must judge what ends with one as this one does, which sees what
    /// follows.
    #[cold]
    fn note_gap(&mut self, buffer: u32, start: u32) {
        let last = self.segments.last_mut().filter(|last| (last.buffer, last.end) == (buffer, start));
        if let Some(last) = last {
            last.before_gap = true;
        }
    }

    #[cold]
    fn gap(&mut self, info: &BufferInfo, loaded: &Loaded<'_>, gap: UnreadBytes) {
        let severity = if gap.fill { Severity::Note } else { Severity::Damage };
        self.problems.push(severity, || loaded.problem_of(info, gap));
    }
}

impl Counts {
    #[inline]
    fn add(&mut self, event: &RawEvent<'_>, inverted: bool) {
        self.events += 1;
        self.time_inversions += u64::from(inverted);
        if let Some(count) = self.by_header.get_mut(event.header_type().index()) {
            *count += 1;
        }
        if let Some(count) = event.hook().and_then(|hook| self.hooks.get_mut(usize::from(hook))) {
            *count += 1;
        }
        if event.has_extended() {
            for item in event.extended() {
                *self.by_item.entry(item.item_type.0).or_default() += 1;
            }
        }
        self.payload_bytes += event.payload().len() as u64;
    }

    /// `header` is the time of the log-file header.
    fn finish(&mut self, header: Option<RawTime>) {
        self.first_time = self.first_time.or(header);
        self.last_time = self.last_time.or(header);
        let hooks = std::mem::take(&mut self.hooks);
        // Nearly all of them are 0: whole groups are compared at a time.
        let groups = hooks.chunks(256).zip(0_u16..).filter(|(counts, _)| counts.iter().fold(0, |any, n| any | n) > 0);
        let hooks = groups.flat_map(|(counts, group)| (group << 8..=u16::MAX).zip(counts.iter().copied()));
        self.by_hook = hooks.filter(|(_, count)| *count > 0).collect();
    }
}

/// A segment that is being filled.
struct Open {
    segment: Segment,
    last: RawTime,
}

impl Open {
    fn new(buffer: u32, walk: &Walk<'_>) -> Self {
        let entry_time = walk.last_time();
        let (start, min, max) = (walk.offset(), RawTime(i64::MAX), RawTime(i64::MIN));
        let segment =
            Segment { buffer, start, end: start, events: 0, entry_time, min, max, observed: false, before_gap: false };
        // The first event of a buffer has no predecessor in it.
        Self {
            segment,
            last: if start as usize == crate::format::BufferHeader::SIZE { RawTime(i64::MIN) } else { entry_time },
        }
    }

    /// Adds an event; says whether it is earlier than the one before it.
    #[inline]
    fn add(&mut self, time: RawTime, observed: bool) -> bool {
        let segment = &mut self.segment;
        segment.events += 1;
        segment.min = segment.min.min(time);
        segment.max = segment.max.max(time);
        segment.observed |= observed;
        time < std::mem::replace(&mut self.last, time)
    }

    #[inline]
    fn is_full(&self, offset: u32) -> bool {
        self.segment.events >= SEGMENT_EVENTS || offset - self.segment.start >= SEGMENT_BYTES
    }

    fn close(mut self, offset: u32) -> Option<Segment> {
        self.segment.end = offset;
        (self.segment.events > 0).then_some(self.segment)
    }
}
