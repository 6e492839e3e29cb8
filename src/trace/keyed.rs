//! A table with an entry for each key that occurs.

use crate::event::EventTypeId;

/// The place of a key that has none.
const NONE: u32 = u32::MAX;

/// Entries by key, made when they are first asked for. Finding one is a look at a list: a tree or a hash is too slow for each
/// event.
#[derive(Debug)]
pub(super) struct Keyed<T> {
    /// The place of each key in `found`.
    places: Box<[u32]>,
    found: Vec<(EventTypeId, T)>,
}

impl<T: Default> Keyed<T> {
    /// A table for so many keys.
    pub(super) fn new(keys: usize) -> Self {
        Self { places: vec![NONE; keys].into_boxed_slice(), found: Vec::new() }
    }

    /// Returns the entry of a key; `None` if there is no such key.
    #[inline]
    pub(super) fn get(&mut self, key: EventTypeId) -> Option<&mut T> {
        let place = self.places.get_mut(key.0 as usize)?;
        if *place == NONE {
            *place = self.found.len() as u32;
            self.found.push((key, T::default()));
        }
        self.found.get_mut(*place as usize).map(|(_, entry)| entry)
    }

    /// Returns what was found, in the order in which it was asked for, and begins anew.
    pub(super) fn take(&mut self) -> Vec<(EventTypeId, T)> {
        let found = std::mem::take(&mut self.found);
        for (key, _) in &found {
            if let Some(place) = self.places.get_mut(key.0 as usize) {
                *place = NONE;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_handed_over_once() {
        let mut table: Keyed<u32> = Keyed::new(3);
        for key in [2, 0, 2] {
            *table.get(EventTypeId(key)).unwrap() += 1;
        }
        assert_eq!(table.get(EventTypeId(3)), None);
        assert_eq!(table.take(), [(EventTypeId(2), 2), (EventTypeId(0), 1)]);
        assert_eq!(table.get(EventTypeId(2)), Some(&mut 0));
        assert_eq!(table.take(), [(EventTypeId(2), 0)]);
    }
}
