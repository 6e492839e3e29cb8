//! Samples of hardware counters.

use std::collections::BTreeMap;

use etwkit::decode::{Event, EventType};
use etwkit::error::{Error, Result};
use etwkit::trace::{Filter, Glob, Trace};
use etwkit_analysis::guids::PERF_INFO;
use etwkit_analysis::{Interest, Need};
use etwkit_kernel_analyses::samples::Intervals;

use super::{Amount, Reading, Weigher};
use crate::Unit;

const PMC_SAMPLE: u8 = 47;
/// Counters that a trace may name; a machine has some dozens.
const MOST: usize = 1 << 12;

const INTEREST: Interest = Interest {
    manifest: &[],
    classic: &[(PERF_INFO, &[PMC_SAMPLE])],
    need: Need::KernelFlags("PROC_THREAD+LOADER+PMC_PROFILE with a counter and stack walking of PmcInterrupt"),
};

/// Samples of one hardware counter. Each one stands for as many events of the counter as its interval states; those of
/// different counters are never added.
#[derive(Clone, Debug)]
pub struct CounterSamples {
    source: u32,
    intervals: Intervals,
}

/// A hardware counter that has samples.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CounterSource {
    /// Its number.
    pub number: u32,
    /// Its name, such as `CacheMisses`; empty if no event states it.
    pub name: Box<str>,
    /// Its samples.
    pub samples: u64,
}

impl CounterSamples {
    /// Reads the intervals of a counter.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace cannot be read.
    pub fn new(trace: &Trace, source: u32) -> Result<Self> {
        Ok(Self { source, intervals: Intervals::of_source(trace, source)? })
    }

    /// Returns the counters that have samples in a trace.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace cannot be read, or names more than 4,096 counters.
    pub fn sources(trace: &Trace) -> Result<Vec<CounterSource>> {
        let mut found: BTreeMap<u32, (Box<str>, u64)> = BTreeMap::new();
        let filter = Filter::default()
            .names(["PerfInfo/PMCSample", "PerfInfo/*Interval", "PerfInfo/Collection*"].map(Glob::new));
        let mut events = trace.select(&filter);
        while let Some(event) = events.next()? {
            if let Ok(source) = event.get::<u32>("ProfileSource") {
                found.entry(source).or_default().1 += 1;
            } else if let (Ok(source), Ok(name)) = (event.get::<u32>("Source"), event.get::<&str>("SourceName")) {
                found.entry(source).or_default().0 = name.into();
            }
            if found.len() > MOST {
                return Err(Error::limit("hardware counters", MOST));
            }
        }
        let source = |(number, (name, samples))| CounterSource { number, name, samples };
        Ok(found.into_iter().map(source).filter(|source| source.samples > 0).collect())
    }
}

impl Weigher for CounterSamples {
    fn title(&self) -> &'static str {
        "samples of a hardware counter"
    }

    fn units(&self) -> &'static [Unit] {
        &[Unit::Samples, Unit::Events]
    }

    fn states(&self, unit: Unit) -> bool {
        unit != Unit::Events || self.intervals.first().is_some()
    }

    fn need(&self) -> Need {
        INTEREST.need
    }

    fn reads(&self, event_type: &EventType) -> bool {
        INTEREST.has(event_type.key())
    }

    fn read(&self, event: &Event<'_>) -> Option<Reading> {
        let is_own = event.get::<u32>("ProfileSource") == Ok(self.source);
        let interval = self.intervals.at(event.system().machine.number, event.time());
        let size = u64::from(interval.unwrap_or(0));
        is_own.then(|| Reading { amount: Amount { time: None, size }, ..Reading::default() })
    }
}
