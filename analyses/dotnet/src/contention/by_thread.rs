//! Waits of each thread.

use std::collections::BTreeMap;

use etwkit_analysis::{Measures, greatest_first};

use crate::declare::analysis;
use crate::processes::{Owner, Processes};

use super::state::{ContentionFact, INTEREST, Waits};

etwkit_analysis::row! {
    /// Waits of a thread for locks.
    pub struct ContentionRow {
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of its image.
        process: Option<String> as Text,
        /// Thread that waited.
        tid: u32 as Id,
        /// Waits, with those of which an end is not in the trace.
        waits: u64 as Count,
        /// Milliseconds of all waits of which the duration is known.
        wait_ms_sum: Option<f64> as Milliseconds,
        /// Milliseconds of the longest wait.
        wait_ms_max: Option<f64> as Milliseconds,
        /// Waits of which an end is not in the trace.
        incomplete: u64 as Count,
    }
}

analysis! {
    /// Adds up the waits of each thread.
    pub struct ContentionByThread: ContentionFact => Waits => ContentionRow;
    interest INTEREST;
    joins true;
    rows rows;
}

fn rows(processes: Processes<Waits>) -> Vec<ContentionRow> {
    let mut rows = Vec::new();
    for (owner, waits) in processes.into_iter() {
        let mut threads: BTreeMap<u32, (u64, Measures)> = BTreeMap::new();
        for wait in &waits.list {
            let (count, times) = threads.entry(wait.tid).or_default();
            *count += 1;
            times.add(wait.time);
        }
        rows.extend(threads.into_iter().map(|(tid, sums)| row(&owner, tid, sums)));
    }
    rows.sort_by(|a, b| greatest_first(a.wait_ms_sum, b.wait_ms_sum));
    rows
}

fn row(owner: &Owner, tid: u32, (waits, times): (u64, Measures)) -> ContentionRow {
    ContentionRow {
        pid: owner.pid,
        process: owner.name.clone(),
        tid,
        waits,
        wait_ms_sum: times.sum(),
        wait_ms_max: times.max(),
        incomplete: waits - times.measured(),
    }
}
