//! Sums by process and by what its events are about.

use std::collections::HashMap;
use std::hash::Hash;

use etwkit_analysis::Excess;

use crate::{NamedProcess, ProcessKey};

/// The subject of events of a process: a file, a key, a peer.
pub trait Subject: Clone + Eq + Hash + Ord {
    /// Returns what stands for all subjects beyond the cap of a table.
    fn others() -> Self;
}

/// A name; `None` where no event has it.
pub type Name = Option<Box<str>>;

/// The name of what is beyond the cap of a table, as the row that adds it up has it.
pub const OTHERS: &str = "(all others)";

impl Subject for Name {
    fn others() -> Self {
        Some(OTHERS.into())
    }
}

impl Subject for () {
    fn others() -> Self {}
}

/// Sums of type `V` by process and subject. What is beyond its cap is added up without process, by [`Subject::others`].
#[derive(Clone, Debug)]
pub struct ProcessTable<S, V> {
    names: HashMap<ProcessKey, Box<str>>,
    sums: HashMap<(ProcessKey, S), V>,
    most: usize,
    excess: Excess,
}

/// Rows that are kept.
const MOST: usize = 1 << 20;

/// A row of a [`ProcessTable`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessSum<S, V> {
    /// The process.
    pub key: ProcessKey,
    /// File name of its image.
    pub process: Option<String>,
    /// What its events are about.
    pub subject: S,
    /// The sum.
    pub sum: V,
}

impl<S: Subject, V: Default> Default for ProcessTable<S, V> {
    fn default() -> Self {
        Self { names: HashMap::new(), sums: HashMap::new(), most: MOST, excess: Excess::default() }
    }
}

impl<S: Subject, V: Default> ProcessTable<S, V> {
    /// Returns the sum of a process and a subject.
    pub fn sum(&mut self, process: NamedProcess, subject: S) -> &mut V {
        let NamedProcess { key, name } = process;
        let mut place = (key, subject);
        if !self.sums.contains_key(&place) && !self.excess.admits(self.sums.len(), self.most) {
            place = (ProcessKey { machine: 0, pid: None, start: None }, S::others());
        } else if let Some(name) = name
            && self.names.len() < self.most
        {
            self.names.entry(key).or_insert(name);
        }
        self.sums.entry(place).or_default()
    }

    /// Returns how often something was added that is beyond its cap.
    pub const fn excess(&self) -> u64 {
        self.excess.count()
    }

    /// Returns all sums, in no order.
    pub fn sums(&self) -> impl Iterator<Item = &V> {
        self.sums.values()
    }

    /// Returns all sums, in order of process and subject.
    pub fn into_sums(self) -> Vec<ProcessSum<S, V>> {
        let Self { names, sums, .. } = self;
        let mut list: Vec<((ProcessKey, S), V)> = sums.into_iter().collect();
        list.sort_by(|(a, _), (b, _)| a.cmp(b));
        let named = |((key, subject), sum)| {
            let process = names.get(&key).map(ToString::to_string);
            ProcessSum { key, process, subject, sum }
        };
        list.into_iter().map(named).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: u32, name: Option<&str>) -> NamedProcess {
        NamedProcess { key: ProcessKey { machine: 0, pid: Some(pid), start: None }, name: name.map(Box::from) }
    }

    #[test]
    fn sums_are_by_process_and_subject() {
        let mut table = ProcessTable::<Name, u64>::default();
        *table.sum(process(8, None), Some("a".into())) += 1;
        *table.sum(process(4, Some("System")), None) += 2;
        *table.sum(process(8, Some("b.exe")), Some("a".into())) += 4;
        let rows = table.into_sums();
        let rows: Vec<_> = rows.iter().map(|row| (row.process.as_deref(), row.subject.as_deref(), row.sum)).collect();
        assert_eq!(rows, [(Some("System"), None, 2), (Some("b.exe"), Some("a"), 5)]);
    }

    #[test]
    fn what_is_beyond_the_cap_is_one_row() {
        let mut table = ProcessTable::<Name, u64> { most: 2, ..ProcessTable::default() };
        for number in 0..9 {
            *table.sum(process(number, None), None) += 1;
        }
        assert_eq!(table.excess(), 7);
        let rows = table.into_sums();
        let rows: Vec<_> = rows.iter().map(|row| (row.key.pid, row.subject.as_deref(), row.sum)).collect();
        assert_eq!(rows, [(None, Some(OTHERS), 7), (Some(0), None, 1), (Some(1), None, 1)]);
    }
}
