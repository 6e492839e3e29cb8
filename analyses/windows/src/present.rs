//! Frames that processes present, by events of the graphics kernel.

use std::cmp::Reverse;

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Need, Time};
use etwkit_kernel_analyses::{NamedProcess, ProcessSum, ProcessTable};

use crate::dxgkrnl::DXGKRNL;
use crate::intervals::{Intervals, Room};

const PRESENT: u16 = 184;

etwkit_analysis::row! {
    /// Frames that a process presented.
    pub struct PresentRow {
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of its image.
        process: Option<String> as Text,
        /// Calls that present a frame.
        presents: u64 as Count,
        /// Calls that returned an error.
        failures: u64 as Count,
        /// Time of the first, UTC.
        first: Option<Time> as Time,
        /// Time of the last, UTC.
        last: Option<Time> as Time,
        /// Frames per second, from the first to the last; absent with fewer than two.
        fps: Option<f64> as Real,
        /// Median of the milliseconds between one frame and the next.
        interval_ms_p50: Option<f64> as Milliseconds,
        /// 95th percentile of these.
        interval_ms_p95: Option<f64> as Milliseconds,
        /// Greatest of these.
        interval_ms_max: Option<f64> as Milliseconds,
    }
}

/// A call that presents a frame.
#[derive(Clone, Debug)]
pub struct PresentFact {
    time: FileTime,
    process: NamedProcess,
    is_failure: bool,
}

/// Adds up the frames of each process.
#[derive(Debug, Default)]
pub struct PresentByProcess {
    table: ProcessTable<(), Sum>,
    room: Room,
}

#[derive(Clone, Debug, Default)]
struct Sum {
    presents: Intervals,
    failures: u64,
}

impl Analysis for PresentByProcess {
    type Fact = PresentFact;
    type Row = PresentRow;

    const JOINS_EVENTS: bool = true;

    fn interest() -> Interest {
        let need = Need::Keywords("the provider Microsoft-Windows-DxgKrnl with the keywords 0x8000001, level 4");
        Interest { manifest: &[(DXGKRNL, &[PRESENT])], classic: &[], need }
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self::default())
    }

    fn fact(event: &Event<'_>) -> Option<PresentFact> {
        let is_failure = event.get::<u32>("ReturnStatus").is_ok_and(|status| status.cast_signed() < 0);
        Some(PresentFact { time: event.time()?, process: NamedProcess::of(event), is_failure })
    }

    fn step(&mut self, fact: PresentFact, _: &Trace) {
        self.take(fact, true);
    }

    fn follow(&mut self, fact: PresentFact, _: &Trace) {
        self.take(fact, false);
    }

    fn excess(&self) -> u64 {
        self.table.excess() + self.room.excess()
    }

    fn finish(self, _: &Trace) -> Vec<PresentRow> {
        let counted = self.table.into_sums().into_iter().filter(|sum| sum.sum.presents.count > 0);
        let mut rows: Vec<PresentRow> = counted.map(row).collect();
        rows.sort_by_key(|row| Reverse(row.presents));
        rows
    }
}

impl PresentByProcess {
    /// Takes a call. The time until the next one counts if the call does.
    fn take(&mut self, PresentFact { time, process, is_failure }: PresentFact, is_counted: bool) {
        let sum = self.table.sum(process, ());
        sum.presents.push(time, is_counted, &mut self.room);
        sum.failures += u64::from(is_counted && is_failure);
    }
}

fn row(ProcessSum { key, process, sum, .. }: ProcessSum<(), Sum>) -> PresentRow {
    let Sum { presents, failures } = sum;
    let presents = presents.sorted();
    PresentRow {
        pid: key.pid,
        process,
        presents: presents.count,
        failures,
        first: presents.span.map(|(first, _)| Time(first)),
        last: presents.span.map(|(_, last)| Time(last)),
        fps: presents.rate(),
        interval_ms_p50: presents.percentile(50),
        interval_ms_p95: presents.percentile(95),
        interval_ms_max: presents.longest,
    }
}
