//! Waits of each thread.

use std::collections::BTreeMap;

use crate::declare::analysis;
use crate::processes::{Owner, Processes};

use super::state::{ContentionFact, INTEREST, Wait, Waits};

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
        wait_ms_sum: f64 as Milliseconds,
        /// Milliseconds of the longest wait.
        wait_ms_max: f64 as Milliseconds,
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
        let mut threads: BTreeMap<u32, ContentionRow> = BTreeMap::new();
        for wait in &waits.list {
            add(threads.entry(wait.tid).or_insert_with(|| empty(&owner, wait.tid)), wait);
        }
        rows.extend(threads.into_values());
    }
    rows.sort_by(|a, b| b.wait_ms_sum.total_cmp(&a.wait_ms_sum));
    rows
}

fn add(row: &mut ContentionRow, wait: &Wait) {
    row.waits += 1;
    row.incomplete += u64::from(wait.time.is_none());
    row.wait_ms_sum += wait.time.unwrap_or(0.0);
    row.wait_ms_max = row.wait_ms_max.max(wait.time.unwrap_or(0.0));
}

fn empty(owner: &Owner, tid: u32) -> ContentionRow {
    ContentionRow {
        pid: owner.pid,
        process: owner.name.clone(),
        tid,
        waits: 0,
        wait_ms_sum: 0.0,
        wait_ms_max: 0.0,
        incomplete: 0,
    }
}
