//! Slices of a window of time.

use etwkit::trace::Trace;
use etwkit_analysis::Selection;

use super::fact::ScheduleFact;
use super::scheduler::Scheduler;
use super::slice::Slice;
use super::threads::Thread;

/// Turns facts into slices, which it clips to a window of time.
#[derive(Clone, Debug, Default)]
pub struct SliceFeed {
    scheduler: Scheduler,
    slices: Vec<Slice>,
    selection: Selection,
}

impl SliceFeed {
    /// Chooses a window, processes and threads.
    pub fn select(&mut self, selection: Option<&Selection>) {
        self.selection = selection.cloned().unwrap_or_default();
    }

    /// Returns what knows the threads.
    pub const fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }

    /// Returns what is chosen.
    pub const fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Returns whether a thread is chosen.
    pub fn has(&self, thread: &Thread) -> bool {
        self.selection.has_thread(thread.at())
    }

    /// Takes a fact and returns the slices that it ends.
    pub fn step(&mut self, fact: &ScheduleFact, trace: &Trace) -> Vec<Slice> {
        let mut slices = std::mem::take(&mut self.slices);
        self.scheduler.step(fact, trace, &mut slices);
        self.clip(&mut slices);
        slices
    }

    /// Takes slices back, so that their memory is used again.
    pub fn recycle(&mut self, mut slices: Vec<Slice>) {
        slices.clear();
        self.slices = slices;
    }

    /// Returns the slices that are open.
    pub fn finish(&mut self) -> Vec<Slice> {
        let mut slices = Vec::new();
        self.scheduler.finish(&mut slices);
        self.clip(&mut slices);
        slices
    }

    fn clip(&self, slices: &mut Vec<Slice>) {
        slices.retain_mut(|slice| match self.selection.clip(slice.start, slice.end) {
            Some((start, end)) => {
                slice.is_begun_before = slice.start < start;
                (slice.start, slice.end) = (start, end);
                true
            }
            None => false,
        });
    }
}
