//! The thread pool of each process.

use crate::declare::analysis;
use crate::processes::{Owner, Processes};

use super::fact::{Adjustment, INTEREST, ThreadPoolFact};
use super::state::Pool;

etwkit_analysis::row! {
    /// The thread pool of a process.
    pub struct ThreadPoolRow {
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of its image.
        process: Option<String> as Text,
        /// Worker threads that started.
        worker_starts: u64 as Count,
        /// Worker threads that stopped.
        worker_stops: u64 as Count,
        /// The most active worker threads, as starts and adjustments state them.
        workers_max: Option<u32> as Count,
        /// Threads for completions of I/O that were created.
        io_starts: u64 as Count,
        /// Threads for completions of I/O that ended.
        io_stops: u64 as Count,
        /// The most threads for completions of I/O.
        io_max: Option<u32> as Count,
        /// Changes of the number of worker threads.
        adjustments: u64 as Count,
        /// Reasons of these changes with their number: `Starvation 3`.
        reasons: Vec<String> as Text,
        /// The most work items per second, as the pool measured them: in its samples, or on average before adjustments.
        throughput_max: Option<f64> as Real,
        /// Work items that were enqueued.
        enqueued: u64 as Count,
        /// Work items that were dequeued.
        dequeued: u64 as Count,
        /// Milliseconds from enqueue to dequeue on average.
        queue_ms_mean: Option<f64> as Milliseconds,
        /// Milliseconds from enqueue to dequeue of the item that waited longest.
        queue_ms_max: Option<f64> as Milliseconds,
    }
}

analysis! {
    /// Describes the thread pool of each process.
    pub struct ThreadPoolByProcess: ThreadPoolFact => Pool => ThreadPoolRow;
    interest INTEREST;
    joins true;
    rows |processes: Processes<Pool>| processes.into_iter().filter(|(_, pool)| pool.is_counted).map(row).collect();
}

#[expect(clippy::cast_precision_loss, reason = "a number of work items")]
fn row((owner, pool): (Owner, Pool)) -> ThreadPoolRow {
    let queue = pool.queue();
    let reason = |(reason, count): (&u32, &u64)| format!("{} {count}", Adjustment::reason_name(*reason));
    ThreadPoolRow {
        pid: owner.pid,
        process: owner.name,
        worker_starts: pool.worker_starts,
        worker_stops: pool.worker_stops,
        workers_max: pool.workers_max,
        io_starts: pool.io_starts,
        io_stops: pool.io_stops,
        io_max: pool.io_max,
        adjustments: pool.adjustments.len() as u64,
        reasons: pool.reasons.iter().map(reason).collect(),
        throughput_max: pool.throughput_max,
        enqueued: queue.enqueued,
        dequeued: queue.dequeued,
        queue_ms_mean: (queue.pairs > 0).then(|| queue.delay / queue.pairs as f64),
        queue_ms_max: (queue.pairs > 0).then_some(queue.delay_max),
    }
}
