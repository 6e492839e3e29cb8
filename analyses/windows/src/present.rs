//! Frames that processes present, by events of the graphics kernel.

use std::cmp::Reverse;

use etwkit::FileTime;
use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Need, Time, milliseconds};
use etwkit_kernel_analyses::{NamedProcess, ProcessSum, ProcessTable};

use crate::limits::MOST_INTERVALS;

/// `Microsoft-Windows-DxgKrnl`.
const DXGKRNL: Guid = Guid::from_u128(0x802ec45a_1e99_4b83_9920_87c98277ba9d);
const PRESENT: u16 = 184;
/// Milliseconds of a second.
const SECOND: f64 = 1000.0;

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
        /// Frames a second, from the first to the last; absent with fewer than two.
        fps: Option<f64> as Real,
        /// Median of the milliseconds between one frame and the next.
        interval_ms_p50: Option<f64> as Real,
        /// 95th percentile of these.
        interval_ms_p95: Option<f64> as Real,
        /// Greatest of these.
        interval_ms_max: Option<f64> as Real,
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
    /// Intervals that are kept, of all processes.
    kept: usize,
}

#[derive(Clone, Debug, Default)]
struct Sum {
    presents: u64,
    failures: u64,
    span: Option<(FileTime, FileTime)>,
    /// When the last frame was presented, and whether it counts.
    last: Option<(FileTime, bool)>,
    /// Milliseconds from frames that count to the next one.
    intervals: Vec<f64>,
    longest: Option<f64>,
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

    fn finish(self, _: &Trace) -> Vec<PresentRow> {
        let counted = self.table.into_sums().into_iter().filter(|sum| sum.sum.presents > 0);
        let mut rows: Vec<PresentRow> = counted.map(row).collect();
        rows.sort_by_key(|row| Reverse(row.presents));
        rows
    }
}

impl PresentByProcess {
    /// Takes a call. The time until the next one counts if the call does.
    fn take(&mut self, PresentFact { time, process, is_failure }: PresentFact, is_counted: bool) {
        let sum = self.table.sum(process, ());
        if let Some((last, true)) = sum.last.replace((time, is_counted)) {
            let interval = milliseconds(last, time);
            sum.longest = Some(sum.longest.map_or(interval, |longest| longest.max(interval)));
            if self.kept < MOST_INTERVALS {
                self.kept += 1;
                sum.intervals.push(interval);
            }
        }
        if is_counted {
            sum.presents += 1;
            sum.failures += u64::from(is_failure);
            sum.span = Some((sum.span.map_or(time, |(first, _)| first), time));
        }
    }
}

impl Sum {
    fn fps(&self) -> Option<f64> {
        let (first, last) = self.span?;
        let seconds = milliseconds(first, last) / SECOND;
        #[expect(clippy::cast_precision_loss, reason = "counts of a trace are below 2^53")]
        let frames = self.presents.saturating_sub(1) as f64;
        (seconds > 0.0).then_some(frames / seconds)
    }

    /// Returns the interval that some per cent of all do not exceed: the nearest rank. The intervals must be sorted.
    fn percentile(&self, percent: usize) -> Option<f64> {
        let rank = (self.intervals.len() * percent).div_ceil(100);
        self.intervals.get(rank.checked_sub(1)?).copied()
    }
}

fn row(ProcessSum { key, process, mut sum, .. }: ProcessSum<(), Sum>) -> PresentRow {
    sum.intervals.sort_by(f64::total_cmp);
    PresentRow {
        pid: key.pid,
        process,
        presents: sum.presents,
        failures: sum.failures,
        first: sum.span.map(|(first, _)| Time(first)),
        last: sum.span.map(|(_, last)| Time(last)),
        fps: sum.fps(),
        interval_ms_p50: sum.percentile(50),
        interval_ms_p95: sum.percentile(95),
        interval_ms_max: sum.longest,
    }
}
