//! The events of one slice, in order.

use crate::container::{Arena, Walk};
use crate::error::Result;
use crate::event::{Context, Place, RawEvent};
use crate::format::Marker;
use crate::limits;

use super::Census;
use super::filter::Accept;
use super::keys::KeyId;
use super::slices::{Slice, Span};

/// An event of a slice: where its bytes are and what it is sorted by.
#[derive(Clone, Copy, Debug)]
struct Entry {
    time: i64,
    raw_time: i64,
    /// In the slice's arena, or in the file if the source lends.
    at: u64,
    place: Place,
    key: Option<KeyId>,
    lent: bool,
    len: u16,
}

/// Memory of one worker, used again for each slice.
#[derive(Debug, Default)]
pub(super) struct SliceMemory {
    entries: Vec<Entry>,
    /// Copies of events whose source does not lend.
    bytes: Vec<u8>,
    arena: Arena,
    scratch: Vec<u8>,
    at: usize,
}

impl SliceMemory {
    /// Finds the events of a slice that `accept` takes. False if they are too many: the slice must be split.
    pub(super) fn fill(&mut self, census: &Census, slice: &Slice, accept: &Accept) -> Result<bool> {
        self.entries.clear();
        self.bytes.clear();
        self.at = 0;
        for span in &slice.spans {
            self.span(census, slice, *span, accept)?;
            let too_much = self.bytes.len() > 2 * limits::MAX_SLICE
                || self.entries.len() * size_of::<Entry>() > 2 * limits::MAX_SLICE;
            if too_much && slice.spans.len() > 1 {
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
        let bytes: &[u8] = if entry.lent {
            let source = census.source(entry.place.file)?;
            source.window(entry.at, usize::from(entry.len), &mut self.scratch).ok()?
        } else {
            let start = usize::try_from(entry.at).ok()?;
            self.bytes.get(start..start + usize::from(entry.len))?
        };
        let buffer = census.buffer(entry.place.buffer)?;
        let context = Context {
            processor: buffer.processor,
            fallback_time: entry.raw_time,
            old: census.has_old_instances(entry.place.file),
            place: entry.place,
        };
        Some((RawEvent::new(bytes, Marker::read(bytes)?, context)?, entry.key))
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
        let whole = span.min >= slice.from && span.max <= slice.to;
        let len = (segment.end - segment.start) as usize;
        let mut entries = Entries { census, slice, accept, whole, list: &mut self.entries };
        if buffer.is_compressed() {
            let unpacked = self.arena.unpacked(source, buffer, segment.buffer)?;
            let part = unpacked.get(segment.start as usize..segment.end as usize).unwrap_or_default();
            entries.copied(part, context, &mut self.bytes);
        } else {
            let offset = buffer.offset + u64::from(segment.start);
            let part = source.window(offset, len, &mut self.scratch)?;
            if source.lends() {
                entries.lent(part, context, offset);
            } else {
                entries.copied(part, context, &mut self.bytes);
            }
        }
        Ok(())
    }
}

/// Picks the events of a segment that belong to the slice.
struct Entries<'a> {
    census: &'a Census,
    slice: &'a Slice,
    accept: &'a Accept,
    whole: bool,
    list: &'a mut Vec<Entry>,
}

impl Entries<'_> {
    fn lent(&mut self, part: &[u8], context: Context, offset: u64) {
        let mut walk = Walk::part(part, context);
        while let Some(event) = walk.next_event() {
            let at = offset + u64::from(event.place().offset - context.place.offset);
            self.push(&event, at, true);
        }
    }

    /// Copies the segment if all of it belongs to the slice, else its events one by one.
    fn copied(&mut self, part: &[u8], context: Context, bytes: &mut Vec<u8>) {
        let base = bytes.len() as u64;
        if self.whole {
            bytes.extend_from_slice(part);
        }
        let mut walk = Walk::part(part, context);
        while let Some(event) = walk.next_event() {
            if self.whole {
                self.push(&event, base + u64::from(event.place().offset - context.place.offset), false);
            } else if self.push(&event, bytes.len() as u64, false) {
                bytes.extend_from_slice(event.bytes());
            }
        }
    }

    #[inline]
    fn push(&mut self, event: &RawEvent<'_>, at: u64, lent: bool) -> bool {
        let place = event.place();
        let time = self.census.sort_clock().key(place.file, event.time());
        if time < self.slice.from || time > self.slice.to {
            return false;
        }
        let key = self.census.key_of(event);
        if !self.accept.takes(event, key) {
            return false;
        }
        let len = event.bytes().len() as u16;
        self.list.push(Entry { time, raw_time: event.time(), at, place, key, lent, len });
        true
    }
}
