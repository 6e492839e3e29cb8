//! Rows of the critical path.

use etwkit::trace::Trace;
use etwkit_analysis::{Time, units_to_milliseconds};

use crate::schedule::{OfSlices, Scheduler, Slice, SliceFeed, SliceKind, Sliced};
use crate::thread_owner::ThreadOwner;

use super::path::{Step, ThreadSlices};

etwkit_analysis::row! {
    /// A step of the critical path.
    pub struct CriticalRow {
        /// Time of its begin, UTC.
        start: Time as Time,
        /// Milliseconds.
        ms: f64 as Milliseconds,
        /// Process id; absent if no event states it.
        pid: Option<u32> as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Thread id.
        tid: u32 as Id,
        /// What the thread did: running, ready, waiting, unknown.
        state: String as Text,
        /// Why it waited; absent if it did not.
        reason: Option<String> as Text,
        /// Processor on which it ran; absent if it did not.
        processor: Option<u16> as Id,
        /// How many waits were followed to this thread.
        depth: u32 as Id,
    }
}

/// The critical path of a window: what the time of a thread was spent on. The thread is the one that `tid` chooses; of
/// several, the one that ran longest.
///
/// Where the thread waited, the path goes on with the thread that made it ready, for the time of the wait; where a DPC
/// did, or nobody is known, the wait is a step of the path. So the steps tile the lifetime of the thread in the window.
pub type CriticalPath = Sliced<ThreadSlices>;

impl OfSlices for ThreadSlices {
    type Row = CriticalRow;

    const NEEDS_READY_EVENTS: bool = true;

    fn take(&mut self, slices: &[Slice], _: &SliceFeed) {
        for slice in slices {
            self.add(slice);
        }
    }

    fn end(&mut self, feed: &SliceFeed) {
        let is_chosen = |id| feed.scheduler().thread(id).is_some_and(|thread| feed.has(thread));
        if let Some(thread) = self.busiest(is_chosen) {
            self.path(thread, feed.selection().since, feed.selection().until);
        }
    }

    fn excess(&self) -> u64 {
        self.excess.count()
    }

    fn rows(self, feed: &SliceFeed, trace: &Trace) -> Vec<CriticalRow> {
        let scheduler = feed.scheduler();
        self.path.iter().rev().filter_map(|step| row(step, scheduler, trace)).collect()
    }
}

fn row(Step { slice, depth }: &Step, scheduler: &Scheduler, trace: &Trace) -> Option<CriticalRow> {
    let thread = scheduler.thread(slice.thread?)?;
    let owner = ThreadOwner::of(thread, trace);
    let is_wait = slice.kind == SliceKind::Waiting;
    let state = match slice.kind {
        SliceKind::Running => "running",
        SliceKind::Ready => "ready",
        SliceKind::Waiting => "waiting",
        SliceKind::Idle | SliceKind::Unknown => "unknown",
    };
    Some(CriticalRow {
        start: Time(slice.start),
        ms: units_to_milliseconds(slice.units()),
        pid: owner.key.pid,
        process: owner.process,
        tid: thread.tid,
        state: state.to_owned(),
        reason: slice.departure.filter(|_| is_wait).map(|departure| departure.reason_name()),
        processor: slice.processor,
        depth: *depth as u32,
    })
}
