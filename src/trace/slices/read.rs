//! The events of one slice, in order.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::clock::Clock;
use crate::container::PartWalk;
use crate::decode::Scratch;
use crate::error::Result;
use crate::event::{BufferContext, RawEvent};
use crate::limits;
use crate::trace::Trace;
use crate::trace::accept::Accept;
use crate::trace::buffer_index::IndexedSegment;
use crate::trace::run_heap::RunHeap;

use super::part::{Copies, Events, Found, Memory, Part, Run, Store, stretch};
use super::{Slice, Span};

/// Memory of one worker, used again for each slice.
#[derive(Debug, Default)]
pub(in crate::trace) struct SliceMemory {
    store: Store,
    /// The segments of the slice.
    segments: Vec<(Span, IndexedSegment)>,
    runs: Vec<Run>,
    order: RunHeap,
    /// Whether the event that is next was delivered.
    is_delivered: bool,
    scratch: Vec<u8>,
    fields: Scratch,
}

impl SliceMemory {
    /// Finds the events of a slice that `accept` takes. False if they are too many: the slice must be split.
    pub(in crate::trace) fn fill(&mut self, trace: &Trace, slice: &Slice, accept: &Accept) -> Result<bool> {
        self.clear();
        self.store.kept = Arc::clone(&trace.kept);
        let found = slice.spans.iter().filter_map(|span| Some((*span, trace.segment(span.segment)?)));
        self.segments.extend(found);
        self.touch();
        for number in 0..self.segments.len() {
            self.segment(trace, slice, number, accept)?;
            // One span cannot be too large: it is part of one buffer.
            if self.store.held() > 2 * limits::MAX_SLICE && slice.spans.len() > 1 {
                return Ok(false);
            }
        }
        self.start(slice.sorted);
        Ok(true)
    }

    /// Says which unpacked buffers the slice needs.
    fn touch(&mut self) {
        let mut last = None;
        for (_, IndexedSegment { segment, buffer, .. }) in &self.segments {
            if buffer.is_compressed() && last.replace(segment.buffer) != Some(segment.buffer) {
                self.store.arena.touch(segment.buffer);
            }
        }
    }

    /// Forgets all events.
    pub(in crate::trace) fn clear(&mut self) {
        self.store.clear();
        self.segments.clear();
        self.runs.clear();
        self.order.start(std::iter::empty());
        self.is_delivered = false;
    }

    /// Returns whether an event is left.
    pub(in crate::trace) fn has_next(&mut self) -> bool {
        self.settle();
        self.order.winner().is_some()
    }

    /// Passes over up to `count` events, and returns how many there were.
    pub(in crate::trace) fn skip(&mut self, count: u64) -> u64 {
        let mut skipped = 0;
        while skipped < count && self.has_next() {
            self.is_delivered = true;
            skipped += 1;
        }
        skipped
    }

    /// Returns the next event.
    #[inline]
    pub(in crate::trace) fn next(&mut self) -> Option<RawEvent<'_>> {
        self.settle();
        let run = self.runs.get(self.order.winner()?)?;
        self.is_delivered = true;
        run.event(&self.store)
    }

    /// Hands on all events that are left, until `deliver` ends it: then the others are forgotten.
    #[inline]
    pub(in crate::trace) fn each(
        &mut self,
        mut deliver: impl FnMut(RawEvent<'_>) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        self.settle();
        while let Some(run) = self.order.winner().and_then(|first| self.runs.get_mut(first)) {
            if run.each(&self.store, self.order.limit(), &mut deliver)?.is_break() {
                self.clear();
                break;
            }
            self.order.next(run.key());
        }
        Ok(())
    }

    /// Replaces the next event by the one after it if it was delivered.
    #[inline]
    fn settle(&mut self) {
        if self.is_delivered
            && let Some(run) = self.order.winner().and_then(|first| self.runs.get_mut(first))
        {
            run.advance(&self.store);
            self.order.next(run.key());
        }
        self.is_delivered = false;
    }

    /// Makes runs of the parts. Parts that follow one another in time are one run: in the order of ties, which is that of
    /// the parts, nothing comes between them.
    fn start(&mut self, sorted: bool) {
        let mut last = i64::MIN;
        for (number, part) in (0..).zip(&self.store.parts) {
            match self.runs.last_mut().filter(|_| !sorted || last <= part.min) {
                Some(run) => run.end = number + 1,
                None => self.runs.push(Run::new(number)),
            }
            last = part.max;
        }
        for run in &mut self.runs {
            run.advance(&self.store);
        }
        self.order.start(self.runs.iter().map(Run::key));
    }

    fn segment(&mut self, trace: &Trace, slice: &Slice, number: usize, accept: &Accept) -> Result<()> {
        let Some((span, indexed)) = self.segments.get(number) else { return Ok(()) };
        let IndexedSegment { segment, buffer, .. } = indexed;
        let Some(source) = trace.source(buffer.file) else { return Ok(()) };
        let part = part_of(trace, slice, span, indexed);
        let Store { parts, listed, copies, arena, kept } = &mut self.store;
        let sort = slice.sorted && !part.is_sorted;
        let picker = Picker { trace, accept, fields: &mut self.fields, sort, parts, listed };
        let (start, end) = (segment.start as usize, segment.end as usize);
        // Copying a whole segment is cheaper than its events one by one, as long as memory allows it.
        let whole = slice.contains(span) || copies.used < limits::MAX_SLICE / 4;
        let offset = buffer.offset + u64::from(segment.start);
        if let Some(place) = kept.place(segment.buffer) {
            let unpacked = kept.bytes(place);
            let bytes = unpacked.get(start..end.min(unpacked.len())).unwrap_or_default();
            picker.held(Part { memory: Memory::Kept(place as u32), ..part }, unpacked, (start, bytes.len()));
        } else if buffer.is_compressed() {
            let place = arena.unpack(source, buffer, segment.buffer)?;
            let is_kept = arena.keep(place);
            let unpacked = arena.held(place);
            let bytes = unpacked.get(start..end.min(unpacked.len())).unwrap_or_default();
            trace.compare(indexed, bytes);
            if is_kept {
                picker.held(Part { memory: Memory::Held(place as u32), ..part }, unpacked, (start, bytes.len()));
            } else if whole {
                let at = copies.push(bytes);
                picker.held(part, copies.bytes(), (at, bytes.len()));
            } else {
                picker.copied(part, bytes, copies);
            }
        } else if whole {
            let at = copies.used;
            let read = source.read_into(offset, copies.room(end - start))?;
            trace.compare(indexed, stretch(copies.bytes(), at as u32, read as u32));
            picker.held(part, copies.bytes(), (at, read));
        } else {
            let bytes = source.window(offset, end - start, &mut self.scratch)?;
            trace.compare(indexed, bytes);
            picker.copied(part, bytes, copies);
        }
        Ok(())
    }
}

/// Returns the part of a slice that a span of it is, without its events.
fn part_of(trace: &Trace, slice: &Slice, span: &Span, indexed: &IndexedSegment) -> Part {
    let IndexedSegment { segment, buffer, .. } = indexed;
    let mut context = buffer.context(segment.buffer);
    context.fallback_time = segment.entry_time;
    context.place.offset = segment.start;
    let clock = trace.sort_clock().of_file(buffer.file);
    // A clock converts times in their order, but those that are too far away not at all.
    let is_whole = |clock: Clock| clock.filetime(segment.min).and(clock.filetime(segment.max)).is_some();
    let is_converted = clock.is_none_or(is_whole);
    let (min, max) = match (is_converted, slice.contains(span)) {
        (true, _) => (span.min.max(slice.from), span.max.min(slice.to)),
        (false, true) => (i64::MIN, i64::MAX),
        (false, false) => (slice.from, slice.to),
    };
    let walk = PartWalk::new(context, segment.before_gap);
    let is_sorted = segment.is_sorted && is_converted;
    Part { events: Events::default(), memory: Memory::Copies, walk, clock, min, max, is_sorted }
}

/// Adds the segments of a slice to its memory.
struct Picker<'a> {
    trace: &'a Trace,
    accept: &'a Accept,
    /// For filters that read the payload.
    fields: &'a mut Scratch,
    /// Whether the events are to be sorted.
    sort: bool,
    parts: &'a mut Vec<Part>,
    listed: &'a mut Vec<Found>,
}

impl Picker<'_> {
    /// Adds a segment that is in memory at a place with a length. Its events are looked for when it is their turn, unless
    /// they must be chosen or sorted.
    fn held(mut self, mut part: Part, memory: &[u8], (at, len): (usize, usize)) {
        if self.accept.takes_all() && !self.sort {
            part.events = Events::Walked(at as u32, len as u32);
            self.parts.push(part);
            return;
        }
        let first = self.listed.len();
        let segment = stretch(memory, at as u32, len as u32);
        self.each(part, segment, |listed, found| listed.push(found.moved(found.at as usize + at)));
        self.list(part, first);
    }

    /// Copies the events that are picked.
    fn copied(mut self, part: Part, segment: &[u8], copies: &mut Copies) {
        let first = self.listed.len();
        self.each(part, segment, |listed, found| {
            listed.push(found.moved(copies.push(stretch(segment, found.at, found.len))));
        });
        self.list(part, first);
    }

    /// Adds the events that were listed from `first` on.
    fn list(self, mut part: Part, first: usize) {
        if self.sort {
            // A stable sort: events of equal time keep their order (section 8.4).
            self.listed.get_mut(first..).unwrap_or_default().sort_by_key(|found| found.key);
        }
        part.events = Events::Listed(first as u32, self.listed.len() as u32);
        self.parts.push(part);
    }

    /// Passes on each event that belongs to the slice, with its place in the segment, and the list of events.
    fn each(&mut self, mut part: Part, segment: &[u8], mut found: impl FnMut(&mut Vec<Found>, Found)) {
        let all = self.accept.takes_all();
        let start = part.walk.context().place.offset;
        while let Some((key, stamp)) = part.next_stamp(segment) {
            let one = Found::new(key, stamp, stamp.offset - start);
            if all || self.accepts(&one, segment, part.walk.context()) {
                found(self.listed, one);
            }
        }
    }

    fn accepts(&mut self, found: &Found, segment: &[u8], context: &BufferContext) -> bool {
        let event = found.view(context, segment);
        event.is_some_and(|event| self.accept.takes(&event, self.trace, self.fields))
    }
}
