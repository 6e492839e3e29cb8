//! Reads events on one thread.

use std::fmt;
use std::sync::Arc;

use etwkit::decode::{Event, EventType, Fit, PendingEvent};
use etwkit::error::Result;
use etwkit::sink::Worker;

/// Reads what a profile takes of an event; the list is memory for frames, to use again.
pub(crate) type Read<'t, F> = Box<dyn FnMut(&Event<'_>, &mut Vec<u64>) -> Option<F> + Send + 't>;

/// Reads the events of one thread.
pub struct ProfileWorker<'t, F> {
    /// Whether events of a type are read, by its id.
    wanted: Arc<[bool]>,
    read: Read<'t, F>,
    facts: Vec<F>,
    frames: Vec<u64>,
}

/// Facts that are handed over at once on one thread.
const FULL: usize = 1024;
/// Facts that wait for those before them.
const OVERFULL: usize = 1 << 17;

impl<'t, F> ProfileWorker<'t, F> {
    pub(crate) fn new(wanted: Arc<[bool]>, read: Read<'t, F>) -> Self {
        Self { wanted, read, facts: Vec::new(), frames: Vec::new() }
    }

    fn reads(&self, event_type: Option<&EventType>) -> bool {
        event_type.and_then(|row| self.wanted.get(row.id().0 as usize)).is_some_and(|wanted| *wanted)
    }
}

impl<F> fmt::Debug for ProfileWorker<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProfileWorker").field("facts", &self.facts.len()).finish_non_exhaustive()
    }
}

impl<F: Send> Worker for ProfileWorker<'_, F> {
    type Batch = Vec<F>;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        if self.reads(event.event_type()) {
            self.facts.extend((self.read)(event, &mut self.frames));
        }
        Ok(())
    }

    fn pending(&mut self, pending: &mut PendingEvent<'_>) -> Result<Option<Fit>> {
        if !self.reads(pending.event_type()) {
            return Ok(None);
        }
        let event = pending.locate();
        self.event(&event)?;
        Ok(event.layout_fit())
    }

    fn is_full(&self) -> bool {
        self.facts.len() >= FULL
    }

    fn is_overfull(&self) -> bool {
        self.facts.len() >= OVERFULL
    }

    fn take(&mut self) -> Vec<F> {
        std::mem::take(&mut self.facts)
    }
}
