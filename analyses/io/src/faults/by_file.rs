//! Page faults of each process and file.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Measures, greatest_first};
use etwkit_kernel_analyses::{Name, ProcessSum, ProcessTable};

use super::fact::{Fault, FaultFact, HardFault, INTEREST, Kind};

etwkit_analysis::row! {
    /// Page faults of a process and a file.
    pub struct FaultRow {
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of its image.
        process: Option<String> as Text,
        /// Path of the file; absent where no event names it, and of faults without a read.
        file: Option<String> as Text,
        /// Faults for which pages were read from a disk.
        hard_faults: u64 as Count,
        /// Bytes of these pages.
        bytes: u64 as Count,
        /// Milliseconds from these faults to the ends of the reads.
        elapsed_ms_sum: Option<f64> as Milliseconds,
        /// Milliseconds of the longest.
        elapsed_ms_max: Option<f64> as Milliseconds,
        /// Faults whose page was still in memory.
        transition: u64 as Count,
        /// Faults that got a page of zeros.
        demand_zero: u64 as Count,
        /// Faults that copied a page which was shared before.
        copy_on_write: u64 as Count,
        /// Faults of guard pages.
        guard_page: u64 as Count,
        /// Faults that the memory manager counts as hard when they begin.
        hard_memory: u64 as Count,
        /// Faults that raised an access violation.
        access_violation: u64 as Count,
    }
}

/// Adds up the page faults of each process and file.
#[derive(Debug, Default)]
pub struct FaultsByFile {
    table: ProcessTable<Name, Sum>,
}

#[derive(Clone, Debug, Default)]
struct Sum {
    hard: u64,
    bytes: u64,
    elapsed: Measures,
    /// By kind.
    soft: [u64; 6],
}

impl Analysis for FaultsByFile {
    type Fact = FaultFact;
    type Row = FaultRow;

    fn interest() -> Interest {
        INTEREST
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self::default())
    }

    fn fact(event: &Event<'_>) -> Option<FaultFact> {
        FaultFact::of(event)
    }

    fn step(&mut self, FaultFact { process, fault }: FaultFact, _: &Trace) {
        match fault {
            Fault::Hard(HardFault { file, bytes, elapsed, .. }) => {
                let sum = self.table.sum(process, file);
                sum.hard += 1;
                sum.bytes += bytes;
                sum.elapsed.add(elapsed);
            }
            Fault::Soft(kind) => {
                if let Some(count) = self.table.sum(process, None).soft.get_mut(kind as usize) {
                    *count += 1;
                }
            }
        }
    }

    fn excess(&self) -> u64 {
        self.table.excess()
    }

    fn finish(self, _: &Trace) -> Vec<FaultRow> {
        let mut rows: Vec<FaultRow> = self.table.into_sums().into_iter().map(row).collect();
        rows.sort_by(|a, b| {
            greatest_first(a.elapsed_ms_sum, b.elapsed_ms_sum).then_with(|| b.demand_zero.cmp(&a.demand_zero))
        });
        rows
    }
}

fn row(ProcessSum { key, process, subject, sum }: ProcessSum<Name, Sum>) -> FaultRow {
    let soft = |kind: Kind| sum.soft.get(kind as usize).copied().unwrap_or(0);
    FaultRow {
        pid: key.pid,
        process,
        file: subject.map(String::from),
        hard_faults: sum.hard,
        bytes: sum.bytes,
        elapsed_ms_sum: sum.elapsed.sum(),
        elapsed_ms_max: sum.elapsed.max(),
        transition: soft(Kind::Transition),
        demand_zero: soft(Kind::DemandZero),
        copy_on_write: soft(Kind::CopyOnWrite),
        guard_page: soft(Kind::GuardPage),
        hard_memory: soft(Kind::HardMemory),
        access_violation: soft(Kind::AccessViolation),
    }
}
