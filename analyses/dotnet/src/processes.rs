//! The state of each process, with its name.

use std::collections::BTreeMap;

use etwkit_analysis::Excess;
use etwkit_kernel_analyses::ProcessKey;

use crate::origin::Origin;

/// How many things of a process are listed at most: of hostile traces, no more are kept.
pub(crate) const MOST: usize = 1 << 22;

/// Processes that are kept.
pub(crate) const MOST_PROCESSES: usize = 1 << 16;

/// A state of a process that counts what it has no room for.
pub(crate) trait Bounded {
    /// Returns how many things had no room.
    fn excess(&self) -> u64;
}

/// The state of each process, with its name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Processes<S> {
    list: BTreeMap<ProcessKey, (Option<Box<str>>, S)>,
    /// Of all processes that have no room.
    spare: S,
    /// Events of these.
    excess: Excess,
}

/// A process in rows.
#[derive(Clone, Debug)]
pub(crate) struct Owner {
    pub(crate) pid: Option<u32>,
    pub(crate) name: Option<String>,
}

impl<S: Bounded> Processes<S> {
    /// Returns how many things had no room in all of them.
    pub(crate) fn excess(&self) -> u64 {
        self.excess.count() + self.list.values().map(|(_, state)| state.excess()).sum::<u64>()
    }
}

impl<S: Default> Processes<S> {
    /// Returns the state of the process that wrote an event.
    pub(crate) fn of(&mut self, origin: &mut Origin) -> &mut S {
        let has_room = self.list.contains_key(&origin.process) || self.excess.admits(self.list.len(), MOST_PROCESSES);
        if !has_room {
            return &mut self.spare;
        }
        let (name, state) = self.list.entry(origin.process).or_default();
        *name = name.take().or_else(|| origin.name.take());
        state
    }

    /// Returns the processes in the order of their ids.
    pub(crate) fn into_iter(self) -> impl Iterator<Item = (Owner, S)> {
        let owner = |key: ProcessKey, name: Option<Box<str>>| Owner { pid: key.pid, name: name.map(String::from) };
        self.list.into_iter().map(move |(key, (name, state))| (owner(key, name), state))
    }
}
