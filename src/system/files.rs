//! Names by a key that is used again: files by key or object, kernel objects by address.

use hashbrown::HashMap;

use super::{StateBudget, Unknown};

/// Names over time.
#[derive(Clone, Debug, Default)]
pub struct FileNames {
    by_key: HashMap<u64, Vec<(i64, Box<str>)>>,
    /// Whether a rundown, or an end, told of any.
    rundown: bool,
}

impl FileNames {
    /// From `time` on the key has this name.
    pub fn name(&mut self, time: i64, key: u64, name: &str, room: &mut StateBudget) {
        if key == 0 || name.is_empty() {
            return;
        }
        let last = self.by_key.get(&key).and_then(|names| names.last());
        if last.is_some_and(|(_, last)| **last == *name) || !room.take(name.len()) {
            return;
        }
        self.by_key.entry(key).or_default().push((time, name.into()));
    }

    /// A rundown, or the key's end, told its name: if nothing was known until now it had it from the beginning.
    pub fn had(&mut self, key: u64, name: &str, room: &mut StateBudget) {
        self.rundown = true;
        if !self.by_key.contains_key(&key) {
            self.name(i64::MIN, key, name, room);
        }
    }

    /// The key's name at this time.
    pub fn at(&self, key: u64, time: i64) -> Option<&str> {
        let names = self.by_key.get(&key)?;
        let last = names.partition_point(|(since, _)| *since <= time).checked_sub(1)?;
        names.get(last).map(|(_, name)| &**name)
    }

    /// Why [`FileNames::at`] knows no name of that key at that time; `None` if it does.
    pub fn why_unknown(&self, key: u64, time: i64) -> Option<Unknown> {
        if self.at(key, time).is_some() {
            return None;
        }
        Some(match key {
            0 => Unknown::NotTold,
            _ if self.by_key.contains_key(&key) => Unknown::Later,
            _ => Unknown::never(self.by_key.is_empty(), self.rundown),
        })
    }

    /// How many keys have a name.
    pub fn len(&self) -> usize {
        self.by_key.len()
    }

    /// Whether none has.
    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits;

    #[test]
    fn names_change_and_come_late() {
        let (mut all, mut room) = (FileNames::default(), StateBudget::default());
        all.had(1, r"\late", &mut room);
        all.name(10, 2, r"\first", &mut room);
        all.name(20, 2, r"\second", &mut room);
        all.had(2, r"\third", &mut room);
        let names = [all.at(1, -9), all.at(2, 9), all.at(2, 10), all.at(2, 25), all.at(3, 0)];
        assert_eq!(names, [Some(r"\late"), None, Some(r"\first"), Some(r"\second"), None]);
    }

    #[test]
    fn a_key_whose_name_has_no_room_is_not_kept() {
        let (mut all, mut room) = (FileNames::default(), StateBudget::default());
        let long = "x".repeat(limits::MAX_STATE_TEXT + 1);
        all.name(0, 1, &long, &mut room);
        all.had(2, &long, &mut room);
        assert_eq!((all.len(), room.refused()), (0, 2));
        all.name(0, 3, "short", &mut room);
        assert_eq!(all.why_unknown(1, 9), Some(Unknown::NotInRundown));
    }
}
