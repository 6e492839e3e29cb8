//! Lists of frames, equal ones kept once.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::limits;

use super::StackCaps;

/// All lists of frames, by number.
#[derive(Clone, Debug, Default)]
pub(super) struct InternedStacks {
    /// Addresses of all lists, one after the other.
    addresses: Vec<u64>,
    /// Where each list ends.
    ends: Vec<u32>,
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl InternedStacks {
    /// Returns the number of lists.
    pub(super) const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the frames of a list, innermost first.
    pub(super) fn get(&self, number: u32) -> &[u64] {
        frames(&self.addresses, &self.ends, number)
    }

    /// Keeps a list of frames once and returns its number; `None` beyond the caps.
    pub(super) fn intern(&mut self, new: impl Iterator<Item = u64>, caps: StackCaps) -> Option<u32> {
        let start = self.addresses.len();
        self.addresses.extend(new.take(limits::MAX_FRAMES));
        let added = self.addresses.get(start..).unwrap_or_default();
        let hash = self.hasher.hash_one(added);
        if let Some(number) = self.numbers.find(hash, |number| self.get(*number) == added).copied() {
            self.addresses.truncate(start);
            return Some(number);
        }
        if self.addresses.len() > caps.frames || self.ends.len() >= caps.stacks {
            self.addresses.truncate(start);
            return None;
        }
        let number = self.ends.len() as u32;
        self.ends.push(self.addresses.len() as u32);
        let Self { numbers, addresses, ends, hasher } = self;
        numbers.insert_unique(hash, number, |number| hasher.hash_one(frames(addresses, ends, *number)));
        Some(number)
    }
}

fn frames<'s>(addresses: &'s [u64], ends: &[u32], number: u32) -> &'s [u64] {
    let end = |number: u32| ends.get(number as usize).map_or(0, |end| *end as usize);
    let start = number.checked_sub(1).map_or(0, end);
    addresses.get(start..end(number)).unwrap_or_default()
}
