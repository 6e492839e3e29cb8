//! CPU time by samples: each sample stands for the interval at which the processor was sampled.

use std::collections::BTreeMap;

use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Need};

use crate::ProcessKey;

const PERF_INFO: Guid = Guid::from_u128(0xce1dbfb4_137e_4da6_87b0_3f59aa102cbc);
const SAMPLE: u8 = 46;
/// `CollectionStart`, `CollectionEnd` and `SetInterval`.
const INTERVALS: [u8; 3] = [72, 73, 74];
/// Of the flags of a sample: a DPC or an interrupt ran.
const DPC_OR_INTERRUPT: u64 = 3;
/// The source of samples that is a timer.
const TIMER: u32 = 0;
/// Units of 100 ns in a millisecond.
const UNITS_A_MILLISECOND: f64 = 10_000.0;

etwkit_analysis::row! {
    /// CPU time of a process.
    pub struct CpuRow {
        /// Process id; absent where no event says whose thread it was.
        pid: Option<u32> as Id,
        /// File name of its image.
        process: Option<String> as Text,
        /// Samples, without those of idle processors.
        samples: u64 as Count,
        /// Milliseconds that the samples stand for; absent if no event has the interval.
        cpu_ms: Option<f64> as Real,
        /// Share of all rows in per cent, of the samples.
        share: f64 as Real,
    }
}

/// What an event says.
#[derive(Clone, Debug)]
pub enum CpuFact {
    /// A sample of a processor that was not idle.
    Sample(ProcessKey, Option<Box<str>>),
    /// The interval in units of 100 ns before and after the event.
    Interval(u32, u32),
}

/// Counts the samples of each process.
///
/// A sample of thread 0 is that of an idle processor, unless a DPC or an interrupt ran (section 2.1). The interval is
/// that of the last event that states one; before the first such event, the old interval that it states.
#[derive(Debug, Default)]
pub struct CpuSamples {
    /// Samples of each interval.
    processes: BTreeMap<ProcessKey, Samples>,
    /// Intervals, in the order of their events.
    intervals: Vec<u32>,
}

#[derive(Debug, Default)]
struct Samples {
    name: Option<Box<str>>,
    /// By the number of interval events before.
    counts: Vec<u64>,
}

impl Analysis for CpuSamples {
    type Fact = CpuFact;
    type Row = CpuRow;

    fn interest() -> Interest {
        const EVENTS: &[(Guid, &[u8])] = &[(PERF_INFO, &[SAMPLE, INTERVALS[0], INTERVALS[1], INTERVALS[2]])];
        Interest { manifest: &[], classic: EVENTS, need: Need::KernelFlags("PROC_THREAD+PROFILE") }
    }

    fn fact(event: &Event<'_>) -> Option<CpuFact> {
        if event.raw().opcode() != SAMPLE {
            let is_timer = event.get::<u32>("Source").ok()? == TIMER;
            let interval = |name| event.get::<u32>(name).ok();
            return Some(CpuFact::Interval(interval("OldInterval")?, interval("NewInterval")?)).filter(|_| is_timer);
        }
        let flags: Option<u64> = event.get("Flags").ok()?;
        let is_busy = event.tid() != Some(0) || flags.unwrap_or(0) & DPC_OR_INTERRUPT != 0;
        is_busy.then(|| CpuFact::Sample(ProcessKey::of(event), event.process_name().map(Box::from)))
    }

    fn step(&mut self, fact: CpuFact, _: &Trace) {
        match fact {
            CpuFact::Interval(old, new) => {
                if self.intervals.is_empty() {
                    self.intervals.push(old);
                }
                self.intervals.push(new);
            }
            CpuFact::Sample(key, name) => {
                let samples = self.processes.entry(key).or_default();
                samples.counts.resize(self.intervals.len().max(1), 0);
                samples.counts.last_mut().into_iter().for_each(|count| *count += 1);
                samples.name = samples.name.take().or(name);
            }
        }
    }

    fn finish(self, _: &Trace) -> Vec<CpuRow> {
        let Self { processes, intervals } = self;
        let all: u64 = processes.values().flat_map(|samples| &samples.counts).sum();
        let row = |(key, Samples { name, counts }): (ProcessKey, Samples)| {
            let samples = counts.iter().sum();
            let units: u64 = counts.iter().zip(&intervals).map(|(count, interval)| count * u64::from(*interval)).sum();
            let cpu_ms = (!intervals.is_empty()).then(|| real(units) / UNITS_A_MILLISECOND);
            let share = real(samples) * 100.0 / real(all.max(1));
            CpuRow { pid: key.pid, process: name.map(String::from), samples, cpu_ms, share }
        };
        let mut rows: Vec<CpuRow> = processes.into_iter().map(row).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.samples));
        rows
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of a trace are below 2^53")]
fn real(number: u64) -> f64 {
    number as f64
}
