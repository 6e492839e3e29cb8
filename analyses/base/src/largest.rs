//! The largest of many things.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// The things with the largest keys, and no more than so many of them, while any number is added. Of equal ones, those
/// that were added first are kept: they are the first ones of all things, sorted by descending key without a change of
/// the order of equal ones.
#[derive(Clone, Debug)]
pub struct Largest<K, T> {
    most: usize,
    added: u64,
    /// The one that goes next is at the top.
    kept: BinaryHeap<Reverse<Kept<K, T>>>,
}

#[derive(Clone, Debug)]
struct Kept<K, T> {
    rank: (K, Reverse<u64>),
    thing: T,
}

impl<K: Ord, T> Largest<K, T> {
    /// Begins without things; `most` are kept.
    #[must_use]
    pub const fn new(most: usize) -> Self {
        Self { most, added: 0, kept: BinaryHeap::new() }
    }

    /// Adds a thing.
    pub fn add(&mut self, key: K, thing: T) {
        let rank = (key, Reverse(self.added));
        self.added += 1;
        let is_large = self.kept.len() < self.most || self.kept.peek().is_some_and(|Reverse(least)| least.rank < rank);
        if !is_large || self.most == 0 {
            return;
        }
        if self.kept.len() >= self.most {
            self.kept.pop();
        }
        self.kept.push(Reverse(Kept { rank, thing }));
    }

    /// Returns how many things were added.
    pub const fn added(&self) -> u64 {
        self.added
    }

    /// Returns the things that were kept, the largest first.
    pub fn into_sorted(self) -> Vec<T> {
        self.kept.into_sorted_vec().into_iter().map(|Reverse(kept)| kept.thing).collect()
    }
}

impl<K: Ord, T> Ord for Kept<K, T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank.cmp(&other.rank)
    }
}

impl<K: Ord, T> PartialOrd for Kept<K, T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Ord, T> PartialEq for Kept<K, T> {
    fn eq(&self, other: &Self) -> bool {
        self.rank == other.rank
    }
}

impl<K: Ord, T> Eq for Kept<K, T> {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn they_are_the_first_of_all_things_in_order(keys in prop::collection::vec(0..20_u8, 0..60), most in 0..30_usize) {
            let mut largest = Largest::new(most);
            for (place, key) in keys.iter().enumerate() {
                largest.add(*key, place);
                prop_assert!(largest.kept.len() <= most);
            }
            prop_assert_eq!(largest.added(), keys.len() as u64);
            let mut sorted: Vec<usize> = (0..keys.len()).collect();
            sorted.sort_by_key(|place| Reverse(keys[*place]));
            sorted.truncate(most);
            prop_assert_eq!(largest.into_sorted(), sorted);
        }
    }
}
