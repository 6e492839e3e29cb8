//! Joining all stacks with all events once more, to count.

use std::ops::Range;

use crate::error::{Result, Severity};
use crate::event::{Kind, RawEvent};
use crate::system::{NoStackReason, StackJoins, UnjoinedReason};

use super::{Filter, Order, Trace};

/// What is found while going over the events.
#[derive(Debug, Default)]
struct Tally {
    joins: StackJoins,
    /// For each part: whether an event has it, and whether an event has its time.
    parts: Vec<(bool, bool)>,
    /// For each key: whether an event has a stack, and the events without one, by reason.
    keys: Vec<(bool, std::collections::BTreeMap<NoStackReason, u64>)>,
    /// Times of the first and last event.
    span: Option<(i64, i64)>,
}

impl Trace {
    /// Counts how stacks and events were joined, and why some were not. Reads all events once more. There are no stacks
    /// except those in the events themselves, unless the parsers were configured to keep the others.
    pub fn stack_joins(&self) -> Result<StackJoins> {
        let stacks = &self.system().stacks;
        let count = stacks.owner_ticks().count();
        let mut tally = Tally { parts: vec![(false, false); count], ..Tally::default() };
        tally.keys.resize_with(self.types().len(), Default::default);
        let stacked = self.stacked_span();
        let lossy = self.is_lossy();
        let mut frames = Vec::new();
        let mut events = self.events_in(Order::File, &Filter::default());
        while let Some(event) = events.next()? {
            let state = self.system();
            let time = state.timeline.of(event.raw());
            let (first, last) = tally.span.unwrap_or((time, time));
            tally.span = Some((first.min(time), last.max(time)));
            // Events that carry stacks have no stacks of their own.
            if stacks.is_carrier(&event.raw().key()) {
                continue;
            }
            tally.note_time(stacks.at(time));
            let tid = event.tid();
            let found = event.stack(&mut frames);
            let key = event.key().and_then(|key| tally.keys.get_mut(key.0 as usize));
            let Some(found) = found else {
                if let Some((_, bare)) = key.filter(|_| is_candidate(event.raw())) {
                    let why = match tid {
                        // Thread 0 is the idle thread, for which Windows takes no stack.
                        Some(0) => NoStackReason::Idle,
                        _ if stacked.is_some_and(|(first, last)| time < first || time > last) => NoStackReason::Outside,
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
                tally.join(parts);
            }
        }
        Ok(self.finish_joins(tally, lossy))
    }

    /// Adds up the counts, with the reasons of parts that belong to no event.
    fn finish_joins(&self, tally: Tally, lossy: bool) -> StackJoins {
        let Tally { mut joins, parts, keys, span } = tally;
        let stacks = &self.system().stacks;
        for (time, (joined, same_time)) in stacks.owner_ticks().zip(&parts) {
            joins.parts += 1;
            joins.parts_joined += u64::from(*joined);
            if !joined {
                let why = match span {
                    _ if *same_time => UnjoinedReason::OtherThread,
                    Some((first, last)) if time < first || time > last => UnjoinedReason::Outside,
                    _ if lossy => UnjoinedReason::Lost,
                    _ => UnjoinedReason::NoEvent,
                };
                *joins.orphans.entry(why).or_default() += 1;
            }
        }
        let ownerless = stacks.counts().ownerless;
        if ownerless > 0 {
            joins.parts += ownerless;
            joins.orphans.insert(UnjoinedReason::First, ownerless);
        }
        for (why, count) in keys.into_iter().filter(|(has_stack, _)| *has_stack).flat_map(|(_, bare)| bare) {
            *joins.bare.entry(why).or_default() += count;
        }
        joins
    }

    /// Times of the first and the last event to which a stack belongs that came in an event of its own.
    fn stacked_span(&self) -> Option<(i64, i64)> {
        let mut owners = self.system().stacks.owner_ticks();
        let first = owners.next()?;
        Some((first, owners.last().unwrap_or(first)))
    }

    /// Returns whether events were lost by the session or cannot be read.
    fn is_lossy(&self) -> bool {
        self.is_damaged() || self.problems().iter().any(|problem| problem.severity == Severity::Loss)
    }
}

impl Tally {
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
    fn join(&mut self, parts: Range<usize>) {
        let parts = self.parts.get_mut(parts).unwrap_or_default();
        let shared = parts.first().is_some_and(|first| first.0);
        if !shared {
            for part in parts.iter_mut() {
                part.0 = true;
            }
        }
        self.joins.joined += 1;
        self.joins.shared += u64::from(shared);
    }
}

/// Errors of the session and messages never have stacks.
fn is_candidate(event: &RawEvent<'_>) -> bool {
    !matches!(event.kind(), Kind::Error | Kind::Wpp)
}
