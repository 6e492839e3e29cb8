//! Reads events on one thread.

use std::sync::Arc;

use etwkit::decode::{Event, Fit, PendingEvent};
use etwkit::error::Result;
use etwkit::sink::Worker;

use super::ThreadFact;

/// Reads the events of one thread.
#[derive(Debug)]
pub struct ThreadWorker {
    /// Whether events of a type are read, by its id.
    wanted: Arc<[bool]>,
    facts: Vec<ThreadFact>,
    frames: Vec<u64>,
}

/// Facts that are handed over at once on one thread.
const FULL: usize = 1024;

impl ThreadWorker {
    pub(super) fn new(wanted: Arc<[bool]>) -> Self {
        Self { wanted, facts: Vec::new(), frames: Vec::new() }
    }
}

impl Worker for ThreadWorker {
    type Batch = Vec<ThreadFact>;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        self.facts.extend(ThreadFact::of(event, &mut self.frames));
        Ok(())
    }

    fn pending(&mut self, pending: &mut PendingEvent<'_>) -> Result<Option<Fit>> {
        let id = pending.event_type().map(|row| row.id().0 as usize);
        if !id.and_then(|id| self.wanted.get(id)).is_some_and(|wanted| *wanted) {
            return Ok(None);
        }
        let event = pending.locate();
        self.event(&event)?;
        Ok(event.schema().map(|_| event.fit()))
    }

    fn is_full(&self) -> bool {
        self.facts.len() >= FULL
    }

    fn take(&mut self) -> Vec<ThreadFact> {
        std::mem::take(&mut self.facts)
    }
}
