//! From slices to the path.

use std::collections::BTreeMap;

use etwkit::FileTime;
use etwkit_analysis::Excess;

use crate::schedule::{Slice, SliceKind, ThreadId};

/// The slices of each thread, in order of time.
#[derive(Clone, Debug, Default)]
pub struct ThreadSlices {
    by_thread: BTreeMap<ThreadId, Vec<Slice>>,
    len: usize,
    /// The path, the last step first.
    pub(super) path: Vec<Step>,
    pub(super) excess: Excess,
}

/// A part of the path: a slice, cut to the time that it explains, and how many waits were followed to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step {
    pub(super) slice: Slice,
    pub(super) depth: usize,
}

/// Slices that are kept.
const MOST_SLICES: usize = 1 << 23;
/// Waits that are followed from one thread to the next.
const MOST_DEPTH: usize = 64;
/// Steps of a path.
const MOST_STEPS: usize = 1 << 18;

impl ThreadSlices {
    pub(super) fn add(&mut self, slice: &Slice) {
        let Some(thread) = slice.thread else { return };
        if self.excess.admits(self.len, MOST_SLICES) {
            self.by_thread.entry(thread).or_default().push(*slice);
            self.len += 1;
        }
    }

    /// Returns the thread that ran longest, of those that are chosen.
    pub(super) fn busiest(&self, is_chosen: impl Fn(ThreadId) -> bool) -> Option<ThreadId> {
        let run = |slices: &[Slice]| -> u64 {
            slices.iter().filter(|slice| slice.kind == SliceKind::Running).map(Slice::units).sum()
        };
        let chosen = self.by_thread.iter().filter(|(thread, _)| is_chosen(**thread));
        // Of equal ones the first.
        chosen.map(|(thread, slices)| (run(slices), std::cmp::Reverse(*thread))).max().map(|(_, thread)| thread.0)
    }

    /// Finds the path that leads a thread from the begin to the end of a span, the last step first.
    pub(super) fn path(&mut self, thread: ThreadId, start: FileTime, end: FileTime) {
        let mut excess = self.excess;
        self.path = self.explain((thread, 0), start, end, MOST_STEPS, &mut excess);
        self.excess = excess;
    }

    /// Returns what a thread did in a span, the last step first.
    fn explain(
        &self,
        (thread, depth): (ThreadId, usize),
        start: FileTime,
        end: FileTime,
        room: usize,
        excess: &mut Excess,
    ) -> Vec<Step> {
        let mut steps = Vec::new();
        let slices = self.by_thread.get(&thread).map_or(&[][..], |slices| slices);
        let last = slices.partition_point(|slice| slice.start < end);
        for slice in slices.get(..last).unwrap_or_default().iter().rev() {
            let cut = Slice { start: slice.start.max(start), end: slice.end.min(end), ..*slice };
            if slice.end <= start || !excess.admits(steps.len(), room) {
                break;
            }
            if cut.start >= cut.end {
                continue;
            }
            let waker = slice.readied.and_then(|readied| readied.waker()).filter(|_| slice.kind == SliceKind::Waiting);
            match waker.filter(|waker| *waker != thread && depth < MOST_DEPTH && cut.end == slice.end) {
                Some(waker) => {
                    let explained = self.explain((waker, depth + 1), cut.start, cut.end, room - steps.len(), excess);
                    fill(&cut, depth, explained, &mut steps);
                }
                None => steps.push(Step { slice: cut, depth }),
            }
        }
        steps
    }
}

/// Adds the steps that explain a wait, the last one first. Where they do not cover it, as before the waker started, the
/// thread just waited.
fn fill(wait: &Slice, depth: usize, explained: Vec<Step>, steps: &mut Vec<Step>) {
    let mut until = wait.end;
    let gap = |start: FileTime, end: FileTime| Step { slice: Slice { start, end, ..*wait }, depth };
    for step in explained {
        if step.slice.end < until {
            steps.push(gap(step.slice.end, until));
        }
        until = step.slice.start;
        steps.push(step);
    }
    if wait.start < until {
        steps.push(gap(wait.start, until));
    }
}
