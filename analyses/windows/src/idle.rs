//! Idle states of processors.

use std::collections::BTreeMap;

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::guids::POWER;
use etwkit_analysis::{Analysis, Excess, Interest, Measures, Need, milliseconds};

use crate::limits::MOST_OPEN;

const ENTER: u8 = 57;
const EXIT: u8 = 58;

etwkit_analysis::row! {
    /// Time of a processor in an idle state.
    pub struct IdleRow {
        /// Processor.
        cpu: u16 as Id,
        /// Number of the state, as events have it.
        state: u32 as Id,
        /// How often it was entered.
        entries: u64 as Count,
        /// Entries whose exit is not in the trace: their time is not known.
        open: u64 as Count,
        /// Milliseconds in the state; absent if no exit is in the trace.
        idle_ms: Option<f64> as Milliseconds,
        /// These in per cent of the time from the processor's first entry to its last exit; absent if that is 0.
        share: Option<f64> as Real,
        /// Mean of the milliseconds from entry to exit.
        idle_ms_mean: Option<f64> as Milliseconds,
        /// Greatest of these.
        idle_ms_max: Option<f64> as Milliseconds,
    }
}

/// An entry or an exit.
#[derive(Clone, Copy, Debug)]
pub struct IdleFact {
    time: FileTime,
    /// Machine and processor.
    processor: (u16, u16),
    /// State that is entered; `None` of an exit.
    entered: Option<u32>,
}

/// Adds up the time of each processor in each state: from `IdleStateEnter` to the next `IdleStateExit` on it.
#[derive(Debug, Default)]
pub struct IdleStates {
    processors: BTreeMap<(u16, u16), Processor>,
    states: BTreeMap<(u16, u16, u32), Sum>,
    excess: Excess,
}

#[derive(Clone, Copy, Debug, Default)]
struct Processor {
    /// State, since when, and whether the filter chooses the entry.
    idle: Option<(u32, FileTime, bool)>,
    /// First entry and last exit that count.
    first: Option<FileTime>,
    last: Option<FileTime>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    entries: u64,
    /// Milliseconds of the entries whose exits are in the trace.
    idle: Measures,
}

impl Analysis for IdleStates {
    type Fact = IdleFact;
    type Row = IdleRow;

    const JOINS_EVENTS: bool = true;

    fn interest() -> Interest {
        let need = Need::KernelFlags("POWER+IDLE_STATES");
        Interest { manifest: &[], classic: &[(POWER, &[ENTER, EXIT])], need }
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self::default())
    }

    fn fact(event: &Event<'_>) -> Option<IdleFact> {
        let entered = if event.opcode() == ENTER { Some(event.get("State").ok()?) } else { None };
        Some(IdleFact {
            time: event.time()?,
            processor: (event.system().machine.number, event.raw().processor()),
            entered,
        })
    }

    fn step(&mut self, fact: IdleFact, _: &Trace) {
        self.take(fact, true);
    }

    fn follow(&mut self, fact: IdleFact, _: &Trace) {
        self.take(fact, false);
    }

    fn excess(&self) -> u64 {
        self.excess.count()
    }

    fn finish(self, _: &Trace) -> Vec<IdleRow> {
        let Self { processors, states, .. } = self;
        let span = |machine, cpu| {
            let processor = processors.get(&(machine, cpu))?;
            processor.first.zip(processor.last)
        };
        states.into_iter().map(|((machine, cpu, state), sum)| row((cpu, state), sum, span(machine, cpu))).collect()
    }
}

impl IdleStates {
    fn take(&mut self, IdleFact { time, processor: (machine, cpu), entered }: IdleFact, is_chosen: bool) {
        let processor = self.processors.entry((machine, cpu)).or_default();
        if let Some(state) = entered {
            let key = (machine, cpu, state);
            let is_kept = self.states.contains_key(&key) || self.excess.admits(self.states.len(), MOST_OPEN);
            // An entry after an entry: the exit between them was lost.
            processor.idle = is_kept.then_some((state, time, is_chosen));
            if is_chosen && is_kept {
                processor.first = processor.first.or(Some(time));
                self.states.entry(key).or_default().entries += 1;
            }
            return;
        }
        let Some((state, since, true)) = processor.idle.take() else { return };
        processor.last = Some(time);
        let sum = self.states.entry((machine, cpu, state)).or_default();
        sum.idle.add(Some(milliseconds(since, time)));
    }
}

fn row((cpu, state): (u16, u32), sum: Sum, span: Option<(FileTime, FileTime)>) -> IdleRow {
    let whole = span.map(|(first, last)| milliseconds(first, last)).filter(|whole| *whole > 0.0);
    let open = sum.entries - sum.idle.measured();
    // A state without any exit has entries, so its time is not 0.
    let idle_ms = sum.idle.sum().filter(|_| sum.idle.measured() > 0);
    IdleRow {
        cpu,
        state,
        entries: sum.entries,
        open,
        idle_ms,
        share: idle_ms.zip(whole).map(|(idle, whole)| 100.0 * idle / whole),
        idle_ms_mean: sum.idle.mean(),
        idle_ms_max: sum.idle.max(),
    }
}
