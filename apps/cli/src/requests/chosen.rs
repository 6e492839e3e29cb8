//! Requests of which an event passes the filters.

use std::collections::HashSet;
use std::ops::ControlFlow;

use etwkit::decode::Event;
use etwkit::limits;
use etwkit::sink::{Sink, Worker};

use super::facts::{Facts, Key};

/// Which requests are put together.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    keys: HashSet<Key>,
    /// Events that pass the filters and choose none, since they name no activity.
    pub(super) without_activity: u64,
    /// Events that pass the filters and belong to requests beyond [`limits::MAX_REQUESTS`].
    pub(super) beyond_limit: u64,
}

impl Chosen {
    pub(super) fn has(&self, key: Key) -> bool {
        self.keys.contains(&key)
    }

    fn event(&mut self, key: Option<Key>) {
        match key {
            None => self.without_activity += 1,
            Some(key) if self.keys.len() < limits::MAX_REQUESTS => _ = self.keys.insert(key),
            Some(key) => self.beyond_limit += u64::from(!self.keys.contains(&key)),
        }
    }
}

impl Sink for Chosen {
    type Worker = Keys;

    fn worker(&self) -> Keys {
        Keys::default()
    }

    fn accept(&mut self, batch: Vec<Option<Key>>) -> etwkit::Result<ControlFlow<()>> {
        for key in batch {
            self.event(key);
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Picks what events belong to.
#[derive(Debug, Default)]
pub(super) struct Keys {
    keys: Vec<Option<Key>>,
}

impl Worker for Keys {
    type Batch = Vec<Option<Key>>;

    fn event(&mut self, event: &Event<'_>) -> etwkit::Result<()> {
        self.keys.extend(Facts::of(event).map(|facts| facts.key));
        Ok(())
    }

    fn take(&mut self) -> Self::Batch {
        std::mem::take(&mut self.keys)
    }
}
