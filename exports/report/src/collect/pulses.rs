//! When each event was, by provider, level and buffer.

use std::ops::ControlFlow;

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::select::level_of;
use etwkit::sink::{Sink, Worker};
use etwkit::trace::Trace;
use etwkit_browse::{Density, Extent};

use super::MOST_INTERVALS;

/// Counts all events over time.
#[derive(Debug)]
pub(crate) struct Pulses {
    extent: Extent,
    /// By the id of a type: the lane of its provider.
    lane_of_type: Vec<usize>,
    /// All events, critical events and errors, warnings, and then lanes of providers.
    pub(crate) density: Density,
    /// By the number of a buffer: its first and last event.
    pub(crate) buffers: Vec<Option<BufferSpan>>,
}

/// First and last event of a buffer.
pub(crate) type BufferSpan = (i64, i64);

impl Pulses {
    /// The lane of all events.
    pub(crate) const ALL: usize = 0;
    /// The lane of critical events and errors.
    pub(crate) const ERRORS: usize = 1;
    /// The lane of warnings.
    pub(crate) const WARNINGS: usize = 2;
    /// The first lane of a provider.
    pub(crate) const PROVIDERS: usize = 3;

    /// Begins; `lane_of_type` has the lane of each type's provider, from 0.
    pub(crate) fn new(trace: &Trace, extent: Extent, lane_of_type: Vec<usize>) -> Self {
        let lanes = lane_of_type.iter().max().map_or(0, |last| last + 1);
        let density = Density::new(Self::PROVIDERS + lanes, MOST_INTERVALS);
        Self { extent, lane_of_type, density, buffers: vec![None; trace.buffers().len()] }
    }

    fn add(&mut self, pulse: Pulse) {
        let Pulse { at, event_type, buffer, level } = pulse;
        self.density.add(Self::ALL, at, 1.0);
        match level {
            1 | 2 => self.density.add(Self::ERRORS, at, 1.0),
            3 => self.density.add(Self::WARNINGS, at, 1.0),
            _ => {}
        }
        if let Some(lane) = self.lane_of_type.get(event_type as usize) {
            self.density.add(Self::PROVIDERS + lane, at, 1.0);
        }
        if let Some(span) = self.buffers.get_mut(buffer as usize) {
            let (first, last) = span.unwrap_or((at, at));
            *span = Some((first.min(at), last.max(at)));
        }
    }
}

/// An event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pulse {
    at: i64,
    event_type: u32,
    buffer: u32,
    level: u8,
}

impl Sink for Pulses {
    type Worker = PulseWorker;

    fn worker(&self) -> PulseWorker {
        PulseWorker { extent: self.extent, pulses: Vec::new() }
    }

    fn accept(&mut self, pulses: Vec<Pulse>) -> Result<ControlFlow<()>> {
        for pulse in pulses {
            self.add(pulse);
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Reads the events of one thread.
#[derive(Debug)]
pub(crate) struct PulseWorker {
    extent: Extent,
    pulses: Vec<Pulse>,
}

impl Worker for PulseWorker {
    type Batch = Vec<Pulse>;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        let Some(time) = event.time() else { return Ok(()) };
        let (raw, event_type) = (event.raw(), event.type_id().map(|id| id.0));
        let level = level_of(raw, event.schema()).unwrap_or(0);
        let at = self.extent.units(time);
        self.pulses.push(Pulse { at, event_type: event_type.unwrap_or(u32::MAX), buffer: raw.place().buffer, level });
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.pulses.len() >= FULL
    }

    fn is_overfull(&self) -> bool {
        self.pulses.len() >= OVERFULL
    }

    fn take(&mut self) -> Vec<Pulse> {
        let room = Vec::with_capacity(self.pulses.len());
        std::mem::replace(&mut self.pulses, room)
    }
}

/// Events that are handed over at once on one thread.
const FULL: usize = 1 << 14;
/// Events that wait for those before them.
const OVERFULL: usize = 1 << 17;
