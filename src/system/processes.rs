//! Processes over time.

#[cfg(feature = "output")]
use std::ops::RangeInclusive;

use hashbrown::HashMap;

use crate::time::FileTime;

use super::budget::entry_size;
use super::lifetime::Lifetime;
use super::names::Names;
use super::owner::{Owner, Owners};
use super::process::Process;
use super::process_facts::ProcessFacts;
use super::timeline::{Moment, Rundown, Ticks};
use super::{StateBudget, Unknown};

/// A process of the trace: its place in [`Processes::list`]. Unlike the system's process id it is never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessId(pub u32);

/// Bytes of a process: in the list, and where it is found by its id.
const ENTRY: usize = entry_size::<(Process, Lifetime)>(size_of::<(u32, Vec<u32>)>()) + 32;

/// All processes.
#[derive(Clone, Debug, Default)]
pub struct Processes {
    list: Vec<Process>,
    /// When each of them ran.
    lifetimes: Vec<Lifetime>,
    /// When the last event stated that it was there.
    stated: Vec<i64>,
    /// Places by process id; in order of time once frozen.
    by_pid: HashMap<u32, Vec<u32>>,
    names: Names,
    /// Whether any came from a rundown.
    rundown: bool,
}

impl Processes {
    /// Adds the start of a process.
    pub(super) fn start(&mut self, at: Moment, facts: ProcessFacts, budget: &mut StateBudget) {
        if let Some((before, lifetime)) = self.last_mut(facts.pid).filter(|(_, lifetime)| lifetime.end.is_none()) {
            if lifetime.start == Some(at.tick) || before.facts.is_creation_of(&facts) {
                return;
            }
            before.lose_end(lifetime, at);
        }
        let lifetime = Lifetime { start: Some(at.tick), end: None };
        self.add(Process { facts, start: at.time, end: None }, lifetime, budget);
    }

    /// Adds the end of a process.
    pub(super) fn stop(&mut self, at: Rundown, facts: ProcessFacts, budget: &mut StateBudget) {
        self.lose_other(at, &facts);
        let at = at.event;
        if let Some((last, lifetime)) = self.last_mut(facts.pid) {
            if lifetime.end.is_none() {
                lifetime.end = Some(at.tick);
                last.end = at.time;
                last.facts.exit_status = facts.exit_status;
                return;
            }
            // Two sessions wrote its end.
            if last.facts.is_creation_of(&facts) || last.facts.is_object_of(&facts) {
                return;
            }
        }
        let (start, free) = self.after_last(facts.pid);
        let lifetime = Lifetime { start: free.min(Some(at.tick)), end: Some(at.tick) };
        self.add(Process { facts, start: start.min(at.time), end: at.time }, lifetime, budget);
    }

    /// Adds a process that ended before the event, at a time that is not always known.
    pub(super) fn defunct(
        &mut self,
        at: Moment,
        facts: ProcessFacts,
        ended: Option<FileTime>,
        budget: &mut StateBudget,
    ) {
        if self.last_mut(facts.pid).is_none() {
            let lifetime = Lifetime { start: None, end: Some(at.tick.saturating_sub(1)) };
            self.add(Process { facts, start: None, end: ended.or(at.time) }, lifetime, budget);
        }
    }

    /// Adds a process of a rundown at the beginning or the end of a session.
    pub(super) fn exists(&mut self, at: Rundown, facts: ProcessFacts, budget: &mut StateBudget) {
        self.rundown = true;
        let pid = facts.pid;
        self.lose_other(at, &facts);
        if let Some((before, of_before)) = self.last_mut(pid) {
            if of_before.end.is_none() {
                before.facts.fill(&facts);
                return self.state_at(pid, at.event.tick);
            }
            if before.facts.is_creation_of(&facts) {
                return;
            }
        }
        let (start, free) = self.after_last(pid);
        self.add(Process { facts, start, end: None }, Lifetime { start: free, end: None }, budget);
        self.state_at(pid, at.event.tick);
    }

    /// Ends the process that runs as an id, if an event of the id is of another one.
    fn lose_other(&mut self, at: Rundown, facts: &ProcessFacts) {
        let since = at.since(self.stated_at(facts.pid));
        if let Some((last, lifetime)) = self.last_mut(facts.pid)
            && lifetime.end.is_none()
            && last.facts.is_other_than(facts)
        {
            last.lose_end(lifetime, since);
        }
    }

    /// Returns from when a process runs whose start no event states: since the last one of its id ended.
    fn after_last(&mut self, pid: u32) -> (Option<FileTime>, Option<i64>) {
        let last = self.last_mut(pid);
        last.map_or((None, None), |(before, lifetime)| (before.end, Lifetime::start_after(lifetime.end)))
    }

    /// When an event last stated that the last process of an id was there.
    fn stated_at(&self, pid: u32) -> i64 {
        let place = self.by_pid.get(&pid).and_then(|places| places.last());
        place.and_then(|place| self.stated.get(*place as usize)).copied().unwrap_or(i64::MIN)
    }

    fn state_at(&mut self, pid: u32, tick: i64) {
        let place = self.by_pid.get(&pid).and_then(|places| places.last());
        if let Some(stated) = place.and_then(|place| self.stated.get_mut(*place as usize)) {
            *stated = tick;
        }
    }

    /// Returns what ran as a process id. `None` before its start, after its end, and if no event mentions it.
    pub(super) fn at(&self, pid: u32, at: Ticks) -> Option<&Process> {
        let (process, lifetime) = self.find(pid, at.last)?;
        lifetime.holds(at).then_some(process)
    }

    /// Returns what ran as a process id, or was the last to do so: events of a process are still written after its end.
    pub(super) fn at_or_before(&self, pid: u32, at: Ticks) -> Option<&Process> {
        self.find(pid, at.last).map(|(process, _)| process)
    }

    /// Returns what [`Processes::at_or_before`] does, with the ticks around this one for which it returns the same.
    #[cfg(feature = "output")]
    pub(super) fn span(&self, pid: u32, tick: i64) -> (Option<&Process>, RangeInclusive<i64>) {
        let places = self.by_pid.get(&pid).map_or(&[][..], |places| places);
        let start = |place: &u32| self.lifetimes.get(*place as usize).and_then(|lifetime| lifetime.start);
        let started = places.partition_point(|place| start(place) <= Some(tick));
        let place = started.checked_sub(1).and_then(|last| places.get(last));
        let from = place.and_then(start).unwrap_or(i64::MIN);
        let to = places.get(started).and_then(start).map_or(i64::MAX, |next| next - 1);
        (place.and_then(|place| self.list.get(*place as usize)), from..=to)
    }

    /// Takes over what is known of processes from another source, except those that are known already, and sorts by
    /// time for lookups: a crafted trace may have very many processes of one id, in any order.
    pub(super) fn freeze(&mut self, others: Self) {
        self.sort();
        self.take_others(others);
        self.sort();
        self.names.end();
    }

    fn sort(&mut self) {
        let lifetimes = &self.lifetimes;
        for places in self.by_pid.values_mut() {
            places.sort_by_key(|place| lifetimes.get(*place as usize).and_then(|lifetime| lifetime.start));
        }
    }

    /// Returns why [`Processes::at`] finds none; `None` if it does.
    pub(super) fn why_unknown(&self, pid: Option<u32>, at: Ticks) -> Option<Unknown> {
        let Some(pid) = pid.and_then(crate::event::known_id) else { return Some(Unknown::NoId) };
        if self.at(pid, at).is_some() {
            return None;
        }
        Some(match (self.at_or_before(pid, at), pid) {
            (Some(_), _) => Unknown::Ended,
            (None, _) if self.by_pid.contains_key(&pid) => Unknown::Later,
            (None, 0) => Unknown::Idle,
            (None, _) => Unknown::never(self.list.is_empty(), self.rundown),
        })
    }

    pub(super) fn list_mut(&mut self) -> impl Iterator<Item = &mut Process> {
        self.list.iter_mut()
    }

    /// Returns all processes with their ids, in the order of their first mention in the trace; those that only events
    /// of other providers than the kernel mention come last.
    pub fn list(&self) -> impl Iterator<Item = (ProcessId, &Process)> {
        (0..).map(ProcessId).zip(&self.list)
    }

    /// Returns a process.
    pub fn get(&self, id: ProcessId) -> Option<&Process> {
        self.list.get(id.0 as usize)
    }

    /// Returns the last process of an id that had started at a tick.
    fn find(&self, pid: u32, tick: i64) -> Option<(&Process, Lifetime)> {
        let places = self.by_pid.get(&pid)?;
        let lifetime = |place: &u32| self.lifetimes.get(*place as usize).copied();
        let started = places.partition_point(|place| lifetime(place).is_some_and(|at| at.start <= Some(tick)));
        let place = places.get(started.checked_sub(1)?)?;
        self.list.get(*place as usize).zip(lifetime(place))
    }

    /// Adds processes of another source that are not among these. Both are in order of time.
    fn take_others(&mut self, others: Self) {
        self.rundown |= others.rundown;
        let mut added = Vec::new();
        for (other, lifetime) in others.list.into_iter().zip(others.lifetimes) {
            match self.overlapping(other.facts.pid, lifetime) {
                // A rundown states nothing of the processes that had the id before. When it was is not kept.
                Some((known, of_known)) if of_known.may_follow(lifetime, i64::MAX) && !known.is_called_as(&other) => {
                    of_known.start = Lifetime::start_after(lifetime.end);
                    known.start = other.end;
                    added.push((other, lifetime));
                }
                Some((known, of_known)) => {
                    if of_known.start.is_none() && known.is_called_as(&other) {
                        (of_known.start, known.start) = (lifetime.start, other.start);
                    }
                    known.facts.fill(&other.facts);
                }
                None => added.push((other, lifetime)),
            }
        }
        for (other, lifetime) in added {
            self.push(other, lifetime);
        }
    }

    /// Returns the last process of an id that ran within a span.
    fn overlapping(&mut self, pid: u32, span: Lifetime) -> Option<(&mut Process, &mut Lifetime)> {
        let places = self.by_pid.get(&pid)?;
        let lifetime = |place: &u32| self.lifetimes.get(*place as usize).copied().unwrap_or_default();
        let last = Some(span.end.unwrap_or(i64::MAX));
        let begun = places.partition_point(|place| lifetime(place).start <= last);
        let place = *places.get(begun.checked_sub(1)?)?;
        let place = place as usize;
        let found = self.list.get_mut(place).zip(self.lifetimes.get_mut(place));
        found.filter(|(_, lifetime)| lifetime.overlaps(span))
    }

    /// Returns whose an image or a method is, as far as the events until now state.
    pub(super) fn owners(&self, pid: u32) -> Owners {
        let Some([before @ .., last]) = self.by_pid.get(&pid).map(Vec::as_slice) else {
            return Owners { now: Owner { pid, instance: 0 }, last: Owner { pid, instance: 0 } };
        };
        let instance = before.len() as u32;
        let has_ended = self.lifetimes.get(*last as usize).is_some_and(|lifetime| lifetime.end.is_some());
        let now = Owner { pid, instance: instance + u32::from(has_ended) };
        Owners { now, last: Owner { pid, instance } }
    }

    /// Returns from when until when an owner of images and methods may have any, and when its process ended; `None` if it
    /// is the only process of its id. Only before [`Processes::freeze`].
    pub(super) fn bounds(&self, Owner { pid, instance }: Owner) -> Option<(Lifetime, Option<FileTime>)> {
        if self.list.len() == self.by_pid.len() && instance == 0 {
            return None;
        }
        let places = self.by_pid.get(&pid)?;
        let lifetime = |at: usize| places.get(at).and_then(|place| self.lifetimes.get(*place as usize));
        let at = instance as usize;
        let before = at.checked_sub(1).and_then(lifetime).and_then(|before| before.end);
        // It may start in the tick in which the one before ended.
        let own = lifetime(at).and_then(|own| own.start);
        let start = Lifetime::start_after(before).map(|free| own.map_or(free, |own| own.min(free)));
        let end = lifetime(at + 1).and_then(|next| next.start).map(|next| next.saturating_sub(1));
        let ended = places.get(at).and_then(|place| self.list.get(*place as usize)).and_then(|process| process.end);
        Some((Lifetime { start, end }, ended))
    }

    /// Returns whether a process with an id runs, as far as the events until now state.
    pub(super) fn has_open(&self, facts: &ProcessFacts) -> bool {
        let last = self.by_pid.get(&facts.pid).and_then(|places| places.last()).map(|place| *place as usize);
        let process = last.and_then(|place| self.list.get(place).zip(self.lifetimes.get(place)));
        process.is_some_and(|(process, lifetime)| lifetime.end.is_none() && !process.facts.is_other_than(facts))
    }

    fn last_mut(&mut self, pid: u32) -> Option<(&mut Process, &mut Lifetime)> {
        let place = *self.by_pid.get(&pid)?.last()? as usize;
        self.list.get_mut(place).zip(self.lifetimes.get_mut(place))
    }

    fn add(&mut self, mut process: Process, lifetime: Lifetime, budget: &mut StateBudget) {
        let facts = &mut process.facts;
        if budget.take(ENTRY, facts.names_len()) {
            facts.names_mut().into_iter().for_each(|name| self.names.share(name));
            self.push(process, lifetime);
        }
    }

    fn push(&mut self, process: Process, lifetime: Lifetime) {
        self.by_pid.entry(process.facts.pid).or_default().push(self.list.len() as u32);
        self.list.push(process);
        self.lifetimes.push(lifetime);
        self.stated.push(lifetime.start.unwrap_or(i64::MIN));
    }
}

#[cfg(test)]
mod tests;
