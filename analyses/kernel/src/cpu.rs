//! CPU time by samples: each sample stands for the interval at which the processor was sampled.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use etwkit::decode::Event;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest};

use crate::ProcessKey;
use crate::samples::{INTEREST, Intervals, SampleCounts, SampleEvent};

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
        /// Share of the samples of all rows, in per cent.
        share: f64 as Real,
    }
}

/// What an event says: that of a sample has its process.
#[derive(Clone, Debug)]
pub struct CpuFact {
    event: SampleEvent,
    process: ProcessKey,
    name: Option<Box<str>>,
}

/// Counts the samples of each process.
#[derive(Debug, Default)]
pub struct CpuSamples {
    processes: BTreeMap<ProcessKey, (Option<Box<str>>, SampleCounts)>,
    intervals: Intervals,
}

impl Analysis for CpuSamples {
    type Fact = CpuFact;
    type Row = CpuRow;

    fn interest() -> Interest {
        INTEREST
    }

    fn fact(event: &Event<'_>) -> Option<CpuFact> {
        let sample = SampleEvent::of(event)?;
        Some(CpuFact { event: sample, process: ProcessKey::of(event), name: event.process_name().map(Box::from) })
    }

    fn step(&mut self, fact: CpuFact, _: &Trace) {
        if let SampleEvent::Interval { old, new } = fact.event {
            return self.intervals.add(old, new);
        }
        let (name, counts) = self.processes.entry(fact.process).or_default();
        *name = name.take().or(fact.name);
        counts.add(&self.intervals);
    }

    fn finish(self, _: &Trace) -> Vec<CpuRow> {
        let Self { processes, intervals } = self;
        let all: u64 = processes.values().map(|(_, counts)| counts.samples()).sum();
        let row = |(key, (name, counts)): (ProcessKey, (Option<Box<str>>, SampleCounts))| CpuRow {
            pid: key.pid,
            process: name.map(String::from),
            samples: counts.samples(),
            cpu_ms: counts.units(&intervals).map(|units| real(units) / UNITS_A_MILLISECOND),
            share: real(counts.samples()) * 100.0 / real(all.max(1)),
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
