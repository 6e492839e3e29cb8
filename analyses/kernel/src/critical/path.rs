//! From slices to the path.

use std::collections::BTreeMap;

use etwkit::FileTime;

use crate::schedule::{Slice, SliceKind, ThreadId};

/// The slices of each thread, in order of time.
#[derive(Clone, Debug, Default)]
pub struct ThreadSlices {
    by_thread: BTreeMap<ThreadId, Vec<Slice>>,
    len: usize,
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
        if let Some(thread) = slice.thread.filter(|_| self.len < MOST_SLICES) {
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

    /// Returns the path that leads a thread from the begin to the end of a span, the last step first.
    pub(super) fn path(&self, thread: ThreadId, start: FileTime, end: FileTime) -> Vec<Step> {
        let mut steps = Vec::new();
        self.explain((thread, 0), start, end, &mut steps);
        steps
    }

    fn explain(&self, (thread, depth): (ThreadId, usize), start: FileTime, end: FileTime, steps: &mut Vec<Step>) {
        let slices = self.by_thread.get(&thread).map_or(&[][..], |slices| slices);
        let last = slices.partition_point(|slice| slice.start < end);
        for slice in slices.get(..last).unwrap_or_default().iter().rev() {
            let cut = Slice { start: slice.start.max(start), end: slice.end.min(end), ..*slice };
            if slice.end <= start || steps.len() >= MOST_STEPS {
                break;
            }
            if cut.start >= cut.end {
                continue;
            }
            let waker = slice.readied.and_then(|readied| readied.waker()).filter(|_| slice.kind == SliceKind::Waiting);
            match waker.filter(|waker| *waker != thread && depth < MOST_DEPTH && cut.end == slice.end) {
                Some(waker) => {
                    let before = steps.len();
                    self.explain((waker, depth + 1), cut.start, cut.end, steps);
                    if steps.len() == before {
                        steps.push(Step { slice: cut, depth });
                    }
                }
                None => steps.push(Step { slice: cut, depth }),
            }
        }
    }
}
