//! Operations that have begun, until their end.

use etwkit_analysis::Excess;
use hashbrown::HashMap;

use super::ProfileFact;
use crate::weights::Counted;

/// Operations that may be open at once.
const MOST: usize = 1 << 20;

/// Operations that have begun, by machine and key. Those that are not chosen are among them: their ends are not ends
/// without a beginning.
#[derive(Clone, Debug, Default)]
pub(super) struct Operations {
    open: HashMap<(u16, u64), Open>,
    /// Operations whose keys were used again before they ended.
    without_end: u64,
    excess: Excess,
}

/// An operation that has begun.
#[derive(Clone, Debug)]
struct Open {
    fact: ProfileFact,
    /// Whether its beginning passes the filter and is of a chosen thread.
    is_chosen: bool,
}

impl Operations {
    /// Begins an operation. One of the same key that is open has lost its end.
    pub(super) fn begin(&mut self, machine: u16, key: u64, fact: ProfileFact, is_chosen: bool) {
        let has_room = self.open.contains_key(&(machine, key)) || self.excess.admits(self.open.len(), MOST);
        let before = has_room.then(|| self.open.insert((machine, key), Open { fact, is_chosen })).flatten();
        self.without_end += u64::from(before.is_some_and(|before| before.misses_its_end()));
    }

    /// Loses the end of an operation that is open: it does not pass the filter.
    pub(super) fn lose(&mut self, machine: u16, key: u64) {
        let before = self.open.remove(&(machine, key));
        self.without_end += u64::from(before.is_some_and(|before| before.misses_its_end()));
    }

    /// Ends an operation and returns the event that began it, with the weight of both; `None` if none of its key is open.
    pub(super) fn end(&mut self, machine: u16, key: u64, end: &mut ProfileFact) -> Option<ProfileFact> {
        let mut begun = self.open.remove(&(machine, key))?.fact;
        let ended = &mut end.reading;
        let between = || begun.time.zip(end.time).map(|(from, to)| to.0.saturating_sub(from.0).max(0).cast_unsigned());
        let time = ended.amount.time.or_else(between);
        begun.reading.amount.time = time;
        if begun.counted() == Counted::TimeAndBytes {
            begun.reading.amount.size = begun.reading.amount.size.saturating_add(ended.amount.size);
        }
        begun.reading.label = begun.reading.label.take().or(ended.label.take());
        // Some ends state the thread, and their beginnings do not.
        if begun.pid.is_none() {
            (begun.pid, begun.tid) = (end.pid, end.tid);
        }
        Some(begun)
    }

    /// Returns how many operations had no room.
    pub(super) const fn excess(&self) -> u64 {
        self.excess.count()
    }

    /// Returns how many operations have not ended.
    pub(super) fn without_end(&self) -> u64 {
        self.without_end + self.open.values().filter(|open| open.misses_its_end()).count() as u64
    }
}

impl Open {
    /// Returns whether its end is missed: not where nothing of it is counted, such as a watch of a folder.
    fn misses_its_end(&self) -> bool {
        self.is_chosen && self.fact.counted() != Counted::Nothing
    }
}
