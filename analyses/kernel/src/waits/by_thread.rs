//! Times of each thread.

use etwkit::trace::Trace;
use etwkit_analysis::units_to_milliseconds;

use crate::schedule::{OfSlices, Slice, SliceFeed, Sliced, Thread, ThreadId, reason_name};
use crate::thread_owner::ThreadOwner;

use super::totals::{ThreadTotals, Totals};

etwkit_analysis::row! {
    /// The activity of a thread.
    pub struct WaitRow {
        /// Process id; absent if no event states it.
        pid: Option<u32> as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Thread id.
        tid: u32 as Id,
        /// Name of the thread.
        name: Option<String> as Text,
        /// Milliseconds in which it ran.
        run_ms: f64 as Milliseconds,
        /// Milliseconds in which it could run and had no processor.
        ready_ms: f64 as Milliseconds,
        /// Milliseconds in which it waited.
        wait_ms: f64 as Milliseconds,
        /// Milliseconds of its lifetime of which the events do not state what it did.
        unknown_ms: f64 as Milliseconds,
        /// How often it got a processor.
        switches: u64 as Count,
        /// How often it lost its processor and did not wait.
        preemptions: u64 as Count,
        /// Milliseconds of the longest time for which it was ready; absent if it never was.
        ready_ms_max: Option<f64> as Milliseconds,
        /// How often it waited.
        waits: u64 as Count,
        /// The wait reason with the longest sum of times.
        reason: Option<String> as Text,
        /// Each wait reason, with how often and how long: those with the longest sum first.
        reasons: Vec<String> as Text,
    }
}

/// Adds up what each thread did.
pub type WaitsByThread = Sliced<ThreadTotals>;

impl OfSlices for ThreadTotals {
    type Row = WaitRow;

    fn take(&mut self, slices: &[Slice], _: &SliceFeed) {
        self.add_all(slices);
    }

    fn rows(self, feed: &SliceFeed, trace: &Trace) -> Vec<WaitRow> {
        let threads = (0..).map(ThreadId).zip(feed.scheduler().threads());
        let chosen = threads.filter(|(_, thread)| feed.has(thread));
        let mut rows: Vec<WaitRow> =
            chosen.filter_map(|(id, thread)| Some(row(thread, self.get(id)?, trace))).collect();
        rows.sort_by(|a, b| b.run_ms.total_cmp(&a.run_ms).then(b.switches.cmp(&a.switches)));
        rows
    }
}

fn row(thread: &Thread, totals: &Totals, trace: &Trace) -> WaitRow {
    let ThreadOwner { key, process, name } = ThreadOwner::of(thread, trace);
    let mut reasons: Vec<_> = totals.reasons.iter().collect();
    reasons.sort_by_key(|(reason, (_, units))| (std::cmp::Reverse(*units), **reason));
    let text = |(reason, (waits, units)): &(&u8, &(u64, u64))| {
        format!("{}: {waits} in {:.3} ms", reason_name(**reason), units_to_milliseconds(*units))
    };
    WaitRow {
        pid: key.pid,
        process,
        tid: thread.tid,
        name,
        run_ms: units_to_milliseconds(totals.running),
        ready_ms: units_to_milliseconds(totals.ready),
        wait_ms: units_to_milliseconds(totals.waiting),
        unknown_ms: units_to_milliseconds(totals.unknown),
        switches: totals.switches,
        preemptions: totals.preemptions,
        ready_ms_max: totals.longest_ready.map(units_to_milliseconds),
        waits: totals.reasons.values().map(|(waits, _)| waits).sum(),
        reason: reasons.first().map(|(reason, _)| reason_name(**reason)),
        reasons: reasons.iter().map(text).collect(),
    }
}
