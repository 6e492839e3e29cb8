//! Frequencies of processors, and cores that are parked.

use std::collections::BTreeMap;

use etwkit::FileTime;
use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Excess, Interest, Need, milliseconds};

use crate::limits::MOST_PROCESSORS;

/// `Microsoft-Windows-Kernel-Processor-Power`.
const PROCESSOR_POWER: Guid = Guid::from_u128(0x0f67e49f_fe51_4e9f_b490_6f2948cc6027);
const CHANGE: u16 = 10;
const PARK: u16 = 14;
const UNPARK: u16 = 15;
/// States what holds, at the begin or the end of a session.
const RUNDOWN: u16 = 18;

etwkit_analysis::row! {
    /// Frequencies of a processor.
    pub struct PowerRow {
        /// Processor group.
        group: u16 as Id,
        /// Number in the group.
        number: u8 as Id,
        /// Changes of its frequency.
        changes: u64 as Count,
        /// Least frequency in megahertz.
        mhz_min: Option<u32> as Id,
        /// Mean frequency in megahertz, weighted by time.
        mhz_mean: Option<f64> as Real,
        /// Greatest frequency in megahertz.
        mhz_max: Option<u32> as Id,
        /// How often it was parked.
        parks: u64 as Count,
        /// Milliseconds for which it was parked.
        parked_ms: f64 as Milliseconds,
    }
}

/// What an event states about a processor.
#[derive(Clone, Copy, Debug)]
pub struct PowerFact {
    time: FileTime,
    /// Machine, group, number.
    processor: (u16, u16, u8),
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Speed { mhz: u32, is_change: bool },
    Parked,
    Unparked,
}

/// Follows the frequency of each processor. What an event states holds until the next one of the processor; the last
/// one until the last event of the machine that is read. A frequency counts, for as long as it holds, if the event that
/// states it does, and so does a time for which a processor is parked.
#[derive(Debug, Default)]
pub struct ProcessorPower {
    processors: BTreeMap<(u16, u16, u8), State>,
    /// Time of the last event of each machine.
    ends: BTreeMap<u16, FileTime>,
    excess: Excess,
}

#[derive(Clone, Debug, Default)]
struct State {
    /// Whether any event of it counts.
    is_counted: bool,
    changes: u64,
    range: Option<(u32, u32)>,
    /// Since when the last frequency holds, and whether it counts.
    speed: Option<(FileTime, u32, bool)>,
    /// The last frequency that counts.
    last: Option<u32>,
    /// Milliseconds for which a frequency is known, and the sum of their products with the frequency.
    known: f64,
    weighted: f64,
    parks: u64,
    /// Since when it is parked, and whether that counts.
    parked_since: Option<(FileTime, bool)>,
    parked: f64,
}

impl Analysis for ProcessorPower {
    type Fact = PowerFact;
    type Row = PowerRow;

    const JOINS_EVENTS: bool = true;

    fn interest() -> Interest {
        let manifest = &[(PROCESSOR_POWER, &[CHANGE, PARK, UNPARK, RUNDOWN] as &[u16])];
        let need = Need::Keywords("the provider Microsoft-Windows-Kernel-Processor-Power, level 5");
        Interest { manifest, classic: &[], need }
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self::default())
    }

    fn fact(event: &Event<'_>) -> Option<PowerFact> {
        let what = match event.id() {
            PARK => What::Parked,
            UNPARK => What::Unparked,
            id => What::Speed { mhz: event.get("Speed").ok()?, is_change: id == CHANGE },
        };
        let machine = event.system().machine.number;
        let processor = (machine, event.get("Group").ok()?, event.get("Number").ok()?);
        Some(PowerFact { time: event.time()?, processor, what })
    }

    fn step(&mut self, fact: PowerFact, _: &Trace) {
        self.take(fact, true);
    }

    fn follow(&mut self, fact: PowerFact, _: &Trace) {
        self.take(fact, false);
    }

    fn excess(&self) -> u64 {
        self.excess.count()
    }

    fn finish(self, _: &Trace) -> Vec<PowerRow> {
        let Self { processors, ends, .. } = self;
        let counted = processors.into_iter().filter(|(_, state)| state.is_counted);
        let end = |machine| ends.get(&machine).copied().unwrap_or_default();
        counted.map(|((machine, group, number), state)| row((group, number), state, end(machine))).collect()
    }
}

impl ProcessorPower {
    fn take(&mut self, PowerFact { time, processor, what }: PowerFact, is_counted: bool) {
        self.ends.insert(processor.0, time);
        let is_known = self.processors.contains_key(&processor);
        if !is_known && !self.excess.admits(self.processors.len(), MOST_PROCESSORS) {
            return;
        }
        let state = self.processors.entry(processor).or_default();
        state.is_counted |= is_counted;
        match what {
            What::Speed { mhz, is_change } => {
                state.hold(time);
                state.speed = Some((time, mhz, is_counted));
                if is_counted {
                    state.changes += u64::from(is_change);
                    state.last = Some(mhz);
                    state.range = Some(state.range.map_or((mhz, mhz), |(min, max)| (min.min(mhz), max.max(mhz))));
                }
            }
            What::Parked => {
                state.parks += u64::from(is_counted);
                state.parked_since = state.parked_since.or(Some((time, is_counted)));
            }
            What::Unparked => state.unpark(time),
        }
    }
}

impl State {
    /// Adds the time for which the last frequency held, if it counts.
    fn hold(&mut self, until: FileTime) {
        if let Some((since, mhz, true)) = self.speed {
            let held = milliseconds(since, until);
            self.known += held;
            self.weighted += held * f64::from(mhz);
        }
    }

    /// Ends the time for which it was parked.
    fn unpark(&mut self, time: FileTime) {
        if let Some((since, true)) = self.parked_since.take() {
            self.parked += milliseconds(since, time);
        }
    }
}

fn row((group, number): (u16, u8), mut state: State, end: FileTime) -> PowerRow {
    state.hold(end);
    state.unpark(end);
    let last = state.last.map(f64::from);
    PowerRow {
        group,
        number,
        changes: state.changes,
        mhz_min: state.range.map(|(min, _)| min),
        mhz_mean: if state.known > 0.0 { Some(state.weighted / state.known) } else { last },
        mhz_max: state.range.map(|(_, max)| max),
        parks: state.parks,
        parked_ms: state.parked,
    }
}
