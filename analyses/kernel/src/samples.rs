//! Samples of processors, and the interval at which they are taken.

use etwkit::FileTime;
use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::{Filter, Glob, Trace};
use etwkit_analysis::{Interest, Need};

const PERF_INFO: Guid = Guid::from_u128(0xce1dbfb4_137e_4da6_87b0_3f59aa102cbc);
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

/// The intervals of a trace at which the timer samples. Each sample stands for the interval that holds when it is
/// taken: that of the last event that states one; before the first such event, the old interval that it states.
#[derive(Clone, Debug, Default)]
pub struct Intervals {
    /// In units of 100 ns; of a counter, in its events.
    first: Option<u32>,
    changes: Vec<(FileTime, u32)>,
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
                found.add(time, old, new);
            }
        }
        Ok(found)
    }

    /// Returns the interval at a time, in units of 100 ns; `None` if no event states one.
    pub fn at(&self, time: Option<FileTime>) -> Option<u32> {
        let before = time.map_or(0, |time| self.changes.partition_point(|(since, _)| *since <= time));
        let change = before.checked_sub(1).and_then(|place| self.changes.get(place));
        change.map(|(_, interval)| *interval).or(self.first)
    }

    fn add(&mut self, time: FileTime, old: u32, new: u32) {
        self.first = self.first.or(Some(old));
        if self.changes.last().map_or(old, |(_, interval)| *interval) != new {
            self.changes.push((time, new));
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
        assert_eq!(intervals.at(Some(FileTime(5))), None);
        intervals.add(FileTime(10), 10_000, 10_000);
        intervals.add(FileTime(20), 10_000, 2_500);
        let at = [0, 10, 19, 20, 99].map(|time| intervals.at(Some(FileTime(time))).unwrap());
        assert_eq!(at, [10_000, 10_000, 10_000, 2_500, 2_500]);
        assert_eq!(intervals.at(None), Some(10_000));
    }
}
