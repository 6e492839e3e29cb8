//! Samples of processors, and the interval at which they are taken.

use std::collections::BTreeMap;

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::{Filter, Glob, Trace};
use etwkit_analysis::guids::PERF_INFO;
use etwkit_analysis::{Interest, Need};

const SAMPLE: u8 = 46;
/// The events that state the interval.
const STATED_BY: [&str; 3] = ["PerfInfo/SetInterval", "PerfInfo/CollectionStart", "PerfInfo/CollectionEnd"];
/// Of the flags of a sample: a DPC or an interrupt ran.
const DPC_OR_INTERRUPT: u64 = 3;
/// The field of the flags, and its place among the fields.
const FLAGS: &str = "Flags";
const USUAL_PLACE: usize = 4;
/// The source of samples that is a timer.
const TIMER: u32 = 0;

/// The events of samples.
pub const INTEREST: Interest = Interest {
    manifest: &[],
    classic: &[(PERF_INFO, &[SAMPLE])],
    need: Need::KernelFlags("PROC_THREAD+LOADER+PROFILE"),
};

/// Returns whether an event is a sample.
pub fn is_sample(event: &Event<'_>) -> bool {
    // An event of a run comes with its key.
    event.event_type().map_or_else(|| INTEREST.has(&event.raw().key()), |row| INTEREST.has(row.key()))
}

/// Returns whether a sample counts.
///
/// One of thread 0 is that of an idle processor, unless a DPC or an interrupt ran: TraceEvent counts the same way.
pub fn is_busy(sample: &Event<'_>) -> bool {
    sample.tid() != Some(0) || flags(sample).unwrap_or(0) & DPC_OR_INTERRUPT != 0
}

/// Reads the flags of a sample; several analyses ask for them. Descriptions in the trace itself may have them elsewhere
/// than those of the kernel's parser.
fn flags(sample: &Event<'_>) -> Option<u64> {
    let field = sample.schema()?.fields().get(USUAL_PLACE);
    let is_usual = field.is_some_and(|field| &*field.name == FLAGS);
    let usual = if is_usual { sample.number_at(USUAL_PLACE) } else { None };
    usual.or_else(|| sample.field(FLAGS)?.value()?.as_u64())
}

/// The intervals of a trace at which the timer samples. Each sample stands for the interval that holds when it is taken:
/// that of the last event of its machine that states one; before the first such event, the old interval that it states.
#[derive(Clone, Debug, Default)]
pub struct Intervals {
    /// By the number of the machine.
    machines: BTreeMap<u16, Changes>,
}

/// The intervals of a machine, in units of 100 ns; of a counter, in its events.
#[derive(Clone, Debug)]
struct Changes {
    first: u32,
    later: Vec<(FileTime, u32)>,
}

impl Intervals {
    /// Reads the intervals of a trace, from any event that states them.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace cannot be read.
    pub fn of(trace: &Trace) -> Result<Self> {
        Self::of_source(trace, TIMER)
    }

    /// Reads the intervals of another source, a hardware counter. They are numbers of its events.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace cannot be read.
    pub fn of_source(trace: &Trace, source: u32) -> Result<Self> {
        let mut found = Self::default();
        let mut events = trace.select(&Filter::default().names(STATED_BY.map(Glob::new)));
        while let Some(event) = events.next()? {
            let number = |name| event.get::<u32>(name).ok();
            let stated = number("OldInterval").zip(number("NewInterval")).filter(|_| number("Source") == Some(source));
            if let (Some((old, new)), Some(time)) = (stated, event.time()) {
                found.add(event.system().machine.number, time, old, new);
            }
        }
        Ok(found)
    }

    /// Returns the interval of a machine at a time, in units of 100 ns; `None` if no event of the machine states one.
    pub fn at(&self, machine: u16, time: Option<FileTime>) -> Option<u32> {
        let changes = self.machines.get(&machine)?;
        let before = time.map_or(0, |time| changes.later.partition_point(|(since, _)| *since <= time));
        let change = before.checked_sub(1).and_then(|index| changes.later.get(index));
        Some(change.map_or(changes.first, |(_, interval)| *interval))
    }

    /// Returns the first interval of the first machine with one, in units of 100 ns; `None` if no event states one.
    pub fn first(&self) -> Option<u32> {
        self.machines.values().next().map(|changes| changes.first)
    }

    fn add(&mut self, machine: u16, time: FileTime, old: u32, new: u32) {
        let changes = self.machines.entry(machine).or_insert_with(|| Changes { first: old, later: Vec::new() });
        if changes.later.last().map_or(changes.first, |(_, interval)| *interval) != new {
            changes.later.push((time, new));
        }
    }
}

/// How many samples there are, and the time that they stand for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampleCount {
    /// Samples.
    pub samples: u64,
    /// Units of 100 ns; 0 if no event states the interval.
    pub units: u64,
}

impl SampleCount {
    /// Counts a sample that stands for an interval.
    pub fn add(&mut self, interval: Option<u32>) {
        self.samples += 1;
        self.units += u64::from(interval.unwrap_or(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_stands_for_the_interval_of_its_time() {
        let mut intervals = Intervals::default();
        assert_eq!((intervals.at(0, Some(FileTime(5))), intervals.first()), (None, None));
        intervals.add(0, FileTime(10), 10_000, 10_000);
        intervals.add(0, FileTime(20), 10_000, 2_500);
        let at = [0, 10, 19, 20, 99].map(|time| intervals.at(0, Some(FileTime(time))).unwrap());
        assert_eq!(at, [10_000, 10_000, 10_000, 2_500, 2_500]);
        assert_eq!((intervals.at(0, None), intervals.first()), (Some(10_000), Some(10_000)));
    }

    #[test]
    fn a_session_begins_with_an_interval_of_its_own() {
        let mut intervals = Intervals::default();
        intervals.add(0, FileTime(10), 10_000, 10_000);
        intervals.add(0, FileTime(20), 1_250, 1_250);
        assert_eq!([10, 20].map(|time| intervals.at(0, Some(FileTime(time)))), [Some(10_000), Some(1_250)]);
    }

    #[test]
    fn each_machine_has_intervals_of_its_own() {
        let mut intervals = Intervals::default();
        intervals.add(1, FileTime(10), 1_250, 1_250);
        intervals.add(0, FileTime(20), 10_000, 10_000);
        assert_eq!(
            [0, 1, 2].map(|machine| intervals.at(machine, Some(FileTime(30)))),
            [Some(10_000), Some(1_250), None]
        );
    }
}
