//! HTTP requests of a trace, put together from the events of HTTP.sys, IIS and iisnode by their activity id, and from
//! the lines of IIS logs.
//!
//! [`requests`] reads a trace and returns a row for each request: client, verb, URL, status, error, and the time of each
//! stage. A program that drives runs itself, for instance to show progress, hands the sinks [`RequestSelection`] and
//! [`RequestCollector`] to [`Trace::run_with`].
//!
//! HTTP.sys writes the first events of a request with the activity of its connection, and the last ones may have an
//! activity whose second half is zero. What they have in common is the id of the request, which is the first half of its
//! activity and is in nearly all payloads.
//!
//! A line of an IIS log (Microsoft-Windows-IIS-Logging, event 6200) belongs to the request that its activity names. With
//! another activity, or none, it is a request of its own, which began its `time-taken` before the event.

mod collector;
pub mod limits;
mod log_line;
mod providers;
mod request;
mod request_key;
mod selection;
mod server_event;
mod stage_names;
mod verbs;

use etwkit::Result;
use etwkit::bytes::Guid;
use etwkit::trace::{Filter, RunOptions, Trace};

pub use collector::{CollectorBatch, CollectorWorker, RequestCollector, RequestFact};
pub use request::{Request, Requests, Stage};
pub use selection::{RequestSelection, SelectionBatch, SelectionWorker};

/// Returns whether a trace has events of a server whose requests are known here.
pub fn has_server_events(trace: &Trace) -> bool {
    server_events(trace) > 0
}

/// Returns whether a provider, or the class of a classic event, is one of the servers whose requests are known here.
pub fn is_server(provider: &Guid) -> bool {
    providers::reader(provider).is_some()
}

/// Returns the number of events of servers whose requests are known here.
pub fn server_events(trace: &Trace) -> u64 {
    let providers = trace.by_provider();
    providers.iter().filter(|(guid, _)| is_server(guid)).map(|(_, count)| count.events).sum()
}

/// Returns the requests of a trace.
///
/// The filter of `options` chooses requests, not events: a request that has an event which passes is put together from all
/// its events, whatever their time. A filter costs one more pass over the trace.
///
/// # Errors
///
/// Returns an error if the trace cannot be read.
pub fn requests(trace: &Trace, options: &RunOptions) -> Result<Requests> {
    let mut collector = RequestCollector::default();
    if options.filter != Filter::default() {
        let mut selection = RequestSelection::default();
        trace.run(options, &mut selection)?;
        collector = RequestCollector::of_selection(selection);
    }
    trace.run(&whole_trace(options), &mut collector)?;
    Ok(collector.finish())
}

fn whole_trace(options: &RunOptions) -> RunOptions {
    options.clone().filter(Filter::default())
}

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
