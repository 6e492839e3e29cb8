//! The collections of each process.

use std::collections::BTreeMap;

use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Excess, units_to_milliseconds};
use etwkit_kernel_analyses::ProcessKey;
use etwkit_kernel_analyses::samples::Intervals;

use crate::processes::MOST_PROCESSES;

use super::collections::Collections;
use super::fact::{GcFact, What};
use super::state::State;

/// The state of each process, with its name.
#[derive(Clone, Debug, Default)]
pub(super) struct Processes {
    states: BTreeMap<ProcessKey, (Option<Box<str>>, State)>,
    /// Events of processes that have no room.
    excess: Excess,
    /// At which processors are sampled.
    intervals: Intervals,
}

impl Processes {
    /// Begins, before the first event.
    pub(super) fn begin(trace: &Trace) -> Result<Self> {
        let (states, excess) = <_>::default();
        Ok(Self { states, excess, intervals: Intervals::of(trace)? })
    }

    /// Takes what an event states.
    pub(super) fn take(&mut self, fact: GcFact, is_chosen: bool) {
        let is_known = self.states.contains_key(&fact.origin.process);
        if !is_known && !self.excess.admits(self.states.len(), MOST_PROCESSES) {
            return;
        }
        let (name, state) = self.states.entry(fact.origin.process).or_default();
        *name = name.take().or(fact.origin.name);
        let (machine, tid, time) = (fact.origin.process.machine, fact.origin.tid, fact.origin.time);
        if matches!(fact.what, What::Sample) {
            let interval = self.intervals.at(machine, Some(time)).unwrap_or(0);
            state.sample(units_to_milliseconds(interval.into()), tid, is_chosen);
        } else {
            state.take(&fact.what, (tid, time), is_chosen);
        }
    }

    /// Ends what is open, after the last event.
    pub(super) fn end(&mut self) {
        self.states.values_mut().for_each(|(_, state)| state.end());
    }

    /// Returns how many things had no room in all of them.
    pub(super) fn excess(&self) -> u64 {
        self.excess.count() + self.states.values().map(|(_, state)| state.excess()).sum::<u64>()
    }

    /// Returns the processes with events of the runtime that count, in the order of their ids.
    pub(super) fn iter(&self) -> impl Iterator<Item = (ProcessKey, Option<&str>, &State)> {
        let managed = self.states.iter().filter(|(_, (_, state))| state.is_managed);
        managed.map(|(key, (name, state))| (*key, name.as_deref(), state))
    }

    /// Returns the collections of these processes.
    pub(super) fn into_collections(self) -> impl Iterator<Item = (ProcessKey, Option<Box<str>>, Collections)> {
        let managed = self.states.into_iter().filter(|(_, (_, state))| state.is_managed);
        managed.map(|(key, (name, state))| (key, name, state.over))
    }
}
