//! Stacks of the threads that run.

use std::sync::Arc;

use etwkit::FileTime;
use etwkit_analysis::Excess;
use etwkit_kernel_analyses::schedule::Slice;
use hashbrown::HashMap;

use crate::collect::Stacked;

/// A stack of a thread and when it was taken.
type Point = (FileTime, Option<Arc<Stacked>>);

/// Threads that may run at once. One whose switch from its processor was lost counts as running.
const MOST_THREADS: usize = 1 << 20;
/// Stacks of samples that are kept at once; what comes later counts at the last one of its thread.
const MOST_SAMPLES: usize = 1 << 20;

/// The stacks of the threads that run, by machine and thread id: that of the context switch after which the thread runs,
/// and those of the samples that were taken since.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs {
    by_thread: HashMap<(u16, u32), Run>,
    /// The samples of all of them.
    samples: usize,
    excess: Excess,
}

#[derive(Clone, Debug)]
struct Run {
    /// That of the context switch, as slices have it.
    tag: u64,
    points: Vec<Point>,
}

/// A part of a slice that counts at one stack.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) start: FileTime,
    pub(super) end: FileTime,
    pub(super) stack: Option<Arc<Stacked>>,
}

impl Runs {
    /// Returns how many threads and stacks had no room.
    pub(super) const fn excess(&self) -> u64 {
        self.excess.count()
    }

    /// A thread begins to run.
    pub(super) fn begin(&mut self, thread: (u16, u32), tag: u64, time: FileTime, stack: Option<Arc<Stacked>>) {
        self.end(thread);
        if self.excess.admits(self.by_thread.len(), MOST_THREADS) {
            self.by_thread.insert(thread, Run { tag, points: vec![(time, stack)] });
        }
    }

    /// A sample of a thread was taken. Those of threads that do not run do not count.
    pub(super) fn sample(&mut self, thread: (u16, u32), time: FileTime, stack: Arc<Stacked>) {
        let Some(run) = self.by_thread.get_mut(&thread) else { return };
        if self.excess.admits(self.samples, MOST_SAMPLES) {
            run.points.push((time, Some(stack)));
            self.samples += 1;
        }
    }

    /// A thread does not run any more.
    pub(super) fn end(&mut self, thread: (u16, u32)) {
        if let Some(run) = self.by_thread.remove(&thread) {
            self.samples -= run.points.len() - 1;
        }
    }

    /// Returns the stack of the switch after which the thread of a slice runs.
    pub(super) fn switch_stack(&self, tid: u32, slice: &Slice) -> Option<Arc<Stacked>> {
        self.points(tid, slice).first().and_then(|(_, stack)| stack.clone())
    }

    /// Returns the parts of a slice in which a thread ran. They tile it: each one lasts from its stack until
    /// the next one.
    pub(super) fn pieces(&self, tid: u32, slice: &Slice) -> Vec<Piece> {
        let points = self.points(tid, slice);
        let mut pieces = Vec::with_capacity(points.len().max(1));
        let mut start = slice.start;
        for (place, (_, stack)) in points.iter().enumerate() {
            let next = points.get(place + 1).map_or(slice.end, |(time, _)| *time);
            let end = next.min(slice.end).max(start);
            pieces.push(Piece { start, end, stack: stack.clone() });
            start = end;
        }
        if pieces.is_empty() {
            pieces.push(Piece { start, end: slice.end, stack: None });
        }
        pieces
    }

    /// Returns the stacks of a run, that of the switch first; none if its switch is another one than that of the slice.
    fn points(&self, tid: u32, slice: &Slice) -> &[Point] {
        let run = self.by_thread.get(&(slice.machine, tid)).filter(|run| Some(run.tag) == slice.switch_in);
        run.map_or(&[], |run| &run.points)
    }
}
