//! Each wait.

use etwkit_analysis::Time;

use crate::declare::analysis;
use crate::processes::Processes;

use super::state::{ContentionFact, INTEREST, Waits};

etwkit_analysis::row! {
    /// A wait for a lock.
    pub struct ContentionEachRow {
        /// When it began, UTC; absent if that is not in the trace.
        start: Option<Time> as Time,
        /// Milliseconds; absent if an end of it is not in the trace and no event states them.
        wait_ms: Option<f64> as Milliseconds,
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Thread that waited.
        tid: u32 as Id,
        /// `managed` (of the program) or `native` (of the runtime itself).
        kind: &'static str as Text,
        /// Number of the lock, hexadecimal; absent in runtimes that do not state it.
        lock: Option<String> as Text,
        /// Thread that held the lock, as the runtime numbers it.
        holder: Option<u64> as Id,
    }
}

analysis! {
    /// Lists the waits in order of time.
    pub struct ContentionEach: ContentionFact => Waits => ContentionEachRow;
    interest INTEREST;
    joins true;
    rows rows;
}

fn rows(processes: Processes<Waits>) -> Vec<ContentionEachRow> {
    let mut rows = Vec::new();
    for (owner, waits) in processes.into_iter() {
        rows.extend(waits.list.iter().map(|wait| {
            let row = ContentionEachRow {
                start: wait.start.map(Time),
                wait_ms: wait.time,
                pid: owner.pid,
                process: owner.name.clone(),
                tid: wait.tid,
                kind: if wait.is_of_runtime { "native" } else { "managed" },
                lock: wait.lock.map(|lock| format!("{lock:#x}")),
                holder: wait.holder,
            };
            (wait.start.unwrap_or(wait.seen), row)
        }));
    }
    rows.sort_by_key(|(time, _)| *time);
    rows.into_iter().map(|(_, row)| row).collect()
}
