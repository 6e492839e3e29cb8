//! Who made whom ready.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use etwkit::trace::Trace;
use etwkit_analysis::{Excess, units_to_milliseconds};

use crate::schedule::{OfSlices, Slice, SliceFeed, SliceKind, Sliced, ThreadId};
use crate::thread_owner::ThreadOwner;

etwkit_analysis::row! {
    /// A thread, or a DPC, that made another thread ready.
    pub struct ReadyRow {
        /// Process id of the thread that made the other one ready; absent if it was a DPC or is not known.
        by_pid: Option<u32> as Id,
        /// File name of the image of that process.
        by_process: Option<String> as Text,
        /// Id of that thread.
        by_tid: Option<u32> as Id,
        /// Whether a DPC did it.
        by_dpc: bool as Text,
        /// Process id of the thread that became ready.
        pid: Option<u32> as Id,
        /// File name of the image of that process.
        process: Option<String> as Text,
        /// Id of that thread.
        tid: u32 as Id,
        /// How often.
        count: u64 as Count,
        /// Milliseconds that it had waited before.
        wait_ms_sum: f64 as Milliseconds,
        /// Milliseconds until it ran.
        ready_ms_sum: f64 as Milliseconds,
        /// Milliseconds until it ran, of the longest.
        ready_ms_max: f64 as Milliseconds,
    }
}

/// The thread that acted, whether a DPC did, and the thread that became ready.
type Pair = (Option<ThreadId>, bool, ThreadId);

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    count: u64,
    waited: u64,
    ready: u64,
    longest: u64,
}

/// Adds up ready events by the two threads of each.
pub type ReadyPairs = Sliced<PairSums>;

/// Ready events by the two threads of each.
#[derive(Debug, Default)]
pub struct PairSums {
    pairs: BTreeMap<Pair, Sums>,
    excess: Excess,
}

/// Pairs that are kept.
const MOST: usize = 1 << 20;

impl OfSlices for PairSums {
    type Row = ReadyRow;

    const NEEDS_READY_EVENTS: bool = true;

    fn take(&mut self, slices: &[Slice], _: &SliceFeed) {
        for slice in slices {
            let (Some(thread), Some(readied)) = (slice.thread, slice.readied) else { continue };
            let pair = (readied.waker(), readied.is_dpc, thread);
            let has_room = self.pairs.contains_key(&pair) || self.excess.admits(self.pairs.len(), MOST);
            if !has_room {
                continue;
            }
            let sums = self.pairs.entry(pair).or_default();
            match slice.kind {
                SliceKind::Waiting => sums.waited += slice.units(),
                SliceKind::Ready => {
                    sums.count += u64::from(!slice.is_begun_before);
                    sums.ready += slice.units();
                    sums.longest = sums.longest.max(slice.units());
                }
                _ => {}
            }
        }
    }

    fn excess(&self) -> u64 {
        self.excess.count()
    }

    fn rows(self, feed: &SliceFeed, trace: &Trace) -> Vec<ReadyRow> {
        let mut rows: Vec<ReadyRow> = self.pairs.iter().filter_map(|pair| row(pair, feed, trace)).collect();
        rows.sort_by_key(|row| Reverse(row.count));
        rows
    }
}

fn row(((by, by_dpc, of), sums): (&Pair, &Sums), feed: &SliceFeed, trace: &Trace) -> Option<ReadyRow> {
    let threads = feed.scheduler();
    let thread = threads.thread(*of).filter(|thread| feed.has(thread))?;
    let owner = ThreadOwner::of(thread, trace);
    let by = by.and_then(|by| threads.thread(by));
    Some(ReadyRow {
        by_pid: by.and_then(|by| by.pid),
        by_process: by.and_then(|by| ThreadOwner::of(by, trace).process),
        by_tid: by.map(|by| by.tid),
        by_dpc: *by_dpc,
        pid: owner.key.pid,
        process: owner.process,
        tid: thread.tid,
        count: sums.count,
        wait_ms_sum: units_to_milliseconds(sums.waited),
        ready_ms_sum: units_to_milliseconds(sums.ready),
        ready_ms_max: units_to_milliseconds(sums.longest),
    })
}
