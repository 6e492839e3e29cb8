//! Events of a trace by provider and name, as `EventStats` of PerfView lists them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::event::{EventKey, EventTypeId};
use etwkit::trace::{TimeRange, Trace};
use etwkit_analysis::{Analysis, Interest, Need, Time, chosen_seconds, per_second};

etwkit_analysis::row! {
    /// Events of a provider with a name.
    pub struct EventTypeRow {
        /// Provider.
        provider: String as Text,
        /// Name of the event.
        event: String as Text,
        /// Events that pass the filters.
        count: u64 as Count,
        /// Bytes of their payloads.
        bytes: u64 as Count,
        /// Those that have a stack.
        stacks: u64 as Count,
        /// Events per second, over the time of all events of the trace, as far as it was chosen.
        rate: Option<f64> as Real,
        /// Time of the first, UTC.
        first: Option<Time> as Time,
        /// Time of the last, UTC.
        last: Option<Time> as Time,
    }
}

/// The data of an event that is counted.
#[derive(Clone, Copy, Debug)]
pub struct EventTypeFact {
    key: EventTypeId,
    bytes: u32,
    has_stack: bool,
    time: Option<FileTime>,
}

/// Counts the events of each provider and name.
#[derive(Debug, Default)]
pub struct EventTypes {
    /// By the number of the key.
    counts: Vec<Count>,
    /// The time that rates are over; `None` if it is none.
    seconds: Option<f64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    events: u64,
    bytes: u64,
    stacks: u64,
    span: Option<(FileTime, FileTime)>,
}

impl Analysis for EventTypes {
    type Fact = EventTypeFact;
    type Row = EventTypeRow;

    const NEEDS_STACKS: bool = true;

    fn interest() -> Interest {
        Interest { manifest: &[], classic: &[], need: Need::Keywords("anything") }
    }

    fn reads(_: &EventKey) -> bool {
        true
    }

    fn begin(trace: &Trace) -> Result<Self> {
        let seconds = chosen_seconds(trace, &TimeRange::default())?;
        Ok(Self { counts: vec![Count::default(); trace.types().len()], seconds })
    }

    fn choose_time(&mut self, trace: &Trace, range: &TimeRange) -> Result<()> {
        self.seconds = chosen_seconds(trace, range)?;
        Ok(())
    }

    fn fact(event: &Event<'_>) -> Option<EventTypeFact> {
        let has_stack = event.has_stack();
        let bytes = event.raw().payload().len() as u32;
        Some(EventTypeFact { key: event.type_id()?, bytes, has_stack, time: event.time() })
    }

    fn step(&mut self, fact: EventTypeFact, _: &Trace) {
        let Some(count) = self.counts.get_mut(fact.key.0 as usize) else { return };
        count.add(Count {
            events: 1,
            bytes: fact.bytes.into(),
            stacks: fact.has_stack.into(),
            span: fact.time.map(|time| (time, time)),
        });
    }

    fn finish(self, trace: &Trace) -> Vec<EventTypeRow> {
        let mut names: BTreeMap<(String, String), Count> = BTreeMap::new();
        for (number, count) in (0..).zip(self.counts).filter(|(_, count)| count.events > 0) {
            if let Some(row) = trace.event_type(EventTypeId(number)) {
                let name = row.name().map_or_else(|| unnamed(row.key()), str::to_owned);
                names.entry((row.provider().to_owned(), name)).or_default().add(count);
            }
        }
        let mut rows: Vec<EventTypeRow> = names.into_iter().map(|row_of| row(row_of, self.seconds)).collect();
        rows.sort_by_key(|row| Reverse(row.count));
        rows
    }
}

impl Count {
    fn add(&mut self, other: Self) {
        self.events += other.events;
        self.bytes += other.bytes;
        self.stacks += other.stacks;
        self.span = match (self.span, other.span) {
            (Some((first, last)), Some((other_first, other_last))) => {
                Some((first.min(other_first), last.max(other_last)))
            }
            (own, other) => own.or(other),
        };
    }
}

/// Returns the numbers of an event that no schema names.
fn unnamed(key: &EventKey) -> String {
    if key.id == 0 { format!("Opcode({})", key.opcode) } else { format!("EventID({})", key.id) }
}

fn row(((provider, event), count): ((String, String), Count), seconds: Option<f64>) -> EventTypeRow {
    EventTypeRow {
        provider,
        event,
        count: count.events,
        bytes: count.bytes,
        stacks: count.stacks,
        rate: seconds.map(|seconds| per_second(count.events, seconds)),
        first: count.span.map(|(first, _)| Time(first)),
        last: count.span.map(|(_, last)| Time(last)),
    }
}
