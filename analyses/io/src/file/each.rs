//! Each operation on a file.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Time};

use super::fact::{FileFact, INTEREST};
use super::state::{Done, State};
use crate::list::List;

etwkit_analysis::row! {
    /// An operation on a file.
    pub struct FileEachRow {
        /// Time at which it began, UTC.
        time: Time as Time,
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Thread.
        tid: Option<u32> as Id,
        /// `create`, `read`, `write`, `cleanup`, `close`, `delete`, `rename`, `flush`, `dir_enum`, `dir_notify`, `query_info`, `set_info`, `set_link` or `fs_control`.
        operation: &'static str as Text,
        /// Path of the file.
        file: Option<String> as Text,
        /// Place in the file, in bytes.
        offset: Option<u64> as Id,
        /// Bytes that were read or written; absent for other operations.
        bytes: Option<u64> as Count,
        /// `NTSTATUS` of its end; absent if the end is not in the trace.
        status: Option<u32> as Id,
        /// Milliseconds; absent if the end is not in the trace.
        elapsed_ms: Option<f64> as Milliseconds,
    }
}

/// Lists the operations on files in order of time.
#[derive(Debug, Default)]
pub struct FileEach {
    state: State,
    list: List<Done>,
}

impl Analysis for FileEach {
    type Fact = FileFact;
    type Row = FileEachRow;

    const JOINS_EVENTS: bool = true;

    fn interest() -> Interest {
        INTEREST
    }

    fn begin(trace: &Trace) -> Result<Self> {
        Ok(Self { state: State::new(trace)?, list: List::default() })
    }

    fn fact(event: &Event<'_>) -> Option<FileFact> {
        FileFact::of(event)
    }

    fn step(&mut self, fact: FileFact, _: &Trace) {
        self.take(fact, true);
    }

    fn follow(&mut self, fact: FileFact, _: &Trace) {
        self.take(fact, false);
    }

    fn end(&mut self, _: &Trace) {
        self.state.take_open().into_iter().for_each(|done| self.list.push(done));
    }

    fn excess(&self) -> u64 {
        self.state.excess() + self.list.excess()
    }

    fn finish(self, _: &Trace) -> Vec<FileEachRow> {
        let mut rows = self.list.into_rows(row);
        rows.sort_by_key(|row| row.time);
        rows
    }
}

impl FileEach {
    fn take(&mut self, fact: FileFact, is_chosen: bool) {
        if let Some(done) = self.state.take(fact, is_chosen) {
            self.list.push(done);
        }
    }
}

fn row(done: Done) -> FileEachRow {
    FileEachRow {
        elapsed_ms: done.elapsed(),
        bytes: done.bytes(),
        status: done.status(),
        time: Time(done.time),
        pid: done.operation.process.key.pid,
        process: done.operation.process.name.map(String::from),
        tid: done.operation.tid,
        operation: done.operation.kind.name(),
        file: done.operation.file.map(String::from),
        offset: done.operation.offset,
    }
}
