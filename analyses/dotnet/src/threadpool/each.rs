//! Each change of the number of worker threads.

use etwkit_analysis::Time;

use crate::declare::analysis;
use crate::processes::Processes;

use super::fact::{Adjustment, INTEREST, ThreadPoolFact};
use super::state::Pool;

etwkit_analysis::row! {
    /// A change of the number of worker threads.
    pub struct ThreadPoolEachRow {
        /// When, UTC.
        time: Time as Time,
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Worker threads after it.
        workers: u32 as Count,
        /// Reason.
        reason: String as Text,
        /// Work items per second on average, as the pool measured them.
        throughput: Option<f64> as Real,
    }
}

analysis! {
    /// Lists the changes of the number of worker threads in order of time.
    pub struct ThreadPoolEach: ThreadPoolFact => Pool => ThreadPoolEachRow;
    interest INTEREST;
    joins true;
    rows rows;
}

fn rows(processes: Processes<Pool>) -> Vec<ThreadPoolEachRow> {
    let mut rows = Vec::new();
    for (owner, pool) in processes.into_iter() {
        rows.extend(pool.adjustments.iter().map(|(time, adjustment)| ThreadPoolEachRow {
            time: Time(*time),
            pid: owner.pid,
            process: owner.name.clone(),
            workers: adjustment.workers,
            reason: Adjustment::reason_name(adjustment.reason),
            throughput: adjustment.throughput,
        }));
    }
    rows.sort_by_key(|row| row.time);
    rows
}
