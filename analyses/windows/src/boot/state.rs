//! Begins and ends.

use std::collections::{BTreeSet, HashMap};

use etwkit::FileTime;
use etwkit::trace::Trace;
use etwkit_analysis::{Excess, milliseconds};

use super::fact::{BootFact, Edge};
use super::pairs::{Join, Place};
use crate::limits::{MOST_NESTED, MOST_OPEN};

/// Something with a begin and an end, as far as the trace has them.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub(super) machine: u16,
    pub(super) place: Place,
    pub(super) label: Box<str>,
    pub(super) pid: Option<u32>,
    pub(super) start: Option<FileTime>,
    pub(super) end: Option<FileTime>,
    pub(super) status: Option<u32>,
    /// Whether the filter chooses the first of its events that the trace has.
    pub(super) is_chosen: bool,
}

/// What joins an end with its begin.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Joined {
    Id(Option<u32>),
    Label(Box<str>),
}

/// Things that have begun. Of those with the same key the last one ends first.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    open: HashMap<(u16, Place, Joined), Vec<Span>>,
    count: usize,
    excess: Excess,
    /// Numbers of the machines that boot in the trace.
    booting: BTreeSet<u16>,
}

impl State {
    /// Takes note of what shows that a machine boots, whatever the filter.
    pub(super) fn note(&mut self, fact: &BootFact) {
        if fact.is_of_boot() {
            self.booting.insert(fact.machine);
        }
    }

    /// Takes a begin or an end. Returns what ended, or cannot be kept.
    pub(super) fn take(&mut self, fact: (u16, FileTime), ids: Ids, edge: Edge, is_chosen: bool) -> Option<Span> {
        let (machine, time) = fact;
        let Edge { place, is_start, label, status } = edge;
        let joined = match place.pair().join {
            Join::Process => Joined::Id(ids.pid),
            Join::Thread => Joined::Id(ids.tid),
            Join::Label => Joined::Label(label.clone()),
        };
        let key = (machine, place, joined);
        let span = Span { machine, place, label, pid: ids.pid, start: None, end: None, status, is_chosen };
        if is_start {
            return self.begin(key, Span { start: Some(time), ..span });
        }
        let Some(begun) = self.end(&key) else { return Some(Span { end: Some(time), ..span }) };
        let label = if begun.label.is_empty() { span.label } else { begun.label };
        Some(Span { label, end: Some(time), status, ..begun })
    }

    fn begin(&mut self, key: (u16, Place, Joined), span: Span) -> Option<Span> {
        let nested = self.open.get(&key).map_or(0, Vec::len);
        if !(self.excess.admits(self.count, MOST_OPEN) && self.excess.admits(nested, MOST_NESTED)) {
            return Some(span);
        }
        self.count += 1;
        self.open.entry(key).or_default().push(span);
        None
    }

    /// Returns how many begins had no room: the span of each comes out without its end.
    pub(super) const fn excess(&self) -> u64 {
        self.excess.count()
    }

    fn end(&mut self, key: &(u16, Place, Joined)) -> Option<Span> {
        let open = self.open.get_mut(key)?;
        let begun = open.pop()?;
        if open.is_empty() {
            self.open.remove(key);
        }
        self.count -= 1;
        Some(begun)
    }

    /// Returns what has not ended, in order of time, and the numbers of the machines that boot.
    pub(super) fn into_open(self) -> (Vec<Span>, BTreeSet<u16>) {
        let mut open: Vec<Span> = self.open.into_values().flatten().collect();
        open.sort_by(|a, b| {
            (a.machine, a.start, a.place, a.pid, &a.label).cmp(&(b.machine, b.start, b.place, b.pid, &b.label))
        });
        (open, self.booting)
    }
}

/// Who wrote an event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ids {
    pub(super) pid: Option<u32>,
    pub(super) tid: Option<u32>,
}

/// When machines booted, by the headers of the files; nothing in a trace of local times.
#[derive(Clone, Debug, Default)]
pub(super) struct BootTimes(HashMap<u16, FileTime>);

impl BootTimes {
    pub(super) fn of(trace: &Trace) -> Self {
        if trace.has_local_times() {
            return Self::default();
        }
        let machines = trace.systems().iter().map(|system| &system.machine);
        Self(machines.filter_map(|machine| Some((machine.number, machine.boot_time?))).collect())
    }

    pub(super) fn get(&self, machine: u16) -> Option<FileTime> {
        self.0.get(&machine).copied()
    }

    /// Returns the milliseconds from the boot to a time that is not before it.
    pub(super) fn since(&self, machine: u16, time: Option<FileTime>) -> Option<f64> {
        let boot = self.get(machine)?;
        time.filter(|time| *time >= boot).map(|time| milliseconds(boot, time))
    }
}
