//! Raw events in time order in a single pass, without counts and schemas.
//!
//! Each processor's buffers are a stream; the streams are merged by the time of their next event. That needs only the
//! headers of the buffers and the first event of each, so it costs a fraction of the first pass of a [`super::Trace`].
//! In exchange it assumes that time does not run backwards within a processor's buffers, as in ordinary files.
//! Otherwise events come late, and [`RawByTime::inversions`] counts them; a [`super::Trace`] reads such files
//! correctly.

use std::collections::BTreeMap;

use crate::FileId;
use crate::bytes::i64_at;
use crate::container::{Arena, BufferInfo, Frame, Frames, PartWalk, Stamp, Walk, start_of};
use crate::error::{Error, Problem, ProblemList, Result};
use crate::event::{BufferContext, Place, RawEvent};
use crate::format::{Framing, Marker, RecordHeader};
use crate::limits;
use crate::time::RawTime;

use super::machines::Machines;
use super::open::{RawTrace, TraceFile};
use super::run_heap::RunHeap;
use super::slices::SortClock;

impl RawTrace {
    /// Returns all raw events in time order, read in one pass.
    ///
    /// An error of kind [`crate::ErrorKind::Limit`] means that the file claims more processors and larger buffers than
    /// memory is set aside for; the first pass of a [`super::Trace`] reads it nevertheless.
    pub fn raw_by_time(&self) -> Result<RawByTime<'_>> {
        let clock = SortClock::new(&self.files, &Machines::new(&self.files, Vec::new()));
        let mut problems = ProblemList::default();
        let mut arena = Arena::default();
        let mut scratch = Vec::new();
        let mut streams: BTreeMap<(u16, FileId), Stream> = BTreeMap::new();
        let mut number = 0;
        for (id, file) in FileId::all().zip(&self.files) {
            let mut frames = Frames::new(&file.source, id, &file.head);
            while let Some(frame) = frames.next_frame()? {
                match frame {
                    Frame::Problem(problem) => problems.push(problem.severity, || problem),
                    Frame::Buffer(info) => {
                        let stream = streams.entry((info.processor, info.file)).or_default();
                        let first = first_time(file, &info, &mut arena, &mut scratch)?;
                        stream.buffers.push((clock.key(info.file, first), number, info));
                        number += 1;
                    }
                }
            }
        }
        RawByTime::new(&self.files, clock, streams.into_values().collect(), problems)
    }
}

/// The raw events of a trace, merged by time. See [`RawTrace::raw_by_time`].
#[derive(Debug)]
pub struct RawByTime<'t> {
    files: &'t [TraceFile],
    clock: SortClock,
    streams: Vec<Stream>,
    order: RunHeap,
    /// Whether the event of the first stream was delivered.
    is_delivered: bool,
    /// The first stream, if its times are the keys; else no stream.
    ahead: usize,
    /// Its events come before all others up to this key.
    limit: i64,
    arena: Arena,
    last: i64,
    inversions: u64,
    problems: ProblemList,
}

/// The buffers of one processor.
#[derive(Debug, Default)]
struct Stream {
    /// Earliest time, number in the trace, place in the file.
    buffers: Vec<(i64, u32, BufferInfo)>,
    next: usize,
    /// The loaded buffer, from its header to its used length.
    bytes: Vec<u8>,
    /// What comes after the next event.
    walk: PartWalk,
    /// The next event.
    head: Option<Stamp>,
    /// Its time by [`SortClock`].
    key: i64,
}

impl<'t> RawByTime<'t> {
    fn new(files: &'t [TraceFile], clock: SortClock, mut streams: Vec<Stream>, problems: ProblemList) -> Result<Self> {
        let largest = |stream: &Stream| {
            let used = stream.buffers.iter().map(|(.., info)| (info.used as usize).min(limits::MAX_BUFFER));
            used.max().unwrap_or(0) as u64
        };
        // Each stream keeps one buffer in memory, and the file alone states how many streams there are.
        if streams.iter().map(largest).sum::<u64>() > MAX_MEMORY as u64 {
            return Err(Error::limit("buffers that are open at a time", MAX_MEMORY));
        }
        let mut arena = Arena::default();
        for stream in &mut streams {
            stream.buffers.sort_by_key(|(time, number, _)| (*time, *number));
            stream.advance(files, &clock, &mut arena)?;
        }
        let mut order = RunHeap::default();
        order.start(streams.iter().map(Stream::key));
        let (last, inversions, is_delivered, ahead, limit) = (i64::MIN, 0, false, NO_STREAM, i64::MIN);
        Ok(Self { files, clock, streams, order, is_delivered, ahead, limit, arena, last, inversions, problems })
    }

    /// Returns the next event; `None` at the end. Events of equal time come by processor, then by place.
    #[expect(clippy::should_implement_trait, reason = "an event borrows from the iterator")]
    #[inline]
    pub fn next(&mut self) -> Result<Option<RawEvent<'_>>> {
        let next = self.streams.get_mut(self.ahead).and_then(|stream| stream.walk.next_timed(&stream.bytes));
        match next {
            Some(stamp) if stamp.time.0 <= self.limit => {
                self.note(stamp.time.0);
                Ok(self.streams.get(self.ahead).and_then(|stream| stream.view(&stamp)))
            }
            _ => self.settle(next),
        }
    }

    /// Returns the next event, of whichever stream it is; `after` is what was found in the first one, if it was looked
    /// at.
    #[inline]
    fn settle(&mut self, after: Option<Stamp>) -> Result<Option<RawEvent<'_>>> {
        if std::mem::replace(&mut self.is_delivered, true)
            && let Some(stream) = self.order.winner().and_then(|first| self.streams.get_mut(first))
        {
            match after {
                Some(stamp) => stream.found(stamp, &self.clock),
                None => stream.advance(self.files, &self.clock, &mut self.arena)?,
            }
            self.order.next(stream.key());
        }
        self.ahead = NO_STREAM;
        let Some(first) = self.order.winner() else { return Ok(None) };
        if matches!(self.clock, SortClock::Shared) {
            (self.ahead, self.limit) = (first, self.order.limit());
        }
        let key = self.streams.get(first).map_or(i64::MAX, |stream| stream.key);
        self.note(key);
        Ok(self.streams.get(first).and_then(Stream::event))
    }

    #[inline]
    const fn note(&mut self, key: i64) {
        self.inversions += (key < self.last) as u64;
        self.last = key;
    }

    /// Returns the number of events that were earlier than the one delivered before them.
    pub const fn inversions(&self) -> u64 {
        self.inversions
    }

    /// Returns the bytes of the files that are not buffers, at most [`limits::MAX_PROBLEMS`] of them. Bytes within buffers
    /// that are no events are passed over: the first pass of a [`super::Trace`] and [`super::BufferEvents`] report them.
    pub fn problems(&self) -> &[Problem] {
        &self.problems.listed
    }

    /// Returns how many more of them there are.
    pub const fn unlisted_problems(&self) -> u64 {
        self.problems.unlisted
    }
}

impl Stream {
    /// Returns the key of the next event; `None` at the end.
    #[inline]
    fn key(&self) -> Option<i64> {
        self.head.map(|_| self.key)
    }

    /// Goes to the next event.
    #[inline(never)]
    fn advance(&mut self, files: &[TraceFile], clock: &SortClock, arena: &mut Arena) -> Result<()> {
        loop {
            if let Some(stamp) = self.walk.next_stamp(&self.bytes) {
                self.found(stamp, clock);
                return Ok(());
            }
            if !self.load(files, arena)? {
                self.head = None;
                return Ok(());
            }
        }
    }

    /// Takes what the walk found.
    #[inline]
    fn found(&mut self, stamp: Stamp, clock: &SortClock) {
        self.key = match clock {
            SortClock::Shared => stamp.time.0,
            SortClock::Utc(_) => clock.key(self.walk.context().place.file, stamp.time),
        };
        self.head = Some(stamp);
    }

    /// Returns the current event.
    fn event(&self) -> Option<RawEvent<'_>> {
        self.view(self.head.as_ref()?)
    }

    /// Returns an event of the loaded buffer.
    #[inline]
    fn view(&self, stamp: &Stamp) -> Option<RawEvent<'_>> {
        let bytes = self.bytes.get(stamp.offset as usize..)?.get(..stamp.marker.len)?;
        let context = self.walk.context();
        let place = Place { offset: stamp.offset, ..context.place };
        Some(RawEvent::stamped(bytes, stamp.marker.header, stamp.time, place, context))
    }

    /// Loads the next buffer. False when there is none.
    fn load(&mut self, files: &[TraceFile], arena: &mut Arena) -> Result<bool> {
        let Some((_, number, info)) = self.buffers.get(self.next) else { return Ok(false) };
        self.next += 1;
        let Some(file) = files.get(info.file.index()) else { return Ok(false) };
        let most = info.used.min(limits::MAX_BUFFER as u32) as usize;
        if info.is_compressed() {
            let unpacked = arena.unpacked(&file.source, info, *number)?;
            self.bytes.clear();
            self.bytes.extend_from_slice(unpacked);
        } else {
            self.bytes.resize(most.min(info.size as usize), 0);
            let read = file.source.read_into(info.offset, &mut self.bytes)?;
            self.bytes.truncate(read);
        }
        let walk = Walk::new(&self.bytes, info, *number);
        self.walk = PartWalk::whole(BufferContext { fallback_time: walk.last_time(), ..info.context(*number) });
        Ok(true)
    }
}

/// The number of no stream.
const NO_STREAM: usize = usize::MAX;
/// Bytes of buffers that may be open at a time.
const MAX_MEMORY: usize = 256 << 20;
/// Bytes of a buffer on disk that are read to find its first time stamp.
const PEEK: usize = 1 << 10;

/// Raw time of a buffer's first event. Of a compressed buffer a few bytes are unpacked.
fn first_time(file: &TraceFile, info: &BufferInfo, arena: &mut Arena, scratch: &mut Vec<u8>) -> Result<RawTime> {
    let start = file.source.window(info.offset, PEEK.min(info.size as usize), scratch)?;
    let mut unpacked = [0; RecordHeader::SIZE];
    let start = start_of(start, info, &mut unpacked);
    let time_at = match info.framing {
        // `TimeStamp` is at offset 16 of `EVENT_HEADER` (section 5.7).
        Framing::Records => RecordHeader::view(start).filter(|record| record.is_plausible()).map(|_| 16),
        _ => Marker::read(start).and_then(|marker| marker.header.time_offset()),
    };
    match time_at {
        Some(at) if start.len() >= at + 8 => Ok(RawTime(i64_at(start, at))),
        // A header that must be read to be timed, another algorithm, or damage: walk the whole buffer.
        _ => Ok(Walk::new(arena.load(&file.source, info)?.bytes, info, 0).last_time()),
    }
}
