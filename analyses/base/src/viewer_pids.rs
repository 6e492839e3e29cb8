//! Numbers of processes for viewers.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// Numbers of processes for viewers that tell processes apart by their id alone: Windows gives the id of a process that
/// has ended to another one, and each machine has ids of its own.
#[derive(Clone, Debug)]
pub struct ViewerPids<P>(HashMap<P, u32>);

impl<P: Clone + Eq + Hash> ViewerPids<P> {
    /// Numbers processes, which come in order of time with their ids, if these are known, and may repeat. The first one of
    /// an id has it as its number; the others have numbers from 1 that are the id of none. Windows' ids are multiples of 4.
    pub fn new(processes: impl Iterator<Item = (P, Option<u32>)> + Clone) -> Self {
        let mut taken: HashSet<u32> = processes.clone().filter_map(|(_, pid)| pid).collect();
        let (mut numbers, mut holders) = (HashMap::new(), HashSet::new());
        let mut free = 1..u32::MAX;
        for (process, pid) in processes {
            numbers.entry(process).or_insert_with(|| {
                let own = pid.filter(|pid| holders.insert(*pid));
                own.or_else(|| free.find(|number| taken.insert(*number))).unwrap_or(0)
            });
        }
        Self(numbers)
    }

    /// Returns the number of a process; 0 if it is none of those that were numbered.
    pub fn number(&self, process: &P) -> u32 {
        self.0.get(process).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_processes_of_an_id_have_numbers_that_are_ids_of_none() {
        let processes = [("a", 100), ("b", 1), ("c", 100), ("a", 100), ("d", 100), ("e", 104), ("idle", 0)];
        let unknown = ("?", None);
        let known = processes.into_iter().map(|(name, pid)| (name, Some(pid)));
        let numbers = ViewerPids::new([unknown].into_iter().chain(known));
        let found = ["?", "a", "b", "c", "d", "e", "idle"].map(|name| numbers.number(&name));
        assert_eq!(found, [2, 100, 1, 3, 4, 104, 0]);
    }
}
