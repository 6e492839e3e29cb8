//! DPCs and interrupts by routine.

use std::collections::BTreeMap;

use etwkit::FileId;
use etwkit::FileTime;
use etwkit::clock::Clock;
use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Excess, Interest, Measures, greatest_first};

use crate::thread_owner::system;

use super::fact::{DpcIsrFact, INTEREST};
use super::nesting::Nesting;

etwkit_analysis::row! {
    /// A routine of DPCs or interrupts.
    pub struct DpcIsrRow {
        /// DPC, TimerDPC, ThreadedDPC or ISR.
        kind: String as Text,
        /// File name of the image of the routine; absent if no event names it.
        module: Option<String> as Text,
        /// The routine: image and offset, else its address.
        routine: String as Text,
        /// How often it ran.
        count: u64 as Count,
        /// Microseconds of all runs, without interrupts and DPCs within them; absent if the clock is not known.
        total_us: Option<f64> as Real,
        /// Microseconds of the longest run, likewise.
        max_us: Option<f64> as Real,
        /// Microseconds of a run on average, likewise.
        avg_us: Option<f64> as Real,
        /// Microseconds of the longest run from its begin to its end.
        max_elapsed_us: Option<f64> as Real,
    }
}

/// Machine, kind and address of a routine.
type Routine = (u16, &'static str, u64);

#[derive(Clone, Debug, Default)]
struct Sums {
    count: u64,
    /// The runs whose clock is known, by its ticks per second: files of one machine may have clocks of several kinds.
    by_frequency: BTreeMap<i64, Runs>,
    /// When it ran last.
    time: Option<FileTime>,
}

/// Runs in ticks of one frequency.
#[derive(Clone, Copy, Debug, Default)]
struct Runs {
    /// Ticks without what ran within: their sum is exact.
    own: Measures,
    /// Ticks from begin to end.
    elapsed: Measures,
}

/// Adds up DPCs and interrupts by routine. The time of each is that from its begin to its end, without the interrupts
/// and DPCs that began and ended within it on the same processor.
#[derive(Debug, Default)]
pub struct DpcIsrByRoutine {
    routines: BTreeMap<Routine, Sums>,
    processors: BTreeMap<(FileId, u16), Nesting>,
    excess: Excess,
}

/// Routines that are kept.
const MOST: usize = 1 << 18;

impl Analysis for DpcIsrByRoutine {
    type Fact = DpcIsrFact;
    type Row = DpcIsrRow;

    const JOINS_EVENTS: bool = true;

    fn interest() -> Interest {
        INTEREST
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self::default())
    }

    fn fact(event: &Event<'_>) -> Option<DpcIsrFact> {
        DpcIsrFact::of(event)
    }

    fn step(&mut self, fact: DpcIsrFact, trace: &Trace) {
        let exclusive = self.exclusive(&fact);
        let key = (fact.machine, fact.kind, fact.routine);
        if !self.routines.contains_key(&key) && !self.excess.admits(self.routines.len(), MOST) {
            return;
        }
        let frequency = trace.clock(fact.file).map_or(0, Clock::frequency);
        let elapsed = fact.end.saturating_sub(fact.start).max(0) as u64;
        let sums = self.routines.entry(key).or_default();
        sums.count += 1;
        sums.time = fact.time.or(sums.time);
        if frequency > 0 {
            let runs = sums.by_frequency.entry(frequency).or_default();
            runs.own.add(Some(real(exclusive)));
            runs.elapsed.add(Some(real(elapsed)));
        }
    }

    fn follow(&mut self, fact: DpcIsrFact, _: &Trace) {
        self.exclusive(&fact);
    }

    fn excess(&self) -> u64 {
        self.excess.count() + self.processors.values().map(Nesting::excess).sum::<u64>()
    }

    fn finish(self, trace: &Trace) -> Vec<DpcIsrRow> {
        let mut rows: Vec<DpcIsrRow> = self.routines.iter().map(|(key, sums)| row(*key, sums, trace)).collect();
        rows.sort_by(|a, b| greatest_first(a.total_us, b.total_us));
        rows
    }
}

impl DpcIsrByRoutine {
    /// Returns the ticks of a run without what ran within it, whether the filter chooses that or not.
    fn exclusive(&mut self, fact: &DpcIsrFact) -> u64 {
        self.processors.entry((fact.file, fact.processor)).or_default().exclusive(fact.start, fact.end)
    }
}

impl Sums {
    /// Returns the microseconds of the runs of each frequency, of what they have in ticks.
    fn microseconds(&self, of: impl Fn(&Runs) -> Option<f64>) -> impl Iterator<Item = f64> {
        self.by_frequency.iter().filter_map(move |(frequency, runs)| Some(microseconds(of(runs)?, *frequency)))
    }

    /// Returns the microseconds of all runs, divided by a number.
    fn sum(&self, divisor: u64) -> Option<f64> {
        self.microseconds(|runs| Some(runs.own.sum()? / real(divisor))).reduce(|a, b| a + b)
    }

    /// Returns how many runs have a clock that is known.
    fn measured(&self) -> u64 {
        self.by_frequency.values().map(|runs| runs.own.measured()).sum()
    }
}

fn row((machine, kind, routine): Routine, sums: &Sums, trace: &Trace) -> DpcIsrRow {
    let image = sums.time.zip(system(machine, trace)).and_then(|(time, system)| system.image_at(0, routine, time));
    let module = image.map(|image| image.file_name().to_owned());
    let place = image.map(|image| format!("{}+{:#x}", image.file_name(), routine.wrapping_sub(image.base)));
    DpcIsrRow {
        kind: kind.to_owned(),
        module,
        routine: place.unwrap_or_else(|| format!("{routine:#x}")),
        count: sums.count,
        total_us: sums.sum(1),
        max_us: sums.microseconds(|runs| runs.own.max()).reduce(f64::max),
        avg_us: sums.sum(sums.measured()),
        max_elapsed_us: sums.microseconds(|runs| runs.elapsed.max()).reduce(f64::max),
    }
}

#[expect(clippy::cast_precision_loss, reason = "times and counts of a trace are below 2^53")]
fn real(number: u64) -> f64 {
    number as f64
}

#[expect(clippy::cast_precision_loss, reason = "frequencies are below 2^53")]
fn microseconds(ticks: f64, frequency: i64) -> f64 {
    ticks * 1_000_000.0 / frequency as f64
}
