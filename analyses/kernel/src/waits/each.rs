//! Each wait.

use std::cmp::Reverse;

use etwkit::trace::Trace;
use etwkit_analysis::{Excess, Time, units_to_milliseconds};

use crate::schedule::{OfSlices, Scheduler, Slice, SliceFeed, SliceKind, Sliced, Thread};
use crate::thread_owner::ThreadOwner;

etwkit_analysis::row! {
    /// A wait of a thread.
    pub struct WaitEachRow {
        /// Process id; absent if no event states it.
        pid: Option<u32> as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Thread id.
        tid: u32 as Id,
        /// Time of its begin, UTC.
        start: Time as Time,
        /// Milliseconds until it was ready; until it ran, if no event made it ready.
        wait_ms: f64 as Milliseconds,
        /// Milliseconds for which it was ready then, to the end of the trace if it did not run; absent if no event made it ready.
        ready_ms: Option<f64> as Milliseconds,
        /// Why it waited.
        reason: String as Text,
        /// Mode in which it waited: kernel or user. Events of version 3 and later do not have it.
        mode: Option<String> as Text,
        /// Process id of the thread that made it ready; absent if it was a DPC or is not known.
        readied_by_pid: Option<u32> as Id,
        /// File name of the image of that process.
        readied_by_process: Option<String> as Text,
        /// Thread id of that thread.
        readied_by_tid: Option<u32> as Id,
        /// Whether a DPC made it ready; absent if no event made it ready.
        readied_by_dpc: Option<bool> as Text,
        /// Whether the trace has its end: the event that made the thread ready, or its next switch-in.
        is_complete: bool as Text,
    }
}

/// A wait and the ready time after it.
#[derive(Clone, Copy, Debug)]
struct Wait {
    slice: Slice,
    ready: Option<u64>,
}

/// Waits that are listed: the longest ones.
pub const MOST_WAITS: usize = 1 << 18;

/// Lists waits, the longest ones first; of more than [`MOST_WAITS`], only these.
pub type WaitsEach = Sliced<LongestWaits>;

/// The longest waits.
#[derive(Debug, Default)]
pub struct LongestWaits {
    list: Vec<Wait>,
    excess: Excess,
}

impl LongestWaits {
    fn keep_longest(&mut self) {
        self.list.sort_by_key(|wait| Reverse(wait.slice.units()));
        self.excess.add(self.list.len().saturating_sub(MOST_WAITS) as u64);
        self.list.truncate(MOST_WAITS);
    }
}

impl OfSlices for LongestWaits {
    type Row = WaitEachRow;

    fn take(&mut self, slices: &[Slice], feed: &SliceFeed) {
        for slice in slices {
            let thread = slice.thread.and_then(|id| feed.scheduler().thread(id));
            if !thread.is_some_and(|thread| feed.has(thread)) {
                continue;
            }
            match slice.kind {
                SliceKind::Waiting => self.list.push(Wait { slice: *slice, ready: None }),
                // It comes right after its wait.
                SliceKind::Ready => {
                    let before = self.list.last_mut();
                    let wait = before.filter(|wait| wait.slice.thread == slice.thread && wait.slice.end == slice.start);
                    if let Some(wait) = wait {
                        wait.ready = Some(slice.units());
                    }
                }
                _ => {}
            }
        }
        if self.list.len() >= 2 * MOST_WAITS {
            self.keep_longest();
        }
    }

    fn end(&mut self, _: &SliceFeed) {
        self.keep_longest();
    }

    fn excess(&self) -> u64 {
        self.excess.count()
    }

    fn rows(self, feed: &SliceFeed, trace: &Trace) -> Vec<WaitEachRow> {
        self.list.iter().filter_map(|wait| row(wait, feed.scheduler(), trace)).collect()
    }
}

fn row(Wait { slice, ready }: &Wait, scheduler: &Scheduler, trace: &Trace) -> Option<WaitEachRow> {
    let thread = scheduler.thread(slice.thread?)?;
    let owner = ThreadOwner::of(thread, trace);
    let waker: Option<&Thread> = slice.readied.and_then(|readied| readied.waker()).and_then(|id| scheduler.thread(id));
    let departure = slice.departure?;
    let mode = |mode| if mode == 0 { "kernel" } else { "user" }.to_owned();
    Some(WaitEachRow {
        pid: owner.key.pid,
        process: owner.process,
        tid: thread.tid,
        start: Time(slice.start),
        wait_ms: units_to_milliseconds(slice.units()),
        ready_ms: ready.map(units_to_milliseconds),
        reason: departure.reason_name(),
        mode: departure.mode.map(mode),
        readied_by_pid: waker.and_then(|waker| waker.pid),
        readied_by_process: waker.and_then(|waker| ThreadOwner::of(waker, trace).process),
        readied_by_tid: waker.map(|waker| waker.tid),
        readied_by_dpc: slice.readied.map(|readied| readied.is_dpc),
        is_complete: slice.is_complete,
    })
}
