//! Bytes of transfers over time.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Time};

use super::fact::{DiskFact, INTEREST, Operation};
use super::state::State;
use crate::packed_list::{Entry, PackedList};

etwkit_analysis::row! {
    /// The bytes of a transfer.
    pub struct DiskOverTimeRow {
        /// Time at which it was done, UTC.
        time: Time as Time,
        /// Number of the disk.
        disk: u32 as Id,
        /// `read`, `write` or `flush`.
        operation: &'static str as Text,
        /// Bytes; a flush has none.
        bytes: Option<u64> as Count,
    }
}

/// Lists how many bytes each transfer had, in order of time: the transfers of [`DiskEach`](crate::DiskEach) in few bytes
/// each, for pictures.
#[derive(Debug, Default)]
pub struct DiskOverTime {
    state: State,
    list: PackedList,
}

impl Analysis for DiskOverTime {
    type Fact = DiskFact;
    type Row = DiskOverTimeRow;

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

    fn finish(self, trace: &Trace) -> Vec<DiskOverTimeRow> {
        self.finish_by_row(trace).collect()
    }

    fn finish_by_row(self, _: &Trace) -> impl Iterator<Item = DiskOverTimeRow> {
        self.list.into_iter().map(row)
    }
}

impl DiskOverTime {
    fn take(&mut self, fact: DiskFact, is_chosen: bool) {
        if let Some((transfer, _)) = self.state.take(fact, is_chosen) {
            let what = u64::from(transfer.disk.1) << OPERATION_BITS | transfer.operation as u64;
            self.list.push(Entry { time: transfer.time, what, bytes: transfer.bytes });
        }
    }
}

/// Bits of the number of an operation, below that of the disk.
const OPERATION_BITS: u32 = 2;

fn row(Entry { time, what, bytes }: Entry) -> DiskOverTimeRow {
    let own = what & ((1 << OPERATION_BITS) - 1);
    let operation = Operation::ALL.into_iter().find(|operation| *operation as u64 == own);
    DiskOverTimeRow {
        time: Time(time),
        disk: (what >> OPERATION_BITS) as u32,
        operation: operation.map_or("", Operation::name),
        bytes,
    }
}
