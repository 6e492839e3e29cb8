//! Pulling events one after the other, on one thread.

use std::sync::Arc;

use crate::container::{Arena, Walk};
use crate::decode::{Decoder, Event, OwnedEvent, Scratch};
use crate::error::Result;
use crate::event::RawEvent;
use crate::format::Framing;

use super::Trace;
use super::accept::Accept;
use super::buffer_index::IndexedSegment;
use super::filter::Filter;
use super::run_options::{Order, RunOptions};
use super::slices::{Slice, SliceReader, Slices};

/// The events of a trace in order. Not an [`Iterator`], because an event borrows from it: use
/// `while let Some(event) = events.next()? { ... }`, or [`Trace::into_events`] for events that own their bytes.
#[derive(Debug)]
pub struct Events<'t> {
    trace: &'t Trace,
    cursor: Cursor,
}

/// Where the reading of a trace has come to, and the memory that it uses.
#[derive(Debug)]
struct Cursor {
    accept: Arc<Accept>,
    slices: Slices,
    reader: SliceReader,
    scratch: Scratch,
}

impl Trace {
    /// Returns all events, in time order: equal times by processor, then by place.
    pub fn events(&self) -> Events<'_> {
        self.select(&Filter::default())
    }

    /// Returns the events that pass the filter, in time order.
    pub fn select(&self, filter: &Filter) -> Events<'_> {
        self.events_in(Order::Time, filter)
    }

    /// Returns the events that pass the filter, in the given order.
    pub fn events_in(&self, order: Order, filter: &Filter) -> Events<'_> {
        let options = RunOptions { order, threads: 1, filter: filter.clone(), first: None, last: None };
        Events { trace: self, cursor: Cursor::new(self, &options) }
    }

    /// Returns all events in time order as an iterator that owns the trace. The events own their bytes and are
    /// `Send + 'static`; that costs an allocation and a copy each.
    pub fn into_events(self) -> IntoEvents {
        IntoEvents::new(Arc::new(self), &Filter::default())
    }

    /// Returns the raw events in one processor's buffers, in the order of the buffers' first events.
    pub fn processor_events(&self, processor: u16) -> ProcessorEvents<'_> {
        let mut buffers: Vec<(i64, u32)> = Vec::new();
        for IndexedSegment { segment, buffer: info, .. } in self.segments() {
            // A block of records may have events of any processor (section 17).
            let may_have = info.processor == processor || info.framing == Framing::Records;
            if may_have && buffers.last().is_none_or(|(_, last)| *last != segment.buffer) {
                buffers.push((self.sort_clock().key(info.file, segment.min), segment.buffer));
            }
        }
        buffers.sort_unstable();
        let buffers = buffers.into_iter().map(|(_, buffer)| buffer).collect();
        ProcessorEvents { trace: self, processor, buffers, next: 0 }
    }
}

impl<'t> Events<'t> {
    /// Returns the events of these slices alone.
    pub(super) fn of_slices(
        trace: &'t Trace,
        accept: Arc<Accept>,
        slices: impl DoubleEndedIterator<Item = Slice>,
    ) -> Self {
        Self { trace, cursor: Cursor::of_slices(accept, slices) }
    }
}

impl Events<'_> {
    /// Returns the next event, decoded; `None` at the end. Nothing is allocated per event.
    #[expect(clippy::should_implement_trait, reason = "an event borrows from the iterator")]
    pub fn next(&mut self) -> Result<Option<Event<'_>>> {
        self.cursor.next(self.trace)
    }

    /// Returns the next event without its schema; `None` at the end. Cheaper when the fields do not matter.
    pub fn next_raw(&mut self) -> Result<Option<RawEvent<'_>>> {
        Ok(if self.cursor.advance(self.trace)? { self.cursor.reader.memory.next() } else { None })
    }
}

impl Cursor {
    fn new(trace: &Trace, options: &RunOptions) -> Self {
        let accept = Accept::new(&options.filter, trace);
        let slices = trace.run_slices(options, &accept);
        Self::with(Arc::new(accept), slices)
    }

    fn with(accept: Arc<Accept>, slices: Slices) -> Self {
        let (reader, scratch) = <_>::default();
        Self { accept, slices, reader, scratch }
    }

    /// The events of these slices alone.
    fn of_slices(accept: Arc<Accept>, slices: impl DoubleEndedIterator<Item = Slice>) -> Self {
        let mut cursor = Self::with(accept, Slices::none());
        cursor.reader.push(slices);
        cursor
    }

    fn next<'a>(&'a mut self, trace: &'a Trace) -> Result<Option<Event<'a>>> {
        if !self.advance(trace)? {
            return Ok(None);
        }
        let Some(event) = self.reader.memory.next() else { return Ok(None) };
        Ok(Some(Decoder::decode(trace.decoder(), event, &mut self.scratch)))
    }

    /// Makes slices until one has an event left.
    #[inline]
    fn advance(&mut self, trace: &Trace) -> Result<bool> {
        while !self.reader.memory.has_next() {
            if !self.reader.load(trace, &self.accept)? {
                let Some(slice) = self.slices.next(trace) else { return Ok(false) };
                self.reader.push([slice].into_iter());
            }
        }
        Ok(true)
    }
}

/// Iterates the events of a trace that it owns, see [`Trace::into_events`]. After an error it ends.
#[derive(Debug)]
pub struct IntoEvents {
    trace: Arc<Trace>,
    cursor: Cursor,
    failed: bool,
}

impl IntoEvents {
    /// Makes an iterator over the events of a shared trace that pass the filter, in time order: one trace can be
    /// iterated several times, by several threads.
    pub fn new(trace: Arc<Trace>, filter: &Filter) -> Self {
        let options = RunOptions { threads: 1, filter: filter.clone(), ..RunOptions::default() };
        let cursor = Cursor::new(&trace, &options);
        Self { trace, cursor, failed: false }
    }

    /// Returns the trace.
    pub const fn trace(&self) -> &Arc<Trace> {
        &self.trace
    }
}

impl Iterator for IntoEvents {
    type Item = Result<OwnedEvent>;

    fn next(&mut self) -> Option<Result<OwnedEvent>> {
        if self.failed {
            return None;
        }
        let next = self.cursor.next(&self.trace);
        let next = next.map(|event| event.map(|event| event.to_owned())).transpose();
        self.failed = matches!(next, Some(Err(_)));
        next
    }
}

/// All events in time order, see [`Trace::into_events`].
impl IntoIterator for Trace {
    type Item = Result<OwnedEvent>;
    type IntoIter = IntoEvents;

    fn into_iter(self) -> IntoEvents {
        self.into_events()
    }
}

/// The raw events of one processor.
#[derive(Debug)]
pub struct ProcessorEvents<'t> {
    trace: &'t Trace,
    processor: u16,
    buffers: Vec<u32>,
    next: usize,
}

impl ProcessorEvents<'_> {
    /// Hands the events of the next buffer to `each`, in the order of the file; `false` when there is none.
    pub fn next_buffer(&mut self, arena: &mut Arena, mut each: impl FnMut(&RawEvent<'_>)) -> Result<bool> {
        let Some(number) = self.buffers.get(self.next).copied() else { return Ok(false) };
        self.next += 1;
        let found = self.trace.buffer(number).and_then(|info| Some((info, self.trace.source(info.file)?)));
        let Some((info, source)) = found else { return Ok(false) };
        let loaded = arena.load(source, &info)?;
        let mut walk = Walk::new(loaded.bytes, &info, number);
        while let Some(event) = walk.next_event() {
            if event.processor() == self.processor {
                each(&event);
            }
        }
        Ok(true)
    }
}
