//! Requests of each process.

use std::cmp::Reverse;

use etwkit_analysis::Measures;

use crate::declare::analysis;
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
        total_ms_sum: Option<f64> as Milliseconds,
        /// Milliseconds of such a request on average.
        total_ms_mean: Option<f64> as Milliseconds,
        /// Milliseconds of the longest one.
        total_ms_max: Option<f64> as Milliseconds,
        /// Milliseconds in the queue.
        queue_ms_sum: Option<f64> as Milliseconds,
        /// Milliseconds in handlers.
        handler_ms_sum: Option<f64> as Milliseconds,
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

fn row((owner, list): (Owner, Vec<Request>)) -> AspNetRow {
    let of = |time: fn(&Request) -> Option<f64>| list.iter().map(time).collect::<Measures>();
    let totals = of(Request::total);
    AspNetRow {
        pid: owner.pid,
        process: owner.name,
        requests: list.len() as u64,
        completed: totals.measured(),
        total_ms_sum: totals.sum(),
        total_ms_mean: totals.mean(),
        total_ms_max: totals.max(),
        queue_ms_sum: of(|request| request.queue).sum(),
        handler_ms_sum: of(|request| request.handler).sum(),
    }
}
