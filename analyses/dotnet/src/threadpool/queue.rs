//! Work items from enqueue to dequeue.

use std::collections::HashMap;

use etwkit::FileTime;

use crate::origin::milliseconds;

/// Work items of a process that wait at once.
const MOST: usize = 1 << 20;

/// The queue of a process, as one provider reports it.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    waiting: HashMap<u64, FileTime>,
    pub(super) enqueued: u64,
    pub(super) dequeued: u64,
    /// Items of which both are in the trace.
    pub(super) pairs: u64,
    pub(super) delay: f64,
    pub(super) delay_max: f64,
}

impl Queue {
    pub(super) fn push(&mut self, item: u64, time: FileTime) {
        self.enqueued += 1;
        if self.waiting.len() < MOST {
            self.waiting.insert(item, time);
        }
    }

    pub(super) fn pop(&mut self, item: u64, time: FileTime) {
        self.dequeued += 1;
        if let Some(start) = self.waiting.remove(&item) {
            let delay = milliseconds(start, time);
            self.pairs += 1;
            self.delay += delay;
            self.delay_max = self.delay_max.max(delay);
        }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.enqueued == 0 && self.dequeued == 0
    }
}
