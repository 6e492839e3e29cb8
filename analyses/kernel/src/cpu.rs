//! CPU time by samples: each sample stands for the interval at which the processor was sampled.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest};

use crate::ProcessKey;
use crate::samples::{INTEREST, Intervals, SampleCount, is_busy};

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
        /// Share of the samples that pass the filters, in per cent.
        share: f64 as Real,
    }
}

/// A sample.
#[derive(Clone, Debug)]
pub struct CpuFact {
    time: Option<FileTime>,
    process: ProcessKey,
    name: Option<Box<str>>,
}

/// Counts the samples of each process.
#[derive(Debug)]
pub struct CpuSamples {
    processes: BTreeMap<ProcessKey, (Option<Box<str>>, SampleCount)>,
    intervals: Intervals,
}

impl Analysis for CpuSamples {
    type Fact = CpuFact;
    type Row = CpuRow;

    fn interest() -> Interest {
        INTEREST
    }

    fn begin(trace: &Trace) -> Result<Self> {
        Ok(Self { processes: BTreeMap::new(), intervals: Intervals::of(trace)? })
    }

    fn fact(event: &Event<'_>) -> Option<CpuFact> {
        let fact = || CpuFact {
            time: event.time(),
            process: ProcessKey::of(event),
            name: event.process_name().map(Box::from),
        };
        is_busy(event).then(fact)
    }

    fn step(&mut self, fact: CpuFact, _: &Trace) {
        let (name, count) = self.processes.entry(fact.process).or_default();
        *name = name.take().or(fact.name);
        count.add(self.intervals.at(fact.time));
    }

    fn finish(self, _: &Trace) -> Vec<CpuRow> {
        let Self { processes, intervals } = self;
        let all: u64 = processes.values().map(|(_, count)| count.samples).sum();
        let row = |(key, (name, count)): (ProcessKey, (Option<Box<str>>, SampleCount))| CpuRow {
            pid: key.pid,
            process: name.map(String::from),
            samples: count.samples,
            cpu_ms: intervals.at(None).map(|_| real(count.units) / UNITS_A_MILLISECOND),
            share: real(count.samples) * 100.0 / real(all.max(1)),
        };
        let mut rows: Vec<CpuRow> = processes.into_iter().map(row).collect();
        rows.sort_by_key(|row| Reverse(row.samples));
        rows
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of a trace are below 2^53")]
fn real(number: u64) -> f64 {
    number as f64
}
