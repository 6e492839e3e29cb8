//! Events in the order of raw time, where those of several files come in the order of UTC.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use etwkit::FileId;
use etwkit::clock::Clock;
use etwkit::event::RawEvent;
use etwkit::{FileTime, RawTime, Trace};

use crate::clocks::is_by_raw_time;
use crate::error::{Error, Result};
use crate::writer::EventBytes;

/// Keeps events until no earlier one can come. It keeps none of a trace whose events come by raw time.
#[derive(Debug)]
pub(crate) struct ByRawTime {
    /// The files of the trace; none if its events come by raw time.
    files: Vec<Span>,
    waiting: BinaryHeap<Reverse<Waiting>>,
    /// Bytes of `waiting`.
    bytes: usize,
    /// Events so far.
    count: u64,
    /// No earlier event will come; `None` if no other one will.
    next: Option<i64>,
}

/// When the events of a file are.
#[derive(Clone, Copy, Debug)]
struct Span {
    clock: Clock,
    first: i64,
    last: i64,
}

/// An event that waits: by raw time, those of one time as they came.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Waiting {
    time: i64,
    number: u64,
    processor: u16,
    has_time: bool,
    /// The flags of losses before it.
    pub(crate) lost: u16,
    bytes: Vec<u8>,
}

/// Bytes of events that may wait: those of the time by which clocks differ, ten seconds at most in one boot.
const MOST_BYTES: usize = 256 << 20;
/// Bytes that an event takes beside its own, with those of an allocation.
const EVENT: usize = size_of::<Waiting>() + 16;
/// Events after which it is looked which are ready: each look asks all files, of which there may be as many.
const LOOK_EVERY: u64 = etwkit::limits::MAX_FILES as u64;
const TOO_MANY: &str =
    "its clock differs from those of other files, and the events that must be put in order are too many";

impl ByRawTime {
    pub(crate) fn new(trace: &Trace) -> Self {
        let span = |(id, clock): (FileId, Clock)| {
            let counts = trace.counts(id)?;
            Some(Span { clock, first: counts.first_time?.0, last: counts.last_time?.0 })
        };
        let clocks = trace.files_with_ids().map(|(id, file)| (id, file.head.clock));
        let files = if is_by_raw_time(trace) { Vec::new() } else { clocks.filter_map(span).collect() };
        Self { files, waiting: BinaryHeap::new(), bytes: 0, count: 0, next: Some(i64::MIN) }
    }

    /// Returns whether events need not wait.
    pub(crate) const fn is_idle(&self) -> bool {
        self.files.is_empty()
    }

    /// Adds the next event of the trace, or one that is copied beside it.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if more events wait than memory is set aside for.
    pub(crate) fn add(&mut self, trace: &Trace, event: &RawEvent<'_>, bytes: &EventBytes<'_>, lost: u16) -> Result<()> {
        let &EventBytes { processor, time, has_time, bytes } = bytes;
        let (number, bytes) = (self.count, bytes.to_vec());
        self.count += 1;
        self.bytes += bytes.len() + EVENT;
        self.waiting.push(Reverse(Waiting { time: time.0, number, processor, has_time, lost, bytes }));
        let file = event.place().file;
        let now = || trace.clock(file)?.filetime(event.time());
        if self.count.is_multiple_of(LOOK_EVERY)
            && let Some(now) = now()
        {
            self.next = self.earliest(now);
        }
        if self.bytes <= MOST_BYTES {
            return Ok(());
        }
        let name = trace.file(file).map(|file| file.source.name().to_owned());
        Err(Error::Refused { file: name.unwrap_or_default(), why: TOO_MANY })
    }

    /// Returns the earliest raw time that an event can have whose file states this UTC or a later one for it.
    fn earliest(&self, now: FileTime) -> Option<i64> {
        let of_file = |file: &Span| Some(file.clock.first_at(now)?.0).filter(|time| *time <= file.last);
        self.files.iter().filter_map(|file| of_file(file).map(|time| time.max(file.first))).min()
    }

    /// No other event will come.
    pub(crate) const fn end(&mut self) {
        self.next = None;
    }

    /// Returns the next event that is ready.
    pub(crate) fn take(&mut self) -> Option<Waiting> {
        let is_ready = |first: &&Reverse<Waiting>| self.next.is_none_or(|next| first.0.time < next);
        self.waiting.peek().filter(is_ready)?;
        let Reverse(event) = self.waiting.pop()?;
        self.bytes -= event.bytes.len() + EVENT;
        Some(event)
    }
}

impl Waiting {
    pub(crate) fn bytes(&self) -> EventBytes<'_> {
        let &Self { processor, time, has_time, ref bytes, .. } = self;
        EventBytes { processor, time: RawTime(time), has_time, bytes }
    }
}
