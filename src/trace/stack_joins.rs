//! Joining all stacks with all events once more, to count.

use std::ops::Range;

use crate::error::{Result, Severity};
use crate::event::{Kind, RawEvent};
use crate::system::{NoStackReason, StackCounts, StackJoins, Stacks, UnjoinedReason};

use super::{Filter, Order, Trace};

/// What is found while going over the events.
#[derive(Debug, Default)]
struct Tally {
    joins: StackJoins,
    /// What is found of each machine.
    machines: Vec<Joined>,
    /// For each key: whether an event has a stack, and the events without one, by reason.
    keys: Vec<(bool, std::collections::BTreeMap<NoStackReason, u64>)>,
}

/// What is found of the stacks of one machine.
#[derive(Debug, Default)]
struct Joined {
    /// For each part: whether an event has it, and whether an event has its time.
    parts: Vec<(bool, bool)>,
    /// Times of the first and last event.
    span: Option<(i64, i64)>,
    /// Times of the first and the last event to which a stack belongs that came in an event of its own.
    stacked: Option<(i64, i64)>,
}

impl Trace {
    /// Counts how stacks and events were joined, and why some were not. Reads all events once more. There are no stacks
    /// except those in the events themselves, unless the parsers were configured to keep the others.
    pub fn stack_joins(&self) -> Result<StackJoins> {
        let machines = self.systems().iter().map(|system| Joined::new(&system.stacks)).collect();
        let mut tally = Tally { machines, ..Tally::default() };
        tally.keys.resize_with(self.types().len(), Default::default);
        let lossy = self.is_lossy();
        let mut frames = Vec::new();
        let mut events = self.events_in(Order::File, &Filter::default());
        while let Some(event) = events.next()? {
            let state = event.system();
            let stacks = &state.stacks;
            let time = state.timeline.of(event.raw());
            let Some(own) = tally.machines.get_mut(usize::from(state.machine.number)) else { continue };
            let (first, last) = own.span.unwrap_or((time, time));
            own.span = Some((first.min(time), last.max(time)));
            // Events that carry stacks have no stacks of their own.
            if stacks.is_carrier(&event.raw().key()) {
                continue;
            }
            own.note_time(stacks.at(time));
            let tid = event.tid();
            let found = event.stack(&mut frames);
            let key = event.key().and_then(|key| tally.keys.get_mut(key.0 as usize));
            let Some(found) = found else {
                if let Some((_, bare)) = key.filter(|_| is_candidate(event.raw())) {
                    let why = match tid {
                        // Thread 0 is the idle thread, for which Windows takes no stack.
                        Some(0) => NoStackReason::Idle,
                        _ if own.stacked.is_some_and(|(first, last)| time < first || time > last) => {
                            NoStackReason::Outside
                        }
                        None => NoStackReason::NoThread,
                        _ if lossy => NoStackReason::Lost,
                        _ => NoStackReason::NotTaken,
                    };
                    *bare.entry(why).or_default() += 1;
                }
                continue;
            };
            if let Some((has_stack, _)) = key {
                *has_stack = true;
            }
            if let Some(missing) = found.missing {
                *tally.joins.incomplete.entry(missing).or_default() += 1;
            }
            if found.inline {
                tally.joins.inline += 1;
            } else {
                let parts = stacks.parts(time, tid, event.raw().processor()).unwrap_or_default();
                let is_shared = own.join(parts);
                tally.joins.joined += 1;
                tally.joins.shared += u64::from(is_shared);
            }
        }
        Ok(self.finish_joins(tally, lossy))
    }

    /// Adds up the counts, with the reasons of parts that belong to no event.
    fn finish_joins(&self, tally: Tally, lossy: bool) -> StackJoins {
        let Tally { mut joins, machines, keys } = tally;
        for (system, own) in self.systems().iter().zip(&machines) {
            own.count(&system.stacks, lossy, &mut joins);
        }
        let ownerless = self.stack_counts().ownerless;
        if ownerless > 0 {
            joins.parts += ownerless;
            joins.orphans.insert(UnjoinedReason::First, ownerless);
        }
        for (why, count) in keys.into_iter().filter(|(has_stack, _)| *has_stack).flat_map(|(_, bare)| bare) {
            *joins.bare.entry(why).or_default() += count;
        }
        joins
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
        let mut owners = stacks.owner_ticks();
        let stacked = owners.next().map(|first| (first, owners.last().unwrap_or(first)));
        Self { parts: vec![(false, false); stacks.owner_ticks().count()], span: None, stacked }
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
