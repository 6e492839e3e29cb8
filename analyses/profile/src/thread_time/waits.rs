//! Waits whose cause may still turn out.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use etwkit_analysis::Excess;
use etwkit_kernel_analyses::schedule::{Slice, ThreadId};

use super::causes::{Cause, Delay};
use crate::collect::Stacked;

/// A wait.
#[derive(Clone, Debug)]
pub(super) struct Wait {
    pub(super) slice: Slice,
    /// Where the thread waited.
    pub(super) stack: Option<Arc<Stacked>>,
    pub(super) cause: Option<Cause>,
}

/// Waits of each thread that are kept. Hard faults and contention are known when they are over, after their waits; of
/// one with more waits, only the last ones are found.
const MOST: usize = 4;
/// Threads whose waits are kept; those of others have the cause that is known at once.
const MOST_THREADS: usize = 1 << 18;

/// The last waits of each thread: the event that states what they were for comes after them.
#[derive(Clone, Debug, Default)]
pub(super) struct Waits {
    by_thread: BTreeMap<ThreadId, VecDeque<Wait>>,
    excess: Excess,
}

impl Waits {
    /// Returns how many waits had no room, and count with the cause that is known at once.
    pub(super) const fn excess(&self) -> u64 {
        self.excess.count()
    }

    /// Adds a wait, and returns the one whose cause does not change any more.
    pub(super) fn push(&mut self, thread: ThreadId, wait: Wait) -> Option<Wait> {
        if !self.by_thread.contains_key(&thread) && !self.excess.admits(self.by_thread.len(), MOST_THREADS) {
            return Some(wait);
        }
        let waits = self.by_thread.entry(thread).or_default();
        waits.push_back(wait);
        if waits.len() > MOST { waits.pop_front() } else { None }
    }

    /// Finds the waits of a thread that were within a delay.
    pub(super) fn explain(&mut self, thread: ThreadId, delay: &Delay) {
        for wait in self.by_thread.get_mut(&thread).into_iter().flatten() {
            if delay.since <= wait.slice.start && wait.slice.end <= delay.until {
                wait.cause = Some(delay.cause);
            }
        }
    }

    /// Returns all that are left.
    pub(super) fn finish(self) -> impl Iterator<Item = Wait> {
        self.by_thread.into_values().flatten()
    }
}
