//! The events of one slice, in order.

use crate::container::{Arena, Walk};
use crate::error::Result;
use crate::event::{Context, KeyId, Place, RawEvent};
use crate::format::Marker;
use crate::limits;

use super::Census;
use super::filter::Accept;
use super::slices::{Slice, Span};

/// An event of a slice: what it is sorted by, what it is, and where its bytes are.
#[derive(Clone, Copy, Debug)]
struct Entry {
    time: i64,
    /// Key id, or [`NO_KEY`].
    key: u32,
    buffer: u32,
    /// From the start of the (unpacked) buffer.
    offset: u32,
    /// In the slice's bytes; [`LENT`] if the source lends the event's bytes.
    at: u32,
}

const NO_KEY: u32 = u32::MAX;
const LENT: u32 = u32::MAX;

/// Memory of one worker, used again for each slice.
#[derive(Debug, Default)]
pub(super) struct SliceMemory {
    entries: Vec<Entry>,
    bytes: Bytes,
    arena: Arena,
    scratch: Vec<u8>,
    at: usize,
}

/// Copies of events whose source does not lend. Grows only: the memory behind `used` is written again and again.
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
    pub(super) fn fill(&mut self, census: &Census, slice: &Slice, accept: &Accept) -> Result<bool> {
        self.clear();
        for span in &slice.spans {
            self.span(census, slice, *span, accept)?;
            let held = self.bytes.used + self.entries.len() * size_of::<Entry>();
            if held > 2 * limits::MAX_SLICE && slice.spans.len() > 1 {
                return Ok(false);
            }
        }
        if slice.sorted {
            self.entries.sort_by_key(|entry| entry.time);
        }
        Ok(true)
    }

    /// Forgets all events.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.bytes.used = 0;
        self.at = 0;
    }

    /// Whether an event is left.
    pub(super) const fn has_next(&self) -> bool {
        self.at < self.entries.len()
    }

    /// How many events were found.
    pub(super) const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Passes over `count` events.
    pub(super) const fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count);
    }

    /// The next event and its key.
    #[inline]
    pub(super) fn next<'s>(&'s mut self, census: &'s Census) -> Option<(RawEvent<'s>, Option<KeyId>)> {
        let entry = *self.entries.get(self.at)?;
        self.at += 1;
        let buffer = census.buffer(entry.buffer)?;
        let bytes = if entry.at == LENT {
            let offset = buffer.offset + u64::from(entry.offset);
            census.source(buffer.file)?.window(offset, usize::from(u16::MAX), &mut self.scratch).ok()?
        } else {
            self.bytes.memory.get(entry.at as usize..self.bytes.used)?
        };
        let context = Context {
            processor: buffer.processor,
            fallback_time: census.sort_clock().raw(buffer.file, entry.time),
            old: census.has_old_instances(buffer.file),
            place: Place { file: buffer.file, buffer: entry.buffer, offset: entry.offset },
        };
        let marker = Marker::read(bytes)?;
        let event = RawEvent::new(bytes.get(..marker.len)?, marker, context)?;
        Some((event, (entry.key != NO_KEY).then_some(KeyId(entry.key))))
    }

    fn span(&mut self, census: &Census, slice: &Slice, span: Span, accept: &Accept) -> Result<()> {
        let Some((segment, buffer)) = census.segment(span.segment) else { return Ok(()) };
        let Some(source) = census.source(buffer.file) else { return Ok(()) };
        let context = Context {
            processor: buffer.processor,
            fallback_time: segment.entry_time,
            old: census.has_old_instances(buffer.file),
            place: Place { file: buffer.file, buffer: segment.buffer, offset: segment.start },
        };
        let inside = span.min >= slice.from && span.max <= slice.to;
        let mut entries = Entries { census, slice, accept, inside, list: &mut self.entries };
        let len = (segment.end - segment.start) as usize;
        // Copying a whole segment is cheaper than its events one by one, as long as memory allows it.
        let whole = inside || self.bytes.used < limits::MAX_SLICE / 4;
        if buffer.is_compressed() {
            let unpacked = self.arena.unpacked(source, buffer, segment.buffer)?;
            let part = unpacked.get(segment.start as usize..segment.end as usize).unwrap_or_default();
            entries.copied(part, context, &mut self.bytes, whole);
            return Ok(());
        }
        let offset = buffer.offset + u64::from(segment.start);
        if source.lends() {
            entries.lent(source.window(offset, len, &mut self.scratch)?, context);
        } else if whole {
            let at = self.bytes.used;
            let read = source.read_into(offset, self.bytes.room(len))?;
            let part = self.bytes.memory.get(at..at + read).unwrap_or_default();
            entries.held(part, context, at);
        } else {
            entries.copied(source.window(offset, len, &mut self.scratch)?, context, &mut self.bytes, false);
        }
        Ok(())
    }
}

/// Picks the events of a segment that belong to the slice.
struct Entries<'a> {
    census: &'a Census,
    slice: &'a Slice,
    accept: &'a Accept,
    /// All of the segment lies between the slice's times.
    inside: bool,
    list: &'a mut Vec<Entry>,
}

impl Entries<'_> {
    fn lent(&mut self, part: &[u8], context: Context) {
        let mut walk = Walk::part(part, context);
        while let Some(event) = walk.next_event() {
            self.push(&event, LENT);
        }
    }

    /// The segment lies at `at` of the slice's bytes already.
    fn held(&mut self, part: &[u8], context: Context, at: usize) {
        let mut walk = Walk::part(part, context);
        while let Some(event) = walk.next_event() {
            self.push(&event, at as u32 + (event.place().offset - context.place.offset));
        }
    }

    /// Copies the segment as a whole, or only the events that are picked.
    fn copied(&mut self, part: &[u8], context: Context, bytes: &mut Bytes, whole: bool) {
        let at = bytes.used;
        if whole {
            bytes.push(part);
            self.held(part, context, at);
            return;
        }
        let mut walk = Walk::part(part, context);
        while let Some(event) = walk.next_event() {
            if self.push(&event, bytes.used as u32) {
                bytes.push(event.bytes());
            }
        }
    }

    #[inline]
    fn push(&mut self, event: &RawEvent<'_>, at: u32) -> bool {
        let place = event.place();
        let time = self.census.sort_clock().key(place.file, event.time());
        if !self.inside && (time < self.slice.from || time > self.slice.to) {
            return false;
        }
        let key = self.census.key_of(event);
        if !self.accept.takes(event, key) {
            return false;
        }
        let key = key.map_or(NO_KEY, |key| key.0);
        self.list.push(Entry { time, key, buffer: place.buffer, offset: place.offset, at });
        true
    }
}
