//! What has no room.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

/// Counts what an analysis has no room for, because it keeps a limited number of things whatever the trace contains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Excess(u64);

impl Excess {
    /// Returns whether there is room for one more thing where `len` are, and counts the thing if not.
    pub const fn admits(&mut self, len: usize, most: usize) -> bool {
        let has_room = len < most;
        if !has_room {
            self.add(1);
        }
        has_room
    }

    /// Puts a thing into a map if its key is there already or `most` things are not there yet, and counts the thing if not.
    /// Returns what was there under its key.
    pub fn insert<K: Eq + Hash, T, H: BuildHasher>(
        &mut self,
        map: &mut HashMap<K, T, H>,
        (key, thing): (K, T),
        most: usize,
    ) -> Option<T> {
        if map.contains_key(&key) || self.admits(map.len(), most) { map.insert(key, thing) } else { None }
    }

    /// Counts things that have no room.
    pub const fn add(&mut self, things: u64) {
        self.0 = self.0.saturating_add(things);
    }

    /// Returns how many things had no room.
    pub const fn count(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_room_is_counted() {
        let mut excess = Excess::default();
        let admitted = (0..5).filter(|len| excess.admits(*len, 3)).count();
        assert_eq!((admitted, excess.count()), (3, 2));
        excess.add(u64::MAX);
        assert_eq!(excess.count(), u64::MAX);
    }

    #[test]
    fn things_whose_key_is_there_have_room() {
        let (mut excess, mut map) = (Excess::default(), HashMap::new());
        let before = [(1, 'a'), (2, 'b'), (3, 'c'), (1, 'd')].map(|entry| excess.insert(&mut map, entry, 2));
        assert_eq!((before, excess.count()), ([None, None, None, Some('a')], 1));
        assert_eq!(map, HashMap::from([(1, 'd'), (2, 'b')]));
    }
}
