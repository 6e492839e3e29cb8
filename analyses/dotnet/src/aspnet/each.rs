//! Each request.

use etwkit_analysis::Time;

use crate::declare::analysis;
use crate::processes::Processes;

use super::state::{AspNetFact, INTEREST, Requests};

etwkit_analysis::row! {
    /// A request.
    pub struct AspNetEachRow {
        /// When it started, UTC.
        start: Option<Time> as Time,
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Thread on which it started.
        tid: u32 as Id,
        /// Method of HTTP.
        method: String as Text,
        /// Path.
        path: String as Text,
        /// Query.
        query: String as Text,
        /// Milliseconds from start to stop.
        total_ms: Option<f64> as Milliseconds,
        /// Milliseconds in the queue.
        queue_ms: Option<f64> as Milliseconds,
        /// Milliseconds in handlers.
        handler_ms: Option<f64> as Milliseconds,
        /// Handler.
        handler: Option<String> as Text,
        /// Context id, by which its events are found.
        context: String as Text,
    }
}

analysis! {
    /// Lists the requests in order of time.
    pub struct AspNetEach: AspNetFact => Requests => AspNetEachRow;
    interest INTEREST;
    joins true;
    rows rows;
}

fn rows(processes: Processes<Requests>) -> Vec<AspNetEachRow> {
    let mut rows = Vec::new();
    for (owner, requests) in processes.into_iter() {
        rows.extend(requests.into_counted().map(|request| {
            let row = AspNetEachRow {
                start: request.start.map(Time),
                pid: owner.pid,
                process: owner.name.clone(),
                tid: request.tid,
                total_ms: request.total(),
                method: request.method.into(),
                path: request.path.into(),
                query: request.query.into(),
                queue_ms: request.queue,
                handler_ms: request.handler,
                handler: request.handler_name.map(String::from),
                context: request.context.to_string(),
            };
            (request.seen, row)
        }));
    }
    rows.sort_by_key(|(seen, _)| *seen);
    rows.into_iter().map(|(_, row)| row).collect()
}
