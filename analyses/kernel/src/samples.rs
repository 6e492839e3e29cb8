//! Samples of processors, and the interval at which they are taken.

use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit_analysis::{Interest, Need};

const PERF_INFO: Guid = Guid::from_u128(0xce1dbfb4_137e_4da6_87b0_3f59aa102cbc);
const SAMPLE: u8 = 46;
/// `SetInterval`, `CollectionStart` and `CollectionEnd`.
const INTERVALS: [u8; 3] = [72, 73, 74];
/// Of the flags of a sample: a DPC or an interrupt ran.
const DPC_OR_INTERRUPT: u64 = 3;
/// The source of samples that is a timer.
const TIMER: u32 = 0;

/// The events of [`SampleEvent`].
pub const INTEREST: Interest = Interest {
    manifest: &[],
    classic: &[(PERF_INFO, &[SAMPLE, INTERVALS[0], INTERVALS[1], INTERVALS[2]])],
    need: Need::KernelFlags("PROC_THREAD+LOADER+PROFILE"),
};

/// What an event of the sampling says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleEvent {
    /// A processor was sampled that was not idle.
    Sample,
    /// The interval of the timer changed, or is stated, in units of 100 ns.
    Interval {
        /// The interval until the event.
        old: u32,
        /// The interval from the event on.
        new: u32,
    },
}

impl SampleEvent {
    /// Reads an event of [`INTEREST`]; `None` for an idle processor and for sources other than the timer.
    ///
    /// A sample of thread 0 is that of an idle processor, unless a DPC or an interrupt ran: so counts TraceEvent.
    pub fn of(event: &Event<'_>) -> Option<Self> {
        if event.raw().opcode() == SAMPLE {
            let flags: Option<u64> = event.get("Flags").ok()?;
            let is_busy = event.tid() != Some(0) || flags.unwrap_or(0) & DPC_OR_INTERRUPT != 0;
            return is_busy.then_some(Self::Sample);
        }
        let number = |name| event.get::<u32>(name).ok();
        let (old, new) = (number("OldInterval")?, number("NewInterval")?);
        (number("Source")? == TIMER).then_some(Self::Interval { old, new })
    }
}

/// The intervals of a trace. Each sample stands for the interval that holds when it is taken: that of the last event
/// that states one; before the first such event, the old interval that it states.
#[derive(Clone, Debug, Default)]
pub struct Intervals(Vec<u32>);

impl Intervals {
    /// Adds what an event states.
    pub fn add(&mut self, old: u32, new: u32) {
        if self.0.is_empty() {
            self.0.push(old);
        }
        if self.0.last() != Some(&new) {
            self.0.push(new);
        }
    }

    /// Returns the number of the interval that holds now.
    pub fn now(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    /// Returns an interval by its number, in units of 100 ns; `None` if no event states one.
    pub fn get(&self, number: usize) -> Option<u32> {
        self.0.get(number).copied()
    }
}

/// Samples by the number of their interval.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SampleCounts(Vec<u64>);

impl SampleCounts {
    /// Counts a sample.
    pub fn add(&mut self, intervals: &Intervals) {
        self.0.resize(intervals.now() + 1, 0);
        self.0.last_mut().into_iter().for_each(|count| *count += 1);
    }

    /// Returns how many samples there are.
    pub fn samples(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the time that they stand for, in units of 100 ns; `None` if no event states an interval.
    pub fn units(&self, intervals: &Intervals) -> Option<u64> {
        let units = |(number, count): (usize, &u64)| Some(count * u64::from(intervals.get(number)?));
        self.0.iter().enumerate().map(units).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_stands_for_the_interval_of_its_time() {
        let (mut intervals, mut counts) = (Intervals::default(), SampleCounts::default());
        counts.add(&intervals);
        assert_eq!((counts.samples(), counts.units(&intervals)), (1, None));
        intervals.add(10_000, 10_000);
        counts.add(&intervals);
        intervals.add(10_000, 2_500);
        counts.add(&intervals);
        assert_eq!((counts.samples(), counts.units(&intervals)), (3, Some(22_500)));
    }
}
