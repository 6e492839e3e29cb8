//! Texts that are kept once.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::StateBudget;

/// Texts by number.
#[derive(Clone, Debug, Default)]
pub(super) struct Interned {
    list: Vec<Box<str>>,
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Interned {
    /// Returns the number of a text; `None` if there is no room for a new one.
    pub(super) fn intern(&mut self, text: &str, budget: &mut StateBudget) -> Option<u32> {
        let Self { list, numbers, hasher } = self;
        let hash = hasher.hash_one(text);
        let get = |number: &u32| list.get(*number as usize).map_or("", |known| known);
        if let Some(number) = numbers.find(hash, |number| get(number) == text) {
            return Some(*number);
        }
        if !budget.take(text.len()) {
            return None;
        }
        let number = list.len() as u32;
        numbers.insert_unique(hash, number, |number| hasher.hash_one(get(number)));
        list.push(text.into());
        Some(number)
    }

    /// Returns a text.
    pub(super) fn get(&self, number: u32) -> Option<&str> {
        self.list.get(number as usize).map(|text| &**text)
    }

    /// Gives up what is needed for new texts.
    pub(super) fn freeze(&mut self) {
        self.numbers = HashTable::new();
        self.list.shrink_to_fit();
    }
}
