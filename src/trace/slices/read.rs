//! The events of one slice, in order.

use crate::container::{Arena, Stamp, Walk};
use crate::decode::Scratch;
use crate::error::Result;
use crate::event::{BufferContext, Place, RawEvent};
use crate::format::{HeaderType, Marker};
use crate::limits;

use crate::time::RawTime;
use crate::trace::Trace;
use crate::trace::filter::Accept;

use super::{Slice, SortClock, Span};

/// An event of a slice: its sort key, its layout, and the place of its bytes.
#[derive(Clone, Copy, Debug)]
struct SliceEvent {
    time: i64,
    buffer: u32,
    /// From the start of the (unpacked) buffer.
    offset: u32,
    /// In the slice's bytes; [`LENT`] if the source lends the event's bytes.
    at: u32,
    kind: Packed,
}

/// Layout and length of an event in four bytes, so that many fit into memory.
#[derive(Clone, Copy, Debug)]
struct Packed(u32);

impl Packed {
    /// An event is shorter than a buffer, whose limit has 24 bits.
    const fn new(marker: Marker) -> Self {
        const { assert!(limits::MAX_BUFFER <= 1 << 24) }
        Self((marker.header.index() as u32) << 24 | marker.len as u32)
    }

    const fn len(self) -> usize {
        (self.0 & 0xFF_FFFF) as usize
    }

    fn marker(self) -> Option<Marker> {
        Some(Marker { header: *HeaderType::ALL.get((self.0 >> 24) as usize)?, len: self.len() })
    }
}

const LENT: u32 = u32::MAX;

/// Memory of one worker, used again for each slice.
#[derive(Debug, Default)]
pub(in crate::trace) struct SliceMemory {
    events: Vec<SliceEvent>,
    bytes: Bytes,
    arena: Arena,
    scratch: Vec<u8>,
    fields: Scratch,
    at: usize,
    /// What is the same for all events of the buffer that the last one came from.
    current: BufferContext,
}

/// Copies of events whose source does not lend. Grows only: the memory after `used` is reused.
#[derive(Debug, Default)]
struct Bytes {
    memory: Vec<u8>,
    used: usize,
}

impl Bytes {
    /// Room for `len` more bytes, which from now on are used.
    fn room(&mut self, len: usize) -> &mut [u8] {
        let start = self.used;
        self.used += len;
        if self.memory.len() < self.used {
            self.memory.resize(self.used, 0);
        }
        self.memory.get_mut(start..self.used).unwrap_or_default()
    }

    fn push(&mut self, bytes: &[u8]) {
        self.room(bytes.len()).copy_from_slice(bytes);
    }
}

impl SliceMemory {
    /// Finds the events of a slice that `accept` takes. False if they are too many: the slice must be split.
    pub(in crate::trace) fn fill(&mut self, trace: &Trace, slice: &Slice, accept: &Accept) -> Result<bool> {
        self.clear();
        for span in &slice.spans {
            self.span(trace, slice, *span, accept)?;
            let held = self.bytes.used + self.events.len() * size_of::<SliceEvent>();
            // One span cannot be too large: it is part of one buffer.
            if held > 2 * limits::MAX_SLICE && slice.spans.len() > 1 {
                return Ok(false);
            }
        }
        if slice.sorted {
            // A stable sort: events of equal time keep the order of the spans (section 8.4).
            self.events.sort_by_key(|entry| entry.time);
        }
        Ok(true)
    }

    /// Forgets all events.
    pub(in crate::trace) fn clear(&mut self) {
        self.events.clear();
        self.bytes.used = 0;
        self.at = 0;
    }

    /// Returns whether an event is left.
    pub(in crate::trace) const fn has_next(&self) -> bool {
        self.at < self.events.len()
    }

    /// Returns how many events were found.
    pub(in crate::trace) const fn len(&self) -> usize {
        self.events.len()
    }

    /// Passes over `count` events.
    pub(in crate::trace) const fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count);
    }

    /// The next event.
    #[inline]
    pub(in crate::trace) fn next<'s>(&'s mut self, trace: &'s Trace) -> Option<RawEvent<'s>> {
        let entry = *self.events.get(self.at)?;
        self.at += 1;
        // Before the first event, `current` is still that of the previous slice.
        if self.current.place.buffer != entry.buffer || self.at == 1 {
            self.current = trace.context_of(entry.buffer)?;
        }
        let mut context = self.current;
        context.place.offset = entry.offset;
        context.fallback_time = match trace.sort_clock() {
            SortClock::Shared => RawTime(entry.time),
            clock @ SortClock::Utc(_) => clock.raw(context.place.file, entry.time),
        };
        let marker = entry.kind.marker()?;
        let len = marker.len;
        let bytes = if entry.at == LENT {
            let offset = trace.buffer(entry.buffer)?.offset + u64::from(entry.offset);
            trace.source(context.place.file)?.window(offset, len, &mut self.scratch).ok()?
        } else {
            self.bytes.memory.get(entry.at as usize..)?.get(..len)?
        };
        RawEvent::new(bytes, marker, context)
    }

    fn span(&mut self, trace: &Trace, slice: &Slice, span: Span, accept: &Accept) -> Result<()> {
        let Some((segment, buffer)) = trace.segment(span.segment) else { return Ok(()) };
        let Some(source) = trace.source(buffer.file) else { return Ok(()) };
        let Some(mut context) = trace.context_of(segment.buffer) else { return Ok(()) };
        context.fallback_time = segment.entry_time;
        context.place.offset = segment.start;
        let inside = span.min >= slice.from && span.max <= slice.to;
        let (list, fields) = (&mut self.events, &mut self.fields);
        let before_gap = segment.before_gap;
        let mut picker = EventPicker { trace, slice, accept, inside, before_gap, list, fields };
        let len = (segment.end - segment.start) as usize;
        // Copying a whole segment is cheaper than its events one by one, as long as memory allows it.
        let whole = inside || self.bytes.used < limits::MAX_SLICE / 4;
        if buffer.is_compressed() {
            let unpacked = self.arena.unpacked(source, buffer, segment.buffer)?;
            let part = unpacked.get(segment.start as usize..segment.end as usize).unwrap_or_default();
            picker.copied(part, context, &mut self.bytes, whole);
            return Ok(());
        }
        let offset = buffer.offset + u64::from(segment.start);
        if source.lends() {
            picker.lent(source.window(offset, len, &mut self.scratch)?, context);
        } else if whole {
            let at = self.bytes.used;
            let read = source.read_into(offset, self.bytes.room(len))?;
            let part = self.bytes.memory.get(at..at + read).unwrap_or_default();
            picker.held(part, context, at);
        } else {
            picker.copied(source.window(offset, len, &mut self.scratch)?, context, &mut self.bytes, false);
        }
        Ok(())
    }
}

/// Picks the events of a segment that belong to the slice.
struct EventPicker<'a> {
    trace: &'a Trace,
    slice: &'a Slice,
    accept: &'a Accept,
    /// The whole segment is between the slice's times.
    inside: bool,
    /// Whether a gap follows the segment.
    before_gap: bool,
    list: &'a mut Vec<SliceEvent>,
    /// For filters that read the payload.
    fields: &'a mut Scratch,
}

impl EventPicker<'_> {
    fn lent(&mut self, part: &[u8], context: BufferContext) {
        self.each(part, context, |entry| SliceEvent { at: LENT, ..entry });
    }

    /// The segment is already at `at` of the slice's bytes.
    fn held(&mut self, part: &[u8], context: BufferContext, at: usize) {
        let shift = (at as u32).wrapping_sub(context.place.offset);
        self.each(part, context, |entry| SliceEvent { at: entry.offset.wrapping_add(shift), ..entry });
    }

    /// Copies the segment as a whole, or only the events that are picked.
    fn copied(&mut self, part: &[u8], context: BufferContext, bytes: &mut Bytes, whole: bool) {
        if whole {
            let at = bytes.used;
            bytes.push(part);
            self.held(part, context, at);
            return;
        }
        let start = context.place.offset;
        self.each(part, context, |entry| {
            let at = bytes.used as u32;
            let from = (entry.offset - start) as usize;
            bytes.push(part.get(from..from + entry.kind.len()).unwrap_or_default());
            SliceEvent { at, ..entry }
        });
    }

    /// Lists each event that belongs to the slice, with its bytes placed by `place`.
    #[inline]
    fn each(&mut self, part: &[u8], context: BufferContext, mut place: impl FnMut(SliceEvent) -> SliceEvent) {
        let Place { file, buffer, offset: start } = context.place;
        let (from, to) = if self.inside { (i64::MIN, i64::MAX) } else { (self.slice.from, self.slice.to) };
        let clock = self.trace.sort_clock().of_file(file);
        let all = self.accept.takes_all();
        let mut walk = Walk::part(part, context).before_gap(self.before_gap);
        while let Some(Stamp { offset, marker, time }) = walk.next_stamp() {
            let key = clock.and_then(|clock| clock.filetime(time)).map_or(time.0, |time| time.0);
            if key < from || key > to {
                continue;
            }
            let entry = SliceEvent { time: key, buffer, offset, at: 0, kind: Packed::new(marker) };
            if all || self.accepts(part, entry, BufferContext { fallback_time: time, ..context }, start) {
                self.list.push(place(entry));
            }
        }
    }

    fn accepts(&mut self, part: &[u8], entry: SliceEvent, context: BufferContext, start: u32) -> bool {
        let at = (entry.offset - start) as usize;
        let Some(marker) = entry.kind.marker() else { return false };
        let Some(bytes) = part.get(at..at + marker.len) else { return false };
        let Some(event) = RawEvent::new(bytes, marker, context) else { return false };
        self.accept.takes(&event, self.trace, self.fields)
    }
}
