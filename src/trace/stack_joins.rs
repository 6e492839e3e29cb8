//! Joining all stacks with all events once more, to count.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::decode::{Attribution, Event, EventType, Fit, PendingEvent, find_stack};
use crate::error::{Result, Severity};
use crate::event::{EventTypeId, Kind, RawEvent};
use crate::sink::{Sink, Worker};
use crate::system::{NoStackReason, StackCounts, StackJoins, Stacks, System, UnjoinedReason};

use super::keyed::Keyed;
use super::{Order, RunOptions, Trace};

/// Counts how stacks and events are joined: a sink for all events of a trace, in any order, for programs that read them
/// anyway. [`Trace::stack_joins`] does it in a run of its own.
#[derive(Debug)]
pub struct StackJoiner<'t> {
    trace: &'t Trace,
    all: Arc<All>,
    joins: StackJoins,
    spans: BTreeMap<u16, Span>,
    keys: Keyed<OfKey>,
}

/// What all threads share.
#[derive(Debug)]
struct All {
    machines: Vec<Joined>,
    /// Whether events were lost.
    is_lossy: bool,
}

/// Looks at the events of one thread.
#[derive(Debug)]
pub struct StackJoinWorker {
    all: Arc<All>,
    joins: StackJoins,
    /// Ticks of the first and the last event of each machine.
    spans: BTreeMap<u16, Span>,
    /// Those of the machine of the last event.
    span: Option<(u16, Span)>,
    keys: Keyed<OfKey>,
}

/// Ticks of the first and the last event.
type Span = (i64, i64);

/// Stacks that were found in some events.
#[derive(Debug)]
pub struct FoundStacks {
    joins: StackJoins,
    spans: BTreeMap<u16, Span>,
    keys: Vec<(EventTypeId, OfKey)>,
}

/// What is found of the events of a type.
#[derive(Clone, Copy, Debug, Default)]
struct OfKey {
    has_stack: bool,
    /// Those without a stack, in the order of [`NoStackReason::ALL`].
    bare: [u64; NoStackReason::ALL.len()],
}

impl<'t> StackJoiner<'t> {
    /// Begins.
    pub fn new(trace: &'t Trace) -> Self {
        let machines = trace.systems().iter().map(|system| Joined::new(&system.stacks)).collect();
        let all = Arc::new(All { machines, is_lossy: trace.is_lossy() });
        let keys = Keyed::new(trace.types().len());
        Self { trace, all, joins: StackJoins::default(), spans: BTreeMap::new(), keys }
    }

    /// Returns the counts, with the reasons of parts that belong to no event.
    pub fn finish(self) -> StackJoins {
        let Self { trace, all, mut joins, spans, mut keys } = self;
        joins.shared = joins.joined;
        for ((number, system), own) in (0..).zip(trace.systems().iter()).zip(&all.machines) {
            own.count(&system.stacks, spans.get(&number).copied(), all.is_lossy, &mut joins);
        }
        let ownerless = trace.stack_counts().ownerless;
        if ownerless > 0 {
            joins.parts += ownerless;
            joins.orphans.insert(UnjoinedReason::First, ownerless);
        }
        for (_, key) in keys.take().iter().filter(|(_, key)| key.has_stack) {
            for (why, count) in NoStackReason::ALL.into_iter().zip(key.bare).filter(|(_, count)| *count > 0) {
                *joins.bare.entry(why).or_default() += count;
            }
        }
        joins
    }
}

impl Sink for StackJoiner<'_> {
    type Worker = StackJoinWorker;

    fn worker(&self) -> StackJoinWorker {
        let keys = Keyed::new(self.trace.types().len());
        let (joins, spans) = (StackJoins::default(), BTreeMap::new());
        StackJoinWorker { all: Arc::clone(&self.all), joins, spans, span: None, keys }
    }

    fn accept(&mut self, found: FoundStacks) -> Result<ControlFlow<()>> {
        self.joins.joined += found.joins.joined;
        self.joins.inline += found.joins.inline;
        for (missing, count) in found.joins.incomplete {
            *self.joins.incomplete.entry(missing).or_default() += count;
        }
        for (machine, span) in found.spans {
            add_span(&mut self.spans, machine, span);
        }
        for (key, found) in found.keys {
            if let Some(own) = self.keys.get(key) {
                own.add(found);
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

fn add_span(spans: &mut BTreeMap<u16, Span>, machine: u16, (from, to): Span) {
    let (first, last) = spans.entry(machine).or_insert((from, to));
    (*first, *last) = ((*first).min(from), (*last).max(to));
}

impl OfKey {
    fn add(&mut self, other: Self) {
        self.has_stack |= other.has_stack;
        for (own, more) in self.bare.iter_mut().zip(other.bare) {
            *own += more;
        }
    }
}

impl Worker for StackJoinWorker {
    type Batch = FoundStacks;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        self.join(event.raw(), event.event_type(), event.system(), || event.attribution());
        Ok(())
    }

    fn pending(&mut self, pending: &mut PendingEvent<'_>) -> Result<Option<Fit>> {
        let whose = pending.attributed();
        self.attributed(pending, whose);
        Ok(None)
    }

    fn take(&mut self) -> FoundStacks {
        self.end_span();
        FoundStacks {
            joins: std::mem::take(&mut self.joins),
            spans: std::mem::take(&mut self.spans),
            keys: self.keys.take(),
        }
    }
}

impl StackJoinWorker {
    /// Takes an event whose attribution, [`PendingEvent::attributed`], the caller needs as well.
    pub fn attributed(&mut self, pending: &PendingEvent<'_>, whose: Attribution) {
        self.join(pending.raw(), pending.event_type(), pending.system(), || whose);
    }

    fn join(&mut self, raw: &RawEvent<'_>, row: Option<&EventType>, system: &System, whose: impl Fn() -> Attribution) {
        let (stacks, machine) = (&system.stacks, system.machine.number);
        let tick = system.timeline.of(raw);
        self.extend_span(machine, tick);
        let Self { all, joins, keys, .. } = self;
        let Some(own) = all.machines.get(usize::from(machine)) else { return };
        // Such as events that carry stacks.
        if row.is_some_and(|row| row.is_stackless) {
            return;
        }
        let at = stacks.at(tick);
        own.note(at.clone(), SAME_TIME);
        let stack = find_stack((raw, row), system, &whose, || at, |_| ());
        if stack.is_none() && !is_candidate(raw) {
            return;
        }
        let key = row.and_then(|row| keys.get(row.id()));
        let Some((stack, parts)) = stack else {
            let why = own.why_bare(tick, whose().tid, all.is_lossy);
            if let Some(count) = key.and_then(|key| key.bare.get_mut(why as usize)) {
                *count += 1;
            }
            return;
        };
        if let Some(key) = key {
            key.has_stack = true;
        }
        if let Some(missing) = stack.missing {
            *joins.incomplete.entry(missing).or_default() += 1;
        }
        if stack.inline {
            joins.inline += 1;
        } else {
            own.note(parts, JOINED);
            joins.joined += 1;
        }
    }

    #[inline]
    fn extend_span(&mut self, machine: u16, tick: i64) {
        match &mut self.span {
            Some((of, (first, last))) if *of == machine => (*first, *last) = ((*first).min(tick), (*last).max(tick)),
            _ => {
                self.end_span();
                self.span = Some((machine, (tick, tick)));
            }
        }
    }

    /// Puts aside the ticks of the machine of the last event.
    fn end_span(&mut self) {
        if let Some((machine, span)) = self.span.take() {
            add_span(&mut self.spans, machine, span);
        }
    }
}

impl Trace {
    /// Counts how stacks and events were joined, and why some were not. Reads all events once more. There are no stacks
    /// except those in the events themselves, unless the parsers were configured to keep the others.
    pub fn stack_joins(&self) -> Result<StackJoins> {
        let mut joiner = StackJoiner::new(self);
        self.run(&RunOptions::default().order(Order::File), &mut joiner)?;
        Ok(joiner.finish())
    }

    /// Counts the stacks that were kept, of all machines together.
    pub fn stack_counts(&self) -> StackCounts {
        let mut all = StackCounts::default();
        for own in self.systems().iter().map(|system| system.stacks.counts()) {
            all.parts += own.parts;
            all.refused += own.refused;
            all.undefined += own.undefined;
            all.distinct += own.distinct;
            all.refused_definitions += own.refused_definitions;
            all.ownerless += own.ownerless;
        }
        all
    }

    /// Returns whether events were lost by the session or cannot be read.
    fn is_lossy(&self) -> bool {
        self.is_damaged() || self.problems().iter().any(|problem| problem.severity == Severity::Loss)
    }
}

/// What is found of the stacks of one machine.
#[derive(Debug)]
struct Joined {
    /// For each part: [`JOINED`] and [`SAME_TIME`].
    parts: Vec<AtomicU8>,
    /// Ticks of the first and the last event to which a stack belongs that came in an event of its own.
    stacked: Option<(i64, i64)>,
}

/// An event has the part.
const JOINED: u8 = 1;
/// An event has the time of the part's event.
const SAME_TIME: u8 = 2;

impl Joined {
    fn new(stacks: &Stacks) -> Self {
        let mut ticks = stacks.owners().map(|(tick, _)| tick);
        let stacked = ticks.next().map(|first| (first, ticks.last().unwrap_or(first)));
        Self { parts: stacks.owners().map(|_| AtomicU8::new(0)).collect(), stacked }
    }

    /// Returns why an event of a type with stacks has none.
    fn why_bare(&self, tick: i64, tid: Option<u32>, is_lossy: bool) -> NoStackReason {
        match tid {
            // Thread 0 is the idle thread, for which Windows takes a stack only in a DPC or an interrupt.
            Some(0) => NoStackReason::Idle,
            _ if self.stacked.is_some_and(|(first, last)| tick < first || tick > last) => NoStackReason::Outside,
            None => NoStackReason::NoThread,
            _ if is_lossy => NoStackReason::Lost,
            _ => NoStackReason::NotTaken,
        }
    }

    /// Counts the parts, with the reasons of those that belong to no event. Of the events that have a stack, the first
    /// one of each stack shares it with nobody.
    fn count(&self, stacks: &Stacks, span: Option<(i64, i64)>, is_lossy: bool, joins: &mut StackJoins) {
        let mut before = None;
        for (owner, part) in stacks.owners().zip(&self.parts) {
            let (tick, _) = owner;
            let found = part.load(Ordering::Relaxed);
            let is_joined = found & JOINED != 0;
            joins.parts += 1;
            joins.parts_joined += u64::from(is_joined);
            joins.shared -= u64::from(is_joined && before != Some(owner));
            before = Some(owner);
            if !is_joined {
                let why = match span {
                    _ if found & SAME_TIME != 0 => UnjoinedReason::OtherThread,
                    Some((first, last)) if tick < first || tick > last => UnjoinedReason::Outside,
                    _ if is_lossy => UnjoinedReason::Lost,
                    _ => UnjoinedReason::NoEvent,
                };
                *joins.orphans.entry(why).or_default() += 1;
            }
        }
    }

    /// Notes something of parts, which are always noted together: the first one shows the state of all. Two threads may
    /// do so at once.
    fn note(&self, parts: Range<usize>, what: u8) {
        let parts = self.parts.get(parts).unwrap_or_default();
        if parts.first().is_some_and(|first| first.load(Ordering::Relaxed) & what == 0) {
            // The first one comes last, so that whoever sees it sees all.
            for part in parts.iter().rev() {
                part.fetch_or(what, Ordering::Relaxed);
            }
        }
    }
}

/// Errors of the session and messages never have stacks.
fn is_candidate(event: &RawEvent<'_>) -> bool {
    !matches!(event.kind(), Kind::Error | Kind::Wpp)
}
