//! Requests that have an event which passes a filter.

use std::collections::HashSet;
use std::ops::ControlFlow;

use etwkit::decode::Event;
use etwkit::sink::{Sink, Worker};

use crate::limits::MAX_REQUESTS;
use crate::providers;
use crate::request_key::RequestKey;

/// Notes the requests of the events that a run hands over: the first of two runs, over the events that pass a filter.
#[derive(Debug, Default)]
pub struct RequestSelection {
    keys: HashSet<(u16, RequestKey)>,
    /// Events that pass the filters and choose none, since they name no activity.
    pub(crate) without_activity: u64,
    /// Events that pass the filters and belong to requests beyond [`MAX_REQUESTS`].
    pub(crate) beyond_limit: u64,
}

impl RequestSelection {
    pub(crate) fn has(&self, key: (u16, RequestKey)) -> bool {
        self.keys.contains(&key)
    }

    fn event(&mut self, key: Option<(u16, RequestKey)>) {
        match key {
            None => self.without_activity += 1,
            Some(key) if self.keys.len() < MAX_REQUESTS => _ = self.keys.insert(key),
            Some(key) => self.beyond_limit += u64::from(!self.keys.contains(&key)),
        }
    }
}

impl Sink for RequestSelection {
    type Worker = SelectionWorker;

    fn worker(&self) -> SelectionWorker {
        SelectionWorker::default()
    }

    fn accept(&mut self, batch: SelectionBatch) -> etwkit::Result<ControlFlow<()>> {
        for key in batch.keys {
            self.event(key);
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The worker of a [`RequestSelection`].
#[derive(Debug, Default)]
pub struct SelectionWorker {
    keys: Vec<Option<(u16, RequestKey)>>,
}

/// The findings of a [`SelectionWorker`].
#[derive(Debug, Default)]
pub struct SelectionBatch {
    keys: Vec<Option<(u16, RequestKey)>>,
}

impl Worker for SelectionWorker {
    type Batch = SelectionBatch;

    fn event(&mut self, event: &Event<'_>) -> etwkit::Result<()> {
        self.keys.extend(providers::read(event).map(|event| event.request()));
        Ok(())
    }

    fn take(&mut self) -> Self::Batch {
        SelectionBatch { keys: std::mem::take(&mut self.keys) }
    }
}
