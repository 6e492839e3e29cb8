//! What a trace is, in a few numbers.

use etwkit::render::time::push_filetime;
use etwkit::{FileTime, Trace};
use serde::Serialize;

/// A trace in a few numbers.
#[derive(Debug, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub(crate) struct Overview {
    files: Vec<FileRow>,
    computer: Option<String>,
    build: Option<u32>,
    product: Option<String>,
    session: Option<String>,
    start: Option<String>,
    end: Option<String>,
    /// From the first event to the last, in 100 ns.
    duration: Option<i64>,
    events: u64,
    undecoded: u64,
    buffers: u64,
    events_lost: Option<u64>,
    processors: Vec<u16>,
    types: usize,
    problems: usize,
    is_damaged: bool,
    has_stacks: bool,
    has_requests: bool,
    has_packets: bool,
    /// What else is to be reported about the files.
    notes: Vec<String>,
}

/// A file of the trace.
#[derive(Debug, Serialize)]
struct FileRow {
    name: String,
    bytes: u64,
}

impl Overview {
    pub(crate) fn of(trace: &Trace, notes: Vec<String>) -> Self {
        let log = trace.files().first().filter(|file| !file.head.is_missing()).map(|file| &file.head.log);
        let span = trace.first_and_last();
        let (_, undecoded) = trace.decoded();
        let machine = &trace.system().machine;
        let file =
            |file: &etwkit::trace::TraceFile| FileRow { name: file.source.name().to_owned(), bytes: file.source.len() };
        Self {
            files: trace.files().iter().map(file).collect(),
            computer: machine.computer_name.as_deref().map(str::to_owned),
            build: log.map(|log| log.os_build),
            product: log.and_then(|log| etwkit_windows_analyses::product(log.os_build)).map(str::to_owned),
            session: log.map(|log| log.session.clone()),
            start: span.map(|(first, _)| time_text(first)),
            end: span.map(|(_, last)| time_text(last)),
            duration: span.map(|(first, last)| last.as_units().saturating_sub(first.as_units())),
            events: trace.events_total(),
            undecoded,
            buffers: trace.counts_of_all().buffers,
            events_lost: log.map(|_| trace.events_lost()),
            processors: trace.processor_numbers(),
            types: trace.types().len(),
            problems: trace.problems().len(),
            is_damaged: trace.is_damaged(),
            has_stacks: trace.systems().iter().any(|system| !system.stacks.is_empty()),
            has_requests: etwkit_http_requests::has_server_events(trace),
            has_packets: etwkit_packets::packet_events(trace) > 0,
            notes,
        }
    }
}

/// Returns a time as RFC 3339 UTC.
pub(crate) fn time_text(time: FileTime) -> String {
    let mut out = Vec::new();
    push_filetime(&mut out, time);
    String::from_utf8_lossy(&out).into_owned()
}

/// A request of a web server.
#[derive(Debug, Serialize)]
pub(crate) struct RequestRow {
    start: String,
    /// In 100 ns.
    duration: i64,
    client: Option<String>,
    verb: Option<String>,
    url: Option<String>,
    status: Option<String>,
    error: Option<String>,
    activity: String,
}

impl RequestRow {
    pub(crate) fn of(request: &etwkit_http_requests::Request) -> Self {
        Self {
            start: time_text(request.first),
            duration: request.last.as_units().saturating_sub(request.first.as_units()),
            client: request.client.clone(),
            verb: request.verb.clone(),
            url: request.url.clone(),
            status: request.status.clone(),
            error: request.error.clone(),
            activity: request.activity.to_string(),
        }
    }
}
