//! Processes, problems and buffers as lists.

use etwkit::Trace;
use serde::Serialize;

use crate::limits::{MAX_BUFFERS, MAX_LISTED};
use crate::overview::time_text;

/// A list that may be cut off.
#[derive(Debug, Serialize)]
pub(crate) struct Listed<T> {
    rows: Vec<T>,
    /// Rows that there are besides.
    left_out: usize,
}

impl<T> Listed<T> {
    pub(crate) fn new(all: impl ExactSizeIterator<Item = T>, most: usize) -> Self {
        let left_out = all.len().saturating_sub(most);
        Self { rows: all.take(most).collect(), left_out }
    }
}

/// A process.
#[derive(Debug, Serialize)]
pub(crate) struct ProcessRow {
    pid: u32,
    parent: Option<u32>,
    name: String,
    command_line: Option<String>,
    start: Option<String>,
    end: Option<String>,
}

/// A problem and its place.
#[derive(Debug, Serialize)]
pub(crate) struct ProblemRow {
    severity: &'static str,
    kind: &'static str,
    file: u16,
    offset: u64,
    len: u64,
    detail: String,
}

/// A buffer and its place.
#[derive(Debug, Serialize)]
pub(crate) struct BufferRow {
    file: u16,
    offset: u64,
    size: u32,
    used: u32,
    processor: u16,
    /// 100 ns from the first event on; absent without a clock.
    time: Option<i64>,
}

pub(crate) fn processes(trace: &Trace) -> Listed<ProcessRow> {
    let mut rows = Vec::new();
    for (_, process) in trace.systems().iter().flat_map(|system| system.processes.list()) {
        rows.push(ProcessRow {
            pid: process.facts.pid,
            parent: process.facts.parent,
            name: process.file_name().to_owned(),
            command_line: Some(process.facts.command_line.to_string()).filter(|text| !text.is_empty()),
            start: process.start.map(time_text),
            end: process.end.map(time_text),
        });
    }
    Listed::new(rows.into_iter(), MAX_LISTED)
}

pub(crate) fn problems(trace: &Trace) -> Listed<ProblemRow> {
    let row = |found: &etwkit::Problem| ProblemRow {
        severity: found.severity.name(),
        kind: found.kind.name(),
        file: found.file.0,
        offset: found.offset,
        len: found.len,
        detail: found.detail.clone(),
    };
    let mut listed = Listed::new(trace.problems().iter().map(row), MAX_LISTED);
    listed.left_out = listed.left_out.saturating_add(trace.unlisted_problems() as usize);
    listed
}

pub(crate) fn buffers(trace: &Trace) -> Listed<BufferRow> {
    let first = trace.first_and_last().map(|(first, _)| first);
    let row = |info: etwkit::container::BufferInfo| {
        let time = trace.clock(info.file).and_then(|clock| clock.filetime(info.time));
        BufferRow {
            file: info.file.0,
            offset: info.offset,
            size: info.size,
            used: info.used,
            processor: info.processor,
            time: time.zip(first).map(|(time, first)| time.as_units().saturating_sub(first.as_units())),
        }
    };
    Listed::new(trace.buffers().map(row), MAX_BUFFERS)
}
