//! The state of each process, with its name.

use std::collections::BTreeMap;

use etwkit_kernel_analyses::ProcessKey;

use crate::origin::Origin;

/// How many things of a process are listed at most: of hostile traces, no more are kept.
pub(crate) const MOST: usize = 1 << 22;

/// A state of a process that counts what it has no room for.
pub(crate) trait Bounded {
    /// Returns how many things had no room.
    fn excess(&self) -> u64;
}

/// The state of each process, with its name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Processes<S>(BTreeMap<ProcessKey, (Option<Box<str>>, S)>);

/// A process in rows.
#[derive(Clone, Debug)]
pub(crate) struct Owner {
    pub(crate) pid: Option<u32>,
    pub(crate) name: Option<String>,
}

impl<S: Bounded> Processes<S> {
    /// Returns how many things had no room in all of them.
    pub(crate) fn excess(&self) -> u64 {
        self.0.values().map(|(_, state)| state.excess()).sum()
    }
}

impl<S: Default> Processes<S> {
    /// Returns the state of the process that wrote an event.
    pub(crate) fn of(&mut self, origin: &mut Origin) -> &mut S {
        let (name, state) = self.0.entry(origin.process).or_default();
        *name = name.take().or_else(|| origin.name.take());
        state
    }

    /// Returns the processes in the order of their ids.
    pub(crate) fn into_iter(self) -> impl Iterator<Item = (Owner, S)> {
        let owner = |key: ProcessKey, name: Option<Box<str>>| Owner { pid: key.pid, name: name.map(String::from) };
        self.0.into_iter().map(move |(key, (name, state))| (owner(key, name), state))
    }
}
