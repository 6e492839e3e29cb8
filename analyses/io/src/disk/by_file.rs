//! Transfers of each process and file.

use std::collections::BTreeSet;

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Excess, Interest, Measures};
use etwkit_kernel_analyses::{Name, ProcessSum, ProcessTable};

use super::fact::{DiskFact, INTEREST, Operation, Transfer};
use super::state::State;

etwkit_analysis::row! {
    /// Transfers of a process and a file.
    pub struct DiskRow {
        /// Process id; absent where no event states who asked.
        pid: Option<u32> as Id,
        /// File name of its image.
        process: Option<String> as Text,
        /// Path of the file; absent where no event names it, and of flushes.
        file: Option<String> as Text,
        /// Reads.
        reads: u64 as Count,
        /// Bytes that were read.
        read_bytes: u64 as Count,
        /// Writes.
        writes: u64 as Count,
        /// Bytes that were written.
        write_bytes: u64 as Count,
        /// Milliseconds from the requests to the ends of reads and writes.
        elapsed_ms_sum: f64 as Milliseconds,
        /// Milliseconds of the longest of these.
        elapsed_ms_max: Option<f64> as Milliseconds,
        /// Milliseconds of these in which the disk was not busy with the transfer before.
        service_ms_sum: Option<f64> as Milliseconds,
        /// Flushes of a disk's cache.
        flushes: u64 as Count,
        /// Milliseconds from the requests to the ends of flushes.
        flush_ms_sum: Option<f64> as Milliseconds,
        /// Numbers of the disks.
        disks: Vec<u32> as Text,
    }
}

/// Adds up the transfers of each process and file.
#[derive(Debug, Default)]
pub struct DiskByFile {
    state: State,
    table: ProcessTable<Name, Sum>,
    /// Disks that have no room.
    excess: Excess,
}

#[derive(Clone, Debug, Default)]
struct Sum {
    reads: u64,
    read_bytes: u64,
    writes: u64,
    write_bytes: u64,
    elapsed: Measures,
    served: Measures,
    flushes: u64,
    flush: Measures,
    disks: BTreeSet<u32>,
}

/// Disks of a file that are listed.
const MOST_DISKS_OF_A_FILE: usize = 64;

impl Analysis for DiskByFile {
    type Fact = DiskFact;
    type Row = DiskRow;

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
        self.state.excess() + self.table.excess() + self.excess.count()
    }

    fn finish(self, _: &Trace) -> Vec<DiskRow> {
        let mut rows: Vec<DiskRow> = self.table.into_sums().into_iter().map(row).collect();
        rows.sort_by(|a, b| b.elapsed_ms_sum.total_cmp(&a.elapsed_ms_sum));
        rows
    }
}

impl DiskByFile {
    fn take(&mut self, fact: DiskFact, is_chosen: bool) {
        if let Some((transfer, served)) = self.state.take(fact, is_chosen) {
            let Transfer { issuer, file, operation, bytes, elapsed, disk, .. } = transfer;
            let sum = self.table.sum(issuer.process, file);
            sum.add(operation, bytes.unwrap_or(0), (elapsed, served));
            if sum.disks.contains(&disk.1) || self.excess.admits(sum.disks.len(), MOST_DISKS_OF_A_FILE) {
                sum.disks.insert(disk.1);
            }
        }
    }
}

impl Sum {
    fn add(&mut self, operation: Operation, bytes: u64, (elapsed, served): (Option<f64>, Option<f64>)) {
        match operation {
            Operation::Read => {
                self.reads += 1;
                self.read_bytes += bytes;
            }
            Operation::Write => {
                self.writes += 1;
                self.write_bytes += bytes;
            }
            Operation::Flush => {
                self.flushes += 1;
                self.flush.add(elapsed);
                return;
            }
        }
        self.elapsed.add(elapsed);
        self.served.add(served);
    }
}

fn row(ProcessSum { key, process, subject, sum }: ProcessSum<Name, Sum>) -> DiskRow {
    DiskRow {
        pid: key.pid,
        process,
        file: subject.map(String::from),
        reads: sum.reads,
        read_bytes: sum.read_bytes,
        writes: sum.writes,
        write_bytes: sum.write_bytes,
        elapsed_ms_sum: sum.elapsed.sum().unwrap_or(0.0),
        elapsed_ms_max: sum.elapsed.max(),
        service_ms_sum: sum.served.sum(),
        flushes: sum.flushes,
        flush_ms_sum: sum.flush.sum(),
        disks: sum.disks.into_iter().collect(),
    }
}
