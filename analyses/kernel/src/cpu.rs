//! CPU time: by samples, each of which stands for the interval at which the processor was sampled, and by context
//! switches, which is exact.

use std::collections::BTreeMap;

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Excess, Interest, Selection, per_cent, units_to_milliseconds};

use crate::ProcessKey;
use crate::run_times::{RunTime, RunTimes, run_times};
use crate::samples::{INTEREST, Intervals, SampleCount, is_busy};
use crate::schedule::SWITCHES;

etwkit_analysis::row! {
    /// CPU time of a process.
    pub struct CpuRow {
        /// Process id; absent where no event states whose thread it was.
        pid: Option<u32> as Id,
        /// File name of its image.
        process: Option<String> as Text,
        /// Samples, without those of idle processors.
        samples: u64 as Count,
        /// Milliseconds that the samples stand for; absent if no event has the interval.
        cpu_ms: Option<f64> as Milliseconds,
        /// Share of the samples that pass the filters, in per cent; absent if there are none.
        share: Option<f64> as Real,
        /// Milliseconds in which its threads ran, by context switches; absent without these.
        run_ms: Option<f64> as Milliseconds,
        /// How often its threads got a processor; absent without context switches.
        switches: Option<u64> as Count,
    }
}

/// Processes that are kept.
const MOST: usize = 1 << 20;

/// A sample.
#[derive(Clone, Debug)]
pub struct CpuFact {
    time: Option<FileTime>,
    process: ProcessKey,
    name: Option<Box<str>>,
}

/// What is known of a process.
#[derive(Clone, Debug, Default)]
struct Sums {
    name: Option<Box<str>>,
    count: SampleCount,
}

/// Counts the samples of each process. Where the trace has context switches, and the filter has no conditions on single
/// events, it adds up how long the threads of each process ran, too.
#[derive(Debug)]
pub struct CpuSamples {
    processes: BTreeMap<ProcessKey, Sums>,
    excess: Excess,
    intervals: Intervals,
    exact: Option<RunTimes>,
}

impl Analysis for CpuSamples {
    type Fact = CpuFact;
    type Row = CpuRow;

    fn interest() -> Interest {
        INTEREST
    }

    fn begin(trace: &Trace) -> Result<Self> {
        let (processes, excess) = <_>::default();
        Ok(Self { processes, excess, intervals: Intervals::of(trace)?, exact: None })
    }

    fn is_answerable(trace: &Trace) -> bool {
        INTEREST.events(trace) + SWITCHES.events(trace) > 0
    }

    fn select(&mut self, trace: &Trace, selection: Option<&Selection>) -> Result<()> {
        if let Some(selection) = selection {
            self.exact = run_times(trace, selection)?;
        }
        Ok(())
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
        let is_known = self.processes.contains_key(&fact.process);
        if !is_known && !self.excess.admits(self.processes.len(), MOST) {
            return;
        }
        let sums = self.processes.entry(fact.process).or_default();
        sums.name = sums.name.take().or(fact.name);
        sums.count.add(self.intervals.at(fact.process.machine, fact.time));
    }

    fn excess(&self) -> u64 {
        self.excess.count() + self.exact.as_ref().map_or(0, |exact| exact.excess)
    }

    fn finish(mut self, _: &Trace) -> Vec<CpuRow> {
        for (key, RunTime { process, .. }) in self.exact.iter().flat_map(|exact| &exact.by_process) {
            let sums = self.processes.entry(*key).or_default();
            sums.name = sums.name.take().or_else(|| process.as_deref().map(Box::from));
        }
        let all = self.processes.values().map(|sums| sums.count.samples).sum();
        let Self { processes, intervals, exact, .. } = self;
        let row = |(key, Sums { name, count }): (ProcessKey, Sums)| {
            let exact = exact
                .as_ref()
                .filter(|exact| exact.machines.contains(&key.machine))
                .map(|exact| exact.by_process.get(&key).map_or((0, 0), |times| (times.units, times.switches)));
            CpuRow {
                pid: key.pid,
                process: name.map(String::from),
                samples: count.samples,
                cpu_ms: intervals.at(key.machine, None).map(|_| units_to_milliseconds(count.units)),
                share: per_cent(count.samples, all),
                run_ms: exact.map(|(units, _)| units_to_milliseconds(units)),
                switches: exact.map(|(_, switches)| switches),
            }
        };
        let mut rows: Vec<CpuRow> = processes.into_iter().map(row).collect();
        rows.sort_by(|a, b| {
            let run = |row: &CpuRow| row.run_ms.unwrap_or_default();
            b.samples.cmp(&a.samples).then(run(b).total_cmp(&run(a)))
        });
        rows
    }
}
