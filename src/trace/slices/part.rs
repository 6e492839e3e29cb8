//! The segments of a slice in memory, and the runs that they make.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::clock::Clock;
use crate::container::{Arena, PartWalk, Stamp};
use crate::error::Result;
use crate::event::{BufferContext, Place, RawEvent};
use crate::format::{HeaderType, Marker};
use crate::time::RawTime;
use crate::trace::kept_buffers::KeptBuffers;

/// An event of a slice: its sort key, what its [`Stamp`] states, and the place of its bytes in the memory of its part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) key: i64,
    time: RawTime,
    offset: u32,
    pub(super) at: u32,
    pub(super) len: u32,
    header: HeaderType,
}

impl Found {
    #[inline]
    pub(super) const fn new(key: i64, stamp: Stamp, at: u32) -> Self {
        let Stamp { offset, marker: Marker { header, len }, time } = stamp;
        Self { key, time, offset, at, len: len as u32, header }
    }

    /// The same event, whose bytes are at another place.
    pub(super) fn moved(self, at: usize) -> Self {
        Self { at: at as u32, ..self }
    }

    /// Views the event in the memory of its part, whose context is given.
    #[inline]
    pub(super) fn view<'s>(&self, context: &BufferContext, memory: &'s [u8]) -> Option<RawEvent<'s>> {
        let bytes = memory.get(self.at as usize..self.at as usize + self.len as usize)?;
        let place = Place { offset: self.offset, ..context.place };
        Some(RawEvent::stamped(bytes, self.header, self.time, place, context))
    }
}

/// The events of a slice.
#[derive(Debug, Default)]
pub(super) struct Store {
    /// In the order of the slice's spans.
    pub(super) parts: Vec<Part>,
    /// Events of parts that are not walked when they are delivered.
    pub(super) listed: Vec<Found>,
    pub(super) copies: Copies,
    /// Unpacked buffers, of which parts are used in place.
    pub(super) arena: Arena,
    /// Those of the trace.
    pub(super) kept: Arc<KeptBuffers>,
}

impl Store {
    pub(super) fn clear(&mut self) {
        self.parts.clear();
        self.listed.clear();
        self.copies.used = 0;
        self.arena.release();
    }

    /// Returns how many bytes are used.
    pub(super) const fn held(&self) -> usize {
        self.copies.used + self.listed.len() * size_of::<Found>()
    }

    /// Returns the memory in which a part has its events.
    #[inline]
    fn memory_of(&self, part: &Part) -> &[u8] {
        match part.memory {
            Memory::Copies => self.copies.bytes(),
            Memory::Held(place) => self.arena.held(place as usize),
            Memory::Kept(place) => self.kept.bytes(place as usize),
        }
    }
}

/// Copies of segments and events. Grows only: the memory after `used` is reused.
#[derive(Debug, Default)]
pub(super) struct Copies {
    memory: Vec<u8>,
    pub(super) used: usize,
}

impl Copies {
    /// Room for `len` more bytes, which from now on are used.
    pub(super) fn room(&mut self, len: usize) -> &mut [u8] {
        let start = self.used;
        self.used += len;
        if self.memory.len() < self.used {
            self.memory.resize(self.used, 0);
        }
        self.memory.get_mut(start..self.used).unwrap_or_default()
    }

    /// Adds a copy, and returns its place.
    pub(super) fn push(&mut self, bytes: &[u8]) -> usize {
        let at = self.used;
        self.room(bytes.len()).copy_from_slice(bytes);
        at
    }

    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.memory
    }
}

/// Returns some bytes of memory; none if they are not in it.
#[inline]
pub(super) fn stretch(memory: &[u8], at: u32, len: u32) -> &[u8] {
    memory.get(at as usize..at as usize + len as usize).unwrap_or_default()
}

/// The events of a segment that are in the slice.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Part {
    pub(super) events: Events,
    pub(super) memory: Memory,
    pub(super) walk: PartWalk,
    /// The clock of the sort keys, unless they are raw times.
    pub(super) clock: Option<Clock>,
    /// Keys of the events are from this ...
    pub(super) min: i64,
    /// ... to this.
    pub(super) max: i64,
    /// Whether the segment's events are in the order of their keys.
    pub(super) is_sorted: bool,
}

/// The memory that the events of a part are in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Memory {
    /// Copies of the slice.
    #[default]
    Copies,
    /// An unpacked buffer of the slice, at a place of its arena.
    Held(u32),
    /// An unpacked buffer of the trace, at a place.
    Kept(u32),
}

/// Where the events of a part are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Events {
    /// In these bytes of the memory: start and length.
    Walked(u32, u32),
    /// From one place of the list to another.
    Listed(u32, u32),
}

impl Default for Events {
    fn default() -> Self {
        Self::Listed(0, 0)
    }
}

impl Part {
    /// Returns the next event of `segment` that is in the slice, with its key.
    #[inline]
    pub(super) fn next_stamp(&mut self, segment: &[u8]) -> Option<(i64, Stamp)> {
        loop {
            let stamp = self.walk.next_stamp(segment)?;
            let key = match &self.clock {
                None => stamp.time.0,
                Some(clock) => clock.filetime(stamp.time).map_or(stamp.time.0, |time| time.0),
            };
            if key >= self.min && key <= self.max {
                return Some((key, stamp));
            }
            if self.is_sorted && key > self.max {
                return None;
            }
        }
    }

    /// Returns the segment if the order of its events is that of their raw times, which are their keys; else one
    /// without bytes.
    #[inline]
    fn straight<'s>(&self, memory: &'s [u8]) -> Straight<'s> {
        match self.events {
            Events::Walked(at, len) if self.is_sorted && self.clock.is_none() => {
                // Offsets count from the start of the buffer.
                let base = at.wrapping_sub(self.walk.context().place.offset);
                Straight { bytes: stretch(memory, at, len), base }
            }
            _ => Straight { bytes: &[], base: 0 },
        }
    }

    /// Passes over the events before the slice, which are many where it begins within a buffer.
    fn begin(&mut self, store: &Store) {
        if let Events::Walked(at, len) = self.events
            && self.is_sorted
            && self.clock.is_none()
        {
            self.walk.pass_before(stretch(store.memory_of(self), at, len), RawTime(self.min));
        }
    }

    #[inline]
    fn next(&mut self, store: &Store) -> Option<Found> {
        match &mut self.events {
            &mut Events::Walked(at, len) => {
                let start = self.walk.context().place.offset;
                let (key, stamp) = self.next_stamp(stretch(store.memory_of(self), at, len))?;
                Some(Found::new(key, stamp, at + (stamp.offset - start)))
            }
            Events::Listed(next, end) => {
                let found = *store.listed.get(*next as usize..*end as usize)?.first()?;
                *next += 1;
                Some(found)
            }
        }
    }
}

/// A segment whose events follow one another in time.
struct Straight<'s> {
    bytes: &'s [u8],
    /// The place of the buffer in memory, modulo 2^32.
    base: u32,
}

impl Straight<'_> {
    #[inline]
    const fn found(&self, stamp: Stamp) -> Found {
        Found::new(stamp.time.0, stamp, self.base.wrapping_add(stamp.offset))
    }
}

/// Parts of which each begins when the one before it is over.
#[derive(Debug)]
pub(super) struct Run {
    /// The next event.
    head: Option<Found>,
    /// The part that it is of; before the first, one without events.
    part: Part,
    next: u32,
    /// The first part after the run.
    pub(super) end: u32,
}

impl Run {
    /// A run of one part.
    pub(super) fn new(part: u32) -> Self {
        Self { head: None, part: Part::default(), next: part, end: part + 1 }
    }

    /// Returns the key of the next event; `None` at the end.
    #[inline]
    pub(super) fn key(&self) -> Option<i64> {
        self.head.as_ref().map(|head| head.key)
    }

    /// Returns the next event.
    #[inline]
    pub(super) fn event<'s>(&self, store: &'s Store) -> Option<RawEvent<'s>> {
        self.head.as_ref()?.view(self.part.walk.context(), store.memory_of(&self.part))
    }

    /// Hands on the events whose keys are at most `limit`, the next one whatever its key is.
    #[inline]
    pub(super) fn each<'s>(
        &mut self,
        store: &'s Store,
        limit: i64,
        deliver: &mut impl FnMut(RawEvent<'s>) -> Result<ControlFlow<()>>,
    ) -> Result<ControlFlow<()>> {
        while let Some(mut head) = self.head {
            // Copies, which stay in registers.
            let memory = store.memory_of(&self.part);
            let (mut walk, segment, max) = (self.part.walk, self.part.straight(memory), self.part.max);
            let next = loop {
                if let Some(event) = head.view(walk.context(), memory)
                    && deliver(event)?.is_break()
                {
                    return Ok(ControlFlow::Break(()));
                }
                let Some(next) = walk.next_timed(segment.bytes).map(|stamp| segment.found(stamp)) else { break None };
                if next.key > limit.min(max) {
                    break Some(next);
                }
                head = next;
            };
            self.part.walk.resume(&walk);
            self.head = next.filter(|next| next.key <= max);
            match next {
                None => self.advance(store),
                Some(_) if self.head.is_none() => self.advance_part(store),
                Some(_) => {}
            }
            if self.key().is_none_or(|key| key > limit) {
                break;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Goes to the event after the next one.
    #[inline]
    pub(super) fn advance(&mut self, store: &Store) {
        self.head = self.part.next(store);
        if self.head.is_none() {
            self.advance_part(store);
        }
    }

    #[inline(never)]
    fn advance_part(&mut self, store: &Store) {
        while self.head.is_none()
            && self.next < self.end
            && let Some(part) = store.parts.get(self.next as usize)
        {
            self.part = *part;
            self.part.begin(store);
            self.next += 1;
            self.head = self.part.next(store);
        }
    }
}
