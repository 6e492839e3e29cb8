//! Work items from enqueue to dequeue.

use std::collections::HashMap;

use etwkit::FileTime;
use etwkit_analysis::Excess;

use crate::origin::milliseconds;

/// Work items of a process that wait at once.
const MOST: usize = 1 << 20;

/// The queue of a process, as one provider reports it.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    /// When each one was enqueued that waits, and whether that counts.
    waiting: HashMap<u64, (FileTime, bool)>,
    /// Whether there is any event of it, counted or not.
    is_reported: bool,
    pub(super) enqueued: u64,
    pub(super) dequeued: u64,
    /// Items that were enqueued and dequeued.
    pub(super) pairs: u64,
    pub(super) delay: f64,
    pub(super) delay_max: f64,
    excess: Excess,
}

impl Queue {
    pub(super) fn push(&mut self, item: u64, time: FileTime, is_chosen: bool) {
        self.is_reported = true;
        self.enqueued += u64::from(is_chosen);
        if self.excess.admits(self.waiting.len(), MOST) {
            self.waiting.insert(item, (time, is_chosen));
        }
    }

    pub(super) fn pop(&mut self, item: u64, time: FileTime, is_chosen: bool) {
        self.is_reported = true;
        self.dequeued += u64::from(is_chosen);
        if let Some((start, true)) = self.waiting.remove(&item) {
            let delay = milliseconds(start, time);
            self.pairs += 1;
            self.delay += delay;
            self.delay_max = self.delay_max.max(delay);
        }
    }

    /// Returns how many items are not paired, because more wait than are kept.
    pub(super) const fn excess(&self) -> u64 {
        self.excess.count()
    }

    /// Returns whether any event reports it.
    pub(super) const fn is_reported(&self) -> bool {
        self.is_reported
    }
}
