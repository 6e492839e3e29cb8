//! Raw events in time order in one pass, without census and schemas.
//!
//! Each processor's buffers are a stream; the streams are merged by the time of their next event. That needs only the
//! headers of the buffers and the first event of each, so it costs a fraction of a census. In exchange it assumes
//! that time does not run backwards within a processor's buffers, as in ordinary files. Otherwise events come
//! late, and [`RawByTime::inversions`] counts them; a [`super::Trace`] reads such files correctly.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::bytes::i64_at;
use crate::container::{Arena, BufferInfo, Frame, Frames, Stamp, Walk, start_of};
use crate::error::{Error, Problem, Result};
use crate::event::{BufferContext, RawEvent};
use crate::format::{BufferHeader, Framing, Marker, RecordHeader};
use crate::limits;
use crate::time::RawTime;

use super::machines::Machines;
use super::open::{RawTrace, TraceFile};
use super::problems::Problems;
use super::slices::SortClock;

impl RawTrace {
    /// Returns all raw events in time order, read in one pass.
    ///
    /// An error of kind [`crate::ErrorKind::Limit`] says that the file claims more processors and larger buffers than
    /// memory is set aside for; a census reads it nevertheless.
    pub fn raw_by_time(&self) -> Result<RawByTime<'_>> {
        let clock = SortClock::new(&self.files, &Machines::new(&self.files, Vec::new()));
        let mut problems = Problems::default();
        let mut arena = Arena::default();
        let mut scratch = Vec::new();
        let mut streams: BTreeMap<(u16, u16), Stream> = BTreeMap::new();
        let mut number = 0;
        for (at, file) in self.files.iter().enumerate() {
            let mut frames = Frames::new(&file.source, at as u16, &file.head);
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
    /// Streams that wait, by the time of their next event.
    waiting: BinaryHeap<Reverse<(i64, u32)>>,
    current: usize,
    /// The first of those that wait.
    limit: (i64, u32),
    arena: Arena,
    last: i64,
    inversions: u64,
    problems: Problems,
}

/// The buffers of one processor.
#[derive(Debug, Default)]
struct Stream {
    /// Earliest time, number in the trace, place in the file.
    buffers: Vec<(i64, u32, BufferInfo)>,
    next: usize,
    bytes: Vec<u8>,
    used: usize,
    /// The next event; its time is that of [`SortClock`].
    head: Option<Stamp>,
    key: i64,
    /// Where the event after it begins.
    at: usize,
    context: BufferContext,
}

impl<'t> RawByTime<'t> {
    fn new(files: &'t [TraceFile], clock: SortClock, mut streams: Vec<Stream>, problems: Problems) -> Result<Self> {
        let largest = |stream: &Stream| {
            stream.buffers.iter().map(|(.., info)| (info.used as usize).min(limits::MAX_BUFFER)).max().unwrap_or(0)
        };
        // Each stream keeps one buffer in memory, and the file alone states how many streams there are.
        if streams.iter().map(largest).sum::<usize>() > MAX_MEMORY {
            return Err(Error::limit("buffers that are open at a time", MAX_MEMORY));
        }
        let mut arena = Arena::default();
        let mut waiting = BinaryHeap::new();
        for (at, stream) in streams.iter_mut().enumerate() {
            stream.buffers.sort_by_key(|(time, number, _)| (*time, *number));
            if stream.advance(files, &clock, &mut arena)? {
                waiting.push(Reverse((stream.key, at as u32)));
            }
        }
        let (current, limit) = (usize::MAX, (i64::MIN, 0));
        let (last, inversions) = (i64::MIN, 0);
        Ok(Self { files, clock, streams, waiting, current, limit, arena, last, inversions, problems })
    }

    /// Returns the next event; `None` at the end. Events of equal time come by processor, then by place.
    #[expect(clippy::should_implement_trait, reason = "an event borrows from the iterator")]
    #[inline]
    pub fn next(&mut self) -> Result<Option<RawEvent<'_>>> {
        if let Some(stream) = self.streams.get_mut(self.current)
            && !stream.advance(self.files, &self.clock, &mut self.arena)?
        {
            self.current = usize::MAX;
        }
        // A processor usually has many events in a row: the heap changes only when another stream is earlier.
        if self.streams.get(self.current).is_none_or(|stream| (stream.key, self.current as u32) > self.limit)
            && !self.turn()
        {
            return Ok(None);
        }
        let Some(stream) = self.streams.get(self.current) else { return Ok(None) };
        self.inversions += u64::from(stream.key < self.last);
        self.last = stream.key;
        Ok(stream.event())
    }

    /// Events that were earlier than the one delivered before them.
    pub const fn inversions(&self) -> u64 {
        self.inversions
    }

    /// Bytes of the files that are no buffers, [`limits::MAX_PROBLEMS`] of them at most.
    pub fn problems(&self) -> &[Problem] {
        &self.problems.listed
    }

    /// Returns how many more of them there are.
    pub const fn unlisted_problems(&self) -> u64 {
        self.problems.unlisted
    }

    /// Lets the stream with the earliest event go on. False when none is left.
    fn turn(&mut self) -> bool {
        if let Some(stream) = self.streams.get(self.current) {
            self.waiting.push(Reverse((stream.key, self.current as u32)));
        }
        let Some(Reverse((_, next))) = self.waiting.pop() else { return false };
        self.current = next as usize;
        self.limit = self.waiting.peek().map_or((i64::MAX, u32::MAX), |Reverse(first)| *first);
        true
    }
}

impl Stream {
    /// Goes to the next event. False at the end.
    #[inline]
    fn advance(&mut self, files: &[TraceFile], clock: &SortClock, arena: &mut Arena) -> Result<bool> {
        loop {
            let mut context = self.context;
            context.place.offset = self.at as u32;
            let rest = self.bytes.get(self.at..self.used).unwrap_or_default();
            let mut walk = Walk::part(rest, context);
            if let Some(stamp) = walk.next_stamp() {
                self.at += walk.position();
                self.context.fallback_time = stamp.time;
                self.key = match clock {
                    SortClock::Shared => stamp.time.0,
                    SortClock::Utc(_) => clock.key(context.place.file, stamp.time),
                };
                self.head = Some(stamp);
                return Ok(true);
            }
            if !self.load(files, arena)? {
                self.head = None;
                return Ok(false);
            }
        }
    }

    /// Returns the current event.
    #[inline]
    fn event(&self) -> Option<RawEvent<'_>> {
        let Stamp { offset, marker, time } = self.head?;
        let bytes = self.bytes.get(offset as usize..self.used)?.get(..marker.len)?;
        let mut context = self.context;
        context.place.offset = offset;
        context.fallback_time = time;
        RawEvent::new(bytes, marker, context)
    }

    /// Loads the next buffer. False when there is none.
    fn load(&mut self, files: &[TraceFile], arena: &mut Arena) -> Result<bool> {
        let Some((_, number, info)) = self.buffers.get(self.next) else { return Ok(false) };
        self.next += 1;
        let Some(file) = files.get(usize::from(info.file)) else { return Ok(false) };
        let most = info.used.min(limits::MAX_BUFFER as u32) as usize;
        self.used = if info.is_compressed() {
            let unpacked = arena.unpacked(&file.source, info, *number)?;
            self.bytes.clear();
            self.bytes.extend_from_slice(unpacked);
            unpacked.len()
        } else {
            if self.bytes.len() < most {
                self.bytes.resize(most, 0);
            }
            let room = self.bytes.get_mut(..most.min(info.size as usize)).unwrap_or_default();
            file.source.read_into(info.offset, room)?
        };
        self.at = BufferHeader::SIZE;
        self.context = context(file, info, *number);
        let walk = Walk::new(self.bytes.get(..self.used).unwrap_or_default(), info, *number);
        self.context.fallback_time = walk.last_time();
        Ok(true)
    }
}

/// Bytes of buffers that may be open at a time.
const MAX_MEMORY: usize = 256 << 20;
/// Bytes of a buffer on disk that are read to find its first time stamp.
const PEEK: usize = 1 << 10;

fn context(file: &TraceFile, info: &BufferInfo, number: u32) -> BufferContext {
    BufferContext { fallback_time: file.head.clock.zero(), ..info.context(number) }
}

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
