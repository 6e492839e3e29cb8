//! Pulling events one after the other, on one thread.

use crate::container::{Arena, Walk};
use crate::decode::{Event, Scratch};
use crate::error::Result;
use crate::event::RawEvent;
use crate::format::Framing;

use super::Trace;
use super::filter::{Accept, Filter};
use super::run::{Order, RunOptions};
use super::slice::SliceMemory;
use super::slices::{Slice, Slices};

/// The events of a trace in order. Not an [`Iterator`], because an event borrows from it: use
/// `while let Some(event) = events.next()? { ... }`.
#[derive(Debug)]
pub struct Events<'c> {
    trace: &'c Trace,
    accept: Accept,
    slices: Slices,
    pending: Vec<Slice>,
    memory: SliceMemory,
    scratch: Scratch,
}

impl Trace {
    /// All events that pass the filter, in order.
    pub fn events(&self, order: Order, filter: &Filter) -> Events<'_> {
        let options = RunOptions { order, threads: 1, filter: filter.clone(), first: None, last: None };
        Events {
            trace: self,
            accept: Accept::new(filter, self),
            slices: self.slices(&options),
            pending: Vec::new(),
            memory: SliceMemory::default(),
            scratch: Scratch::default(),
        }
    }

    /// The raw events that one processor's buffers hold, in the order of the buffers' first events.
    pub fn processor_events(&self, processor: u16) -> ProcessorEvents<'_> {
        let mut buffers: Vec<(i64, u32)> = Vec::new();
        for span in self.spans() {
            let Some((segment, info)) = self.segment(span.segment) else { continue };
            let may_have = info.processor == processor || info.framing == Framing::Records;
            if may_have && buffers.last().is_none_or(|(_, last)| *last != segment.buffer) {
                buffers.push((span.min, segment.buffer));
            }
        }
        buffers.sort_unstable();
        let buffers = buffers.into_iter().map(|(_, buffer)| buffer).collect();
        ProcessorEvents { trace: self, processor, buffers, next: 0 }
    }
}

impl Events<'_> {
    /// The next event, decoded; `None` at the end.
    #[expect(clippy::should_implement_trait, reason = "an event borrows from the iterator")]
    pub fn next(&mut self) -> Result<Option<Event<'_>>> {
        if !self.advance()? {
            return Ok(None);
        }
        let Some(event) = self.memory.next(self.trace) else { return Ok(None) };
        let key = self.trace.key_of(&event);
        Ok(Some(self.trace.decode(event, key, &mut self.scratch)))
    }

    /// The next event as it lies in the file; `None` at the end. Cheaper when the fields do not matter.
    pub fn next_raw(&mut self) -> Result<Option<RawEvent<'_>>> {
        Ok(if self.advance()? { self.memory.next(self.trace) } else { None })
    }

    /// Makes slices until one has an event left.
    #[inline]
    fn advance(&mut self) -> Result<bool> {
        while !self.memory.has_next() {
            let Some(slice) = self.pending.pop().or_else(|| self.slices.next()) else { return Ok(false) };
            if !self.memory.fill(self.trace, &slice, &self.accept)?
                && let Some((first, second)) = slice.split()
            {
                self.pending.extend([second, first]);
                self.memory.clear();
            }
        }
        Ok(true)
    }
}

/// The raw events of one processor.
#[derive(Debug)]
pub struct ProcessorEvents<'c> {
    trace: &'c Trace,
    processor: u16,
    buffers: Vec<u32>,
    next: usize,
}

impl ProcessorEvents<'_> {
    /// Hands the events of the next buffer to `each`, in the order in which they lie; `false` when there is none.
    pub fn next_buffer(&mut self, arena: &mut Arena, mut each: impl FnMut(&RawEvent<'_>)) -> Result<bool> {
        let Some(number) = self.buffers.get(self.next).copied() else { return Ok(false) };
        self.next += 1;
        let found = self.trace.buffer(number).and_then(|info| Some((info, self.trace.source(info.file)?)));
        let Some((info, source)) = found else { return Ok(false) };
        let loaded = arena.load(source, info)?;
        let mut walk = Walk::new(loaded.bytes, info, number);
        while let Some(event) = walk.next_event() {
            if event.processor() == self.processor {
                each(&event);
            }
        }
        Ok(true)
    }
}
