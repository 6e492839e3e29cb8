//! Joining all stacks with all events once more, to count.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use crate::decode::{Event, find_stack};
use crate::error::{Result, Severity};
use crate::event::{Kind, RawEvent};
use crate::sink::{Sink, Worker};
use crate::system::{MissingFrames, NoStackReason, StackCounts, StackJoins, Stacks, UnjoinedReason};

use super::{Order, RunOptions, Trace};

/// Counts how stacks and events are joined: a sink for all events of a trace, for programs that read them anyway.
/// [`Trace::stack_joins`] does it in a run of its own.
#[derive(Debug)]
pub struct StackJoiner<'t> {
    trace: &'t Trace,
    is_lossy: bool,
    joins: StackJoins,
    machines: Vec<Joined>,
    /// For each key: whether an event has a stack, and the events without one, by reason.
    keys: Vec<(bool, BTreeMap<NoStackReason, u64>)>,
}

/// What is found of the stacks of one machine.
#[derive(Debug, Default)]
struct Joined {
    /// For each part: whether an event has it, and whether an event has its time.
    parts: Vec<(bool, bool)>,
    /// Times of the first and last event.
    span: Option<(i64, i64)>,
}

/// Looks at the events of one thread.
#[derive(Debug)]
pub struct StackJoinWorker {
    is_lossy: bool,
    /// For each machine: times of the first and the last event to which a stack belongs that came in an event of its own.
    stacked: Arc<[Option<(i64, i64)>]>,
    found: FoundStacks,
}

/// What a worker found.
#[derive(Debug, Default)]
pub struct FoundStacks {
    machines: Vec<FoundOfMachine>,
    /// Keys of events: those that have a stack, and those that have none, with the reason.
    keys: Vec<(u32, Option<NoStackReason>)>,
    incomplete: BTreeMap<MissingFrames, u64>,
    inline: u64,
}

/// What a worker found of one machine.
#[derive(Debug, Default)]
struct FoundOfMachine {
    span: Option<(i64, i64)>,
    /// Places of the parts of times at which events are.
    times: Vec<Range<usize>>,
    /// Places of the parts of events.
    parts: Vec<Range<usize>>,
}

/// Events whose findings are handed over at once.
const FULL: usize = 1 << 12;

impl<'t> StackJoiner<'t> {
    /// Begins.
    pub fn new(trace: &'t Trace) -> Self {
        let machines = trace.systems().iter().map(|system| Joined::new(&system.stacks)).collect();
        let keys = vec![(false, BTreeMap::new()); trace.types().len()];
        Self { trace, is_lossy: trace.is_lossy(), joins: StackJoins::default(), machines, keys }
    }

    /// Returns the counts, with the reasons of parts that belong to no event.
    pub fn finish(self) -> StackJoins {
        let Self { trace, is_lossy, mut joins, machines, keys } = self;
        for (system, own) in trace.systems().iter().zip(&machines) {
            own.count(&system.stacks, is_lossy, &mut joins);
        }
        let ownerless = trace.stack_counts().ownerless;
        if ownerless > 0 {
            joins.parts += ownerless;
            joins.orphans.insert(UnjoinedReason::First, ownerless);
        }
        for (why, count) in keys.into_iter().filter(|(has_stack, _)| *has_stack).flat_map(|(_, bare)| bare) {
            *joins.bare.entry(why).or_default() += count;
        }
        joins
    }
}

impl Sink for StackJoiner<'_> {
    type Worker = StackJoinWorker;

    fn worker(&self) -> StackJoinWorker {
        let stacked = self.trace.systems().iter().map(|system| stacked(&system.stacks)).collect();
        StackJoinWorker { is_lossy: self.is_lossy, stacked, found: FoundStacks::default() }
    }

    fn accept(&mut self, found: FoundStacks) -> Result<ControlFlow<()>> {
        for (own, found) in self.machines.iter_mut().zip(found.machines) {
            own.span = joined(own.span, found.span);
            found.times.into_iter().for_each(|parts| own.note_time(parts));
            for parts in found.parts {
                self.joins.joined += 1;
                self.joins.shared += u64::from(own.join(parts));
            }
        }
        for (key, why) in found.keys {
            match (self.keys.get_mut(key as usize), why) {
                (Some((_, bare)), Some(why)) => *bare.entry(why).or_default() += 1,
                (Some((has_stack, _)), None) => *has_stack = true,
                (None, _) => {}
            }
        }
        for (missing, count) in found.incomplete {
            *self.joins.incomplete.entry(missing).or_default() += count;
        }
        self.joins.inline += found.inline;
        Ok(ControlFlow::Continue(()))
    }
}

impl Worker for StackJoinWorker {
    type Batch = FoundStacks;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        let Self { is_lossy, stacked, found } = self;
        let (raw, state) = (event.raw(), event.system());
        let (stacks, time) = (&state.stacks, state.timeline.of(raw));
        let number = usize::from(state.machine.number);
        let Some(stacked) = stacked.get(number) else { return Ok(()) };
        if found.machines.len() <= number {
            found.machines.resize_with(number + 1, FoundOfMachine::default);
        }
        let Some(own) = found.machines.get_mut(number) else { return Ok(()) };
        own.span = joined(own.span, Some((time, time)));
        // Events that carry stacks have no stacks of their own.
        if stacks.is_carrier(&raw.key()) {
            return Ok(());
        }
        let at = stacks.at(time);
        if !at.is_empty() {
            own.times.push(at.clone());
        }
        let key = event.key().map(|key| key.0);
        let Some((stack, parts)) = find_stack(raw, state, || event.attribution(), || at, |_| ()) else {
            let why = || why_none(event.tid(), *stacked, time, *is_lossy);
            found.keys.extend(key.filter(|_| is_candidate(raw)).map(|key| (key, Some(why()))));
            return Ok(());
        };
        found.keys.extend(key.map(|key| (key, None)));
        if let Some(missing) = stack.missing {
            *found.incomplete.entry(missing).or_default() += 1;
        }
        if stack.inline {
            found.inline += 1;
        } else {
            own.parts.push(parts);
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.found.keys.len() >= FULL
    }

    fn is_overfull(&self) -> bool {
        self.found.keys.len() >= FULL << 4
    }

    fn take(&mut self) -> FoundStacks {
        // The next batch will be about as long.
        let room = FoundStacks { keys: Vec::with_capacity(self.found.keys.len()), ..FoundStacks::default() };
        std::mem::replace(&mut self.found, room)
    }
}

/// Why an event of a thread and time has no stack.
fn why_none(tid: Option<u32>, stacked: Option<(i64, i64)>, time: i64, is_lossy: bool) -> NoStackReason {
    match tid {
        // Thread 0 is the idle thread, for which Windows takes no stack.
        Some(0) => NoStackReason::Idle,
        _ if stacked.is_some_and(|(first, last)| time < first || time > last) => NoStackReason::Outside,
        None => NoStackReason::NoThread,
        _ if is_lossy => NoStackReason::Lost,
        _ => NoStackReason::NotTaken,
    }
}

/// The first and the last time of both.
fn joined(a: Option<(i64, i64)>, b: Option<(i64, i64)>) -> Option<(i64, i64)> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (a, b) => a.or(b),
    }
}

/// Times of the first and the last event to which a stack belongs that came in an event of its own.
fn stacked(stacks: &Stacks) -> Option<(i64, i64)> {
    let mut owners = stacks.owner_ticks();
    owners.next().map(|first| (first, owners.last().unwrap_or(first)))
}

impl Trace {
    /// Counts how stacks and events were joined, and why some were not. Reads all events once more. There are no stacks
    /// except those in the events themselves, unless the parsers were configured to keep the others.
    pub fn stack_joins(&self) -> Result<StackJoins> {
        let mut joiner = StackJoiner::new(self);
        let options = RunOptions { order: Order::File, threads: 1, ..RunOptions::default() };
        self.run(&options, &mut joiner)?;
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

impl Joined {
    fn new(stacks: &Stacks) -> Self {
        Self { parts: vec![(false, false); stacks.owner_ticks().count()], span: None }
    }

    /// Counts the parts, with the reasons of those that belong to no event.
    fn count(&self, stacks: &Stacks, lossy: bool, joins: &mut StackJoins) {
        for (time, (joined, same_time)) in stacks.owner_ticks().zip(&self.parts) {
            joins.parts += 1;
            joins.parts_joined += u64::from(*joined);
            if !joined {
                let why = match self.span {
                    _ if *same_time => UnjoinedReason::OtherThread,
                    Some((first, last)) if time < first || time > last => UnjoinedReason::Outside,
                    _ if lossy => UnjoinedReason::Lost,
                    _ => UnjoinedReason::NoEvent,
                };
                *joins.orphans.entry(why).or_default() += 1;
            }
        }
    }

    /// An event has the time of these parts. All parts of a time are noted at once, so the first one shows the state of
    /// all.
    fn note_time(&mut self, parts: Range<usize>) {
        let parts = self.parts.get_mut(parts).unwrap_or_default();
        if parts.first().is_some_and(|first| !first.1) {
            for part in parts.iter_mut() {
                part.1 = true;
            }
        }
    }

    /// An event has these parts: all of a thread and time, so the first one shows the state of all here too.
    /// Returns whether another event had them before.
    fn join(&mut self, parts: Range<usize>) -> bool {
        let parts = self.parts.get_mut(parts).unwrap_or_default();
        let shared = parts.first().is_some_and(|first| first.0);
        if !shared {
            for part in parts.iter_mut() {
                part.0 = true;
            }
        }
        shared
    }
}

/// Errors of the session and messages never have stacks.
fn is_candidate(event: &RawEvent<'_>) -> bool {
    !matches!(event.kind(), Kind::Error | Kind::Wpp)
}
