//! What is weighed, and in which unit.

use std::sync::Arc;

use etwkit::trace::Trace;
use etwkit_analysis::Need;
use etwkit_profile::weights::{
    Allocations, CounterSamples, CounterSource, CpuSamples, DiskOperations, Events, Exceptions, FileOperations,
    HardFaults, HeapAllocations, VirtualAllocations, Weigher,
};
use etwkit_profile::{SPANS, ThreadTime, Unit};
use etwkit_spans::Pair;

use super::args::By;
use crate::failure::Failure;

/// What is weighed.
pub(super) enum Weighing {
    /// Single events, and pairs with a key.
    Events(Arc<dyn Weigher>),
    /// The time of threads.
    Threads(ThreadTime),
    /// Spans.
    Spans(Vec<Pair>),
}

impl Weighing {
    /// Returns what is weighed of a trace.
    pub(super) fn of(by: By, counter: Option<&str>, pairs: Vec<Pair>, trace: &Trace) -> Result<Self, Failure> {
        if counter.is_some() && by != By::Pmc {
            return Err(Failure::new("--counter needs --by pmc"));
        }
        if !pairs.is_empty() && by != By::Spans {
            return Err(Failure::new("--pair needs --by spans"));
        }
        let weigher: Arc<dyn Weigher> = match by {
            By::Cswitch => return threads(ThreadTime::Running, trace),
            By::Wall => return threads(ThreadTime::Wall, trace),
            By::Spans => return Ok(Self::Spans(pairs)),
            By::Cpu => Arc::new(CpuSamples::new(trace)?),
            By::Pmc => Arc::new(counter_samples(counter, trace)?),
            By::Allocations => Arc::new(Allocations::new(trace)),
            By::Heap => Arc::new(HeapAllocations),
            By::VirtualAlloc => Arc::new(VirtualAllocations),
            By::Exceptions => Arc::new(Exceptions),
            By::Disk => Arc::new(DiskOperations),
            By::File => Arc::new(FileOperations::new(trace)?),
            By::Faults => Arc::new(HardFaults),
            By::Event => Arc::new(Events),
        };
        let has_events = trace.types().iter().any(|row| row.events() > 0 && weigher.reads(row));
        if has_events { Ok(Self::Events(weigher)) } else { Err(without(weigher.title(), weigher.need())) }
    }

    /// Returns the unit: the usual one, unless another one was asked for; time, if there is any, for forms that show
    /// time. Refuses what the trace does not state.
    pub(super) fn unit(&self, asked: Option<Unit>, shows_time: bool, trace: &Trace) -> Result<Unit, Failure> {
        let units = self.units();
        let time = Some(Unit::Time).filter(|time| shows_time && units.contains(time) && self.states(*time));
        let unit = asked.or(time).or(units.first().copied()).unwrap_or_default();
        let names: Vec<&str> = units.iter().filter(|unit| self.states(**unit)).map(|unit| unit.name()).collect();
        let hint = format!("use --unit {}", names.join(" or "));
        if !units.contains(&unit) {
            return Err(Failure::new(format!("{} have no weight in {}", self.title(), unit.name())).hint(hint));
        }
        if !self.states(unit) && trace.events_total() > 0 {
            return Err(Failure::new("no event states the interval of samples").hint(hint));
        }
        Ok(unit)
    }

    /// Returns whether its samples may have stacks.
    pub(super) const fn has_stacks(&self) -> bool {
        !matches!(self, Self::Spans(_))
    }

    fn title(&self) -> &'static str {
        match self {
            Self::Events(weigher) => weigher.title(),
            Self::Threads(kind) => kind.title(),
            Self::Spans(_) => SPANS,
        }
    }

    fn units(&self) -> &'static [Unit] {
        match self {
            Self::Events(weigher) => weigher.units(),
            Self::Threads(kind) => kind.units(),
            Self::Spans(_) => &[Unit::Time, Unit::Samples],
        }
    }

    fn states(&self, unit: Unit) -> bool {
        match self {
            Self::Events(weigher) => weigher.states(unit),
            Self::Threads(_) | Self::Spans(_) => true,
        }
    }
}

fn threads(kind: ThreadTime, trace: &Trace) -> Result<Weighing, Failure> {
    if kind.is_answerable(trace) { Ok(Weighing::Threads(kind)) } else { Err(without("context switches", kind.need())) }
}

fn without(what: &str, need: Need) -> Failure {
    Failure::new(format!("no {what}")).hint(need.advice())
}

/// Chooses a counter by its name or number; without either, the only one.
fn counter_samples(asked: Option<&str>, trace: &Trace) -> Result<CounterSamples, Failure> {
    let sources = CounterSamples::sources(trace)?;
    let is_asked = |source: &&CounterSource| {
        asked.is_none_or(|asked| source.name.eq_ignore_ascii_case(asked) || source.number.to_string() == asked)
    };
    let mut found = sources.iter().filter(is_asked);
    match (found.next(), found.next()) {
        (Some(source), None) => Ok(CounterSamples::new(trace, source.number)?),
        (None, _) if sources.is_empty() => Ok(CounterSamples::new(trace, 0)?),
        _ => {
            let list =
                sources.iter().map(|source| format!("{} {} ({} samples)", source.number, source.name, source.samples));
            let what = if asked.is_some() { "no such counter has samples" } else { "several counters have samples" };
            let hint = format!("use --counter with one of {}", list.collect::<Vec<_>>().join(", "));
            Err(Failure::new(what).hint(hint))
        }
    }
}
