//! CPU samples over time, by processor and by process.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::sink::{Sink, Worker};
use etwkit::trace::Trace;
use etwkit_browse::{Density, Extent};
use etwkit_kernel_analyses::{NamedProcess, ProcessKey, samples};

use super::MOST_INTERVALS;

/// Counts samples over time.
#[derive(Debug)]
pub(crate) struct Samples {
    extent: Extent,
    wanted: Arc<[bool]>,
    processors: BTreeMap<u16, usize>,
    processes: BTreeMap<ProcessKey, (usize, Option<Box<str>>)>,
    by_processor: Density,
    by_process: Density,
    excess: u64,
}

/// A lane of samples: what it is about, and its number.
pub(crate) type NamedLane = (String, usize);

impl Samples {
    /// Begins, if the trace has samples.
    pub(crate) fn new(trace: &Trace, extent: Extent) -> Option<Self> {
        let wanted: Arc<[bool]> = trace.types().iter().map(|row| samples::INTEREST.has(row.key())).collect();
        let is_any = wanted.iter().any(|wanted| *wanted);
        let (processors, processes) = <_>::default();
        let (by_processor, by_process) =
            (Density::new(MOST_PROCESSORS, MOST_INTERVALS), Density::new(MOST_PROCESSES, MOST_INTERVALS));
        is_any.then_some(Self { extent, wanted, processors, processes, by_processor, by_process, excess: 0 })
    }

    /// Returns the lanes of processors, by their numbers.
    pub(crate) fn processors(&self) -> (&Density, Vec<NamedLane>) {
        let lanes = self.processors.iter().map(|(number, lane)| (format!("CPU {number}"), *lane)).collect();
        (&self.by_processor, lanes)
    }

    /// Returns the lanes of processes, those with most samples first.
    pub(crate) fn processes(&self) -> (&Density, Vec<NamedLane>) {
        let label = |key: &ProcessKey, name: &Option<Box<str>>| match (name, key.pid) {
            (Some(name), Some(pid)) => format!("{name} ({pid})"),
            (None, Some(pid)) => format!("process {pid}"),
            (_, None) => "(process not known)".to_owned(),
        };
        let mut lanes: Vec<NamedLane> =
            self.processes.iter().map(|(key, (lane, name))| (label(key, name), *lane)).collect();
        lanes.sort_by(|a, b| self.by_process.total(b.1).total_cmp(&self.by_process.total(a.1)).then(a.1.cmp(&b.1)));
        (&self.by_process, lanes)
    }

    /// Returns how many samples have no lane.
    pub(crate) const fn excess(&self) -> u64 {
        self.excess
    }

    /// Joins intervals until there are few enough for a page.
    pub(crate) fn fit(&mut self, most: usize) {
        self.by_processor.fit(most);
        self.by_process.fit(most);
    }

    fn add(&mut self, sample: Sample) {
        let Sample { at, processor, process } = sample;
        let next = self.processors.len();
        let lane = *self.processors.entry(processor).or_insert(next);
        self.by_processor.add(lane, at, 1.0);
        let next = self.processes.len();
        if next >= MOST_PROCESSES && !self.processes.contains_key(&process.key) {
            self.excess += 1;
            return;
        }
        let (lane, name) = self.processes.entry(process.key).or_insert((next, None));
        *name = name.take().or(process.name);
        self.by_process.add(*lane, at, 1.0);
    }
}

/// A sample.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    at: i64,
    processor: u16,
    process: NamedProcess,
}

impl Sink for Samples {
    type Worker = SampleWorker;

    fn worker(&self) -> SampleWorker {
        SampleWorker { extent: self.extent, wanted: Arc::clone(&self.wanted), samples: Vec::new() }
    }

    fn accept(&mut self, samples: Vec<Sample>) -> Result<ControlFlow<()>> {
        for sample in samples {
            self.add(sample);
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Reads the samples of one thread.
#[derive(Debug)]
pub(crate) struct SampleWorker {
    extent: Extent,
    wanted: Arc<[bool]>,
    samples: Vec<Sample>,
}

impl Worker for SampleWorker {
    type Batch = Vec<Sample>;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        let is_wanted = event.type_id().and_then(|id| self.wanted.get(id.0 as usize)).is_some_and(|wanted| *wanted);
        if let Some(time) = event.time().filter(|_| is_wanted && samples::is_busy(event)) {
            let process = NamedProcess::of(event);
            self.samples.push(Sample { at: self.extent.units(time), processor: event.processor(), process });
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.samples.len() >= FULL
    }

    fn take(&mut self) -> Vec<Sample> {
        std::mem::take(&mut self.samples)
    }
}

/// Samples that are handed over at once on one thread.
const FULL: usize = 4096;
/// Processors whose samples are kept: one for each number that an event can have.
const MOST_PROCESSORS: usize = 1 << 16;
/// Processes whose samples are kept.
const MOST_PROCESSES: usize = 1 << 12;
