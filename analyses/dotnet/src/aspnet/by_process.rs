//! Requests of each process.

use std::cmp::Reverse;

use crate::declare::analysis;
use crate::origin::sum;
use crate::processes::{Owner, Processes};

use super::state::{AspNetFact, INTEREST, Request, Requests};

etwkit_analysis::row! {
    /// Requests of a process.
    pub struct AspNetRow {
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of its image.
        process: Option<String> as Text,
        /// Requests.
        requests: u64 as Count,
        /// Those of which start and stop are in the trace.
        completed: u64 as Count,
        /// Milliseconds of these requests.
        total_ms_sum: f64 as Milliseconds,
        /// Milliseconds of such a request on average.
        total_ms_mean: Option<f64> as Milliseconds,
        /// Milliseconds of the longest one.
        total_ms_max: f64 as Milliseconds,
        /// Milliseconds in the queue.
        queue_ms_sum: f64 as Milliseconds,
        /// Milliseconds in handlers.
        handler_ms_sum: f64 as Milliseconds,
    }
}

analysis! {
    /// Adds up the requests of each process.
    pub struct AspNetByProcess: AspNetFact => Requests => AspNetRow;
    interest INTEREST;
    joins true;
    rows rows;
}

fn rows(processes: Processes<Requests>) -> Vec<AspNetRow> {
    let counted = processes.into_iter().map(|(owner, requests)| (owner, requests.into_counted().collect::<Vec<_>>()));
    let mut rows: Vec<AspNetRow> = counted.filter(|(_, list)| !list.is_empty()).map(row).collect();
    rows.sort_by_key(|row| Reverse(row.requests));
    rows
}

#[expect(clippy::cast_precision_loss, reason = "a number of requests")]
fn row((owner, list): (Owner, Vec<Request>)) -> AspNetRow {
    let totals = || list.iter().filter_map(Request::total);
    let (completed, total_ms_sum) = (totals().count() as u64, sum(totals()));
    AspNetRow {
        pid: owner.pid,
        process: owner.name,
        requests: list.len() as u64,
        completed,
        total_ms_sum,
        total_ms_mean: (completed > 0).then(|| total_ms_sum / completed as f64),
        total_ms_max: totals().fold(0.0, f64::max),
        queue_ms_sum: sum(list.iter().filter_map(|request| request.queue)),
        handler_ms_sum: sum(list.iter().filter_map(|request| request.handler)),
    }
}
