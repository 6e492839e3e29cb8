//! Names by keys that are reused: files by key or object, kernel objects by address.

use std::sync::Arc;

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use smallvec::SmallVec;

use super::budget::entry_size;
use super::lifetime::Lifetime;
use super::names::Names;
use super::timeline::Rundown;
use super::{StateBudget, Unknown};
use crate::bytes::cut_text;
use crate::limits;

/// Names over time.
#[derive(Clone, Debug, Default)]
pub struct FileNames {
    by_key: HashMap<u64, NamesOfKey>,
    names: Names,
    /// Ticks at which keys ended that have no newer name.
    ended: HashMap<u64, i64>,
    /// Whether any came from a rundown or from an end.
    rundown: bool,
}

/// What is known of a key.
#[derive(Clone, Debug, Default)]
struct NamesOfKey {
    /// Its names, with the tick from which each holds. Nearly all keys have one.
    names: SmallVec<[(i64, Arc<str>); 1]>,
    /// When the last event stated its last name.
    stated: i64,
}

impl NamesOfKey {
    /// Returns whether its last name is this one, as far as names are kept.
    fn is_called(&self, name: &str) -> bool {
        self.names.last().is_some_and(|(_, last)| **last == *cut_text(name, limits::MAX_SHARED_NAME))
    }
}

impl FileNames {
    /// Adds a name that the key has from a tick on.
    pub(super) fn name(&mut self, time: i64, key: u64, name: &str, budget: &mut StateBudget) {
        self.put((time, time), key, name, budget);
    }

    /// Adds a name that the key has since a tick, as an event at another one states.
    fn put(&mut self, (since, stated): (i64, i64), key: u64, name: &str, budget: &mut StateBudget) {
        if key == 0 || name.is_empty() {
            return;
        }
        let name = budget.shortened(name);
        let mut entry = self.by_key.entry(key);
        if let Entry::Occupied(known) = &mut entry
            && known.get().is_called(name)
        {
            // Created again after its end.
            known.get_mut().stated = stated;
            self.ended.remove(&key);
            return;
        }
        if budget.take(ENTRY, name.len()) {
            let known = entry.or_default();
            known.names.push((since, self.names.shared(name)));
            known.stated = stated;
            self.ended.remove(&key);
        }
    }

    /// Adds the end of a key: a later rundown may state the next name that it has.
    pub(super) fn end(&mut self, time: i64, key: u64, budget: &mut StateBudget) {
        if self.by_key.contains_key(&key) && (self.ended.contains_key(&key) || budget.take(END, 0)) {
            self.ended.insert(key, time);
        }
    }

    /// Returns whether a name of the key is known that holds still and that an event since the start of a session states,
    /// and that some come from a rundown or from an end.
    pub(super) fn has(&self, session: i64, key: u64) -> bool {
        let is_stated = |known: &NamesOfKey| known.stated >= session;
        self.rundown && self.by_key.get(&key).is_some_and(is_stated) && !self.ended.contains_key(&key)
    }

    /// Adds a name from a rundown or from the key's end. It holds from the beginning, or from the end of the name before.
    /// The end of another one that holds is in no session, or was lost.
    pub(super) fn had(&mut self, at: Rundown, key: u64, name: &str, budget: &mut StateBudget) {
        self.rundown = true;
        let since = match (self.ended.remove(&key), self.by_key.get_mut(&key)) {
            (None, Some(known)) => {
                let next = at.replaces(known.stated);
                known.stated = known.stated.max(at.event.tick);
                let Some(next) = next.filter(|_| !name.is_empty() && !known.is_called(name)) else { return };
                next.tick
            }
            (ended, _) => Lifetime::start_after(ended).unwrap_or(i64::MIN),
        };
        self.put((since, at.event.tick), key, name, budget);
    }

    /// Ends the first pass: no more names come.
    pub(super) fn freeze(&mut self) {
        self.ended = HashMap::new();
        self.names.end();
    }

    /// Returns the key's name at a tick.
    pub(super) fn at(&self, key: u64, time: i64) -> Option<&str> {
        let names = &self.by_key.get(&key)?.names;
        let last = names.partition_point(|(since, _)| *since <= time).checked_sub(1)?;
        names.get(last).map(|(_, name)| &**name)
    }

    /// Returns why the key has no known name at a tick; `None` if it has one.
    pub(super) fn why_unknown(&self, key: u64, time: i64) -> Option<Unknown> {
        if self.at(key, time).is_some() {
            return None;
        }
        Some(match key {
            0 => Unknown::NoId,
            _ if self.by_key.contains_key(&key) => Unknown::Later,
            _ => Unknown::never(self.by_key.is_empty(), self.rundown),
        })
    }

    /// Returns the number of keys that have a name.
    pub fn len(&self) -> usize {
        self.by_key.len()
    }

    /// Returns whether no key has a name.
    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }
}

/// Bytes of a name: a list for each key, which has room for four when it has two, and what it takes beside its text.
const ENTRY: usize = entry_size::<(u64, NamesOfKey)>(0) + 2 * size_of::<(i64, Arc<str>)>() + 32;

/// Bytes of the end of a key.
const END: usize = entry_size::<(u64, i64)>(0);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::system::timeline::Moment;

    fn rundown(tick: i64, session: i64) -> Rundown {
        let at = |tick| Moment { tick, time: None };
        Rundown { event: at(tick), session: at(session) }
    }

    #[test]
    fn names_change_and_come_late() {
        let (mut all, mut budget) = (FileNames::default(), StateBudget::default());
        all.had(rundown(15, 0), 1, r"\late", &mut budget);
        all.name(10, 2, r"\first", &mut budget);
        all.name(20, 2, r"\second", &mut budget);
        all.had(rundown(15, 0), 2, r"\third", &mut budget);
        let names = [all.at(1, -9), all.at(2, 9), all.at(2, 10), all.at(2, 25), all.at(3, 0)];
        assert_eq!(names, [Some(r"\late"), None, Some(r"\first"), Some(r"\second"), None]);
    }

    /// The event that gave the key its second name was lost.
    #[test]
    fn a_rundown_names_a_key_that_had_ended() {
        let (mut all, mut budget) = (FileNames::default(), StateBudget::default());
        all.name(10, 1, r"\first", &mut budget);
        all.had(rundown(15, 0), 1, r"\first", &mut budget);
        all.end(30, 1, &mut budget);
        assert!(!all.has(0, 1));
        all.had(rundown(40, 0), 1, r"\second", &mut budget);
        assert!(all.has(0, 1));
        all.had(rundown(30, 0), 1, r"\third", &mut budget);
        let names = [10, 30, 31, 99].map(|tick| all.at(1, tick));
        assert_eq!(names, [Some(r"\first"), Some(r"\first"), Some(r"\second"), Some(r"\second")]);
    }

    /// Its end is in no session, or was lost.
    #[test]
    fn a_rundown_states_the_next_name_of_a_key() {
        for (session, begins) in [(0, 50), (30, 30)] {
            let (mut all, mut budget) = (FileNames::default(), StateBudget::default());
            all.name(10, 1, r"\first", &mut budget);
            all.had(rundown(20, 0), 1, r"\first", &mut budget);
            assert!(all.has(20, 1) && !all.has(30, 1));
            all.had(rundown(50, session), 1, r"\second", &mut budget);
            all.had(rundown(15, 0), 1, r"\earlier", &mut budget);
            assert!(all.has(50, 1));
            let names = [10, begins - 1, begins, 99].map(|tick| all.at(1, tick));
            assert_eq!(names, [Some(r"\first"), Some(r"\first"), Some(r"\second"), Some(r"\second")]);
        }
    }

    #[test]
    fn a_long_name_is_cut() {
        let (mut all, mut budget) = (FileNames::default(), StateBudget::default());
        all.name(0, 1, &"x".repeat(limits::MAX_SHARED_NAME + 1), &mut budget);
        assert_eq!((all.at(1, 0).map(str::len), budget.cut()), (Some(limits::MAX_SHARED_NAME), 1));
    }

    #[test]
    fn a_name_beyond_the_budget_is_not_kept() {
        let limits = Limits { system_text: ENTRY + "short".len(), ..Limits::default() };
        let (mut all, mut budget) = (FileNames::default(), StateBudget::new(limits));
        all.name(0, 1, "longer", &mut budget);
        all.had(rundown(15, 0), 2, "longer", &mut budget);
        assert_eq!((all.len(), budget.refused()), (0, 2));
        all.name(0, 3, "short", &mut budget);
        assert_eq!(all.why_unknown(1, 9), Some(Unknown::NotInRundown));
    }
}
