//! Each transfer.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Time};

use super::fact::{DiskFact, INTEREST, Transfer};
use super::state::State;
use crate::list::List;

etwkit_analysis::row! {
    /// A transfer.
    pub struct DiskEachRow {
        /// Time at which it was done, UTC.
        time: Time as Time,
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Thread that asked for it.
        tid: Option<u32> as Id,
        /// `read`, `write` or `flush`.
        operation: &'static str as Text,
        /// Path of the file.
        file: Option<String> as Text,
        /// Number of the disk.
        disk: u32 as Id,
        /// Place on the disk, in bytes; a flush has none.
        offset: Option<u64> as Id,
        /// Bytes; a flush has none.
        bytes: Option<u64> as Count,
        /// Milliseconds from the request to the end.
        elapsed_ms: Option<f64> as Milliseconds,
        /// Milliseconds of these in which the disk was not busy with the transfer before; a flush has none.
        service_ms: Option<f64> as Milliseconds,
    }
}

/// Lists the transfers of all disks in order of time.
#[derive(Debug, Default)]
pub struct DiskEach {
    state: State,
    list: List<(Transfer, Option<f64>)>,
}

impl Analysis for DiskEach {
    type Fact = DiskFact;
    type Row = DiskEachRow;

    const JOINS_EVENTS: bool = true;

    fn interest() -> Interest {
        INTEREST
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self::default())
    }

    fn owner(event: &Event<'_>) -> (Option<u32>, Option<u32>) {
        DiskFact::owner(event)
    }

    fn fact(event: &Event<'_>) -> Option<DiskFact> {
        DiskFact::of(event)
    }

    fn step(&mut self, fact: DiskFact, _: &Trace) {
        self.take(fact, true);
    }

    fn follow(&mut self, fact: DiskFact, _: &Trace) {
        self.take(fact, false);
    }

    fn excess(&self) -> u64 {
        self.state.excess() + self.list.excess()
    }

    fn finish(self, _: &Trace) -> Vec<DiskEachRow> {
        self.list.into_rows(row)
    }
}

impl DiskEach {
    fn take(&mut self, fact: DiskFact, is_chosen: bool) {
        if let Some(done) = self.state.take(fact, is_chosen) {
            self.list.push(done);
        }
    }
}

fn row((transfer, served): (Transfer, Option<f64>)) -> DiskEachRow {
    DiskEachRow {
        time: Time(transfer.time),
        pid: transfer.issuer.process.key.pid,
        process: transfer.issuer.process.name.map(String::from),
        tid: transfer.issuer.tid,
        operation: transfer.operation.name(),
        file: transfer.file.map(String::from),
        disk: transfer.disk.1,
        offset: transfer.offset,
        bytes: transfer.bytes,
        elapsed_ms: transfer.elapsed,
        service_ms: served,
    }
}
