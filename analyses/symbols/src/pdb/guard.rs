//! Whether the records of a PDB file are safe to be written as names.
//!
//! `pdb-addr2line` follows references without limits: types that refer to each other in a circle, or that share parts in
//! many levels, would take all memory or all of the stack, and a stack that overflows ends the process. So each type
//! and id that a module names is measured before the module is handed over.

use std::collections::HashMap;

use super::records::{Records, Refers, id_refers, type_refers};
use crate::limits::{MAX_TYPE_DEPTH, MAX_TYPE_TEXT};

/// The sizes of types and ids as text.
#[derive(Debug)]
pub(crate) struct Guard {
    types: Records,
    ids: Records,
    /// Upper bounds of what each type that was measured is as text, in bytes; `None`: too much, or being measured.
    type_sizes: HashMap<u32, Option<u32>>,
    id_sizes: HashMap<u32, Option<u32>>,
    /// Whether all records are good, if that was asked.
    all_good: Option<bool>,
}

impl Guard {
    pub(crate) fn new(types: Records, ids: Records) -> Self {
        Self { types, ids, type_sizes: HashMap::new(), id_sizes: HashMap::new(), all_good: None }
    }

    /// Returns whether a type may be written as text.
    pub(crate) fn is_good_type(&mut self, index: u32) -> bool {
        if is_elsewhere(index) { self.are_all_good() } else { self.type_size(index, 0).is_some() }
    }

    /// Returns whether an id, which names an inlined function, may be written as text.
    pub(crate) fn is_good_id(&mut self, index: u32) -> bool {
        if is_elsewhere(index) { self.are_all_good() } else { self.id_size(index, 0).is_some() }
    }

    /// A reference through the tables of another module may lead to any record.
    fn are_all_good(&mut self) -> bool {
        if let Some(good) = self.all_good {
            return good;
        }
        // The records of the streams refer to each other directly: one that refers to elsewhere is not good.
        self.all_good = Some(false);
        let (mut types, mut ids) = (self.types.indices(), self.ids.indices());
        let good =
            types.all(|index| self.type_size(index, 0).is_some()) && ids.all(|index| self.id_size(index, 0).is_some());
        self.all_good = Some(good);
        good
    }

    fn type_size(&mut self, index: u32, depth: usize) -> Option<u32> {
        if is_elsewhere(index) || depth > MAX_TYPE_DEPTH {
            return None;
        }
        if let Some(known) = self.type_sizes.get(&index) {
            return *known;
        }
        let Some(record) = self.types.get(index) else { return Some(SHORT) };
        let refers = type_refers(record);
        self.type_sizes.insert(index, None);
        let size = match refers {
            Refers::Text(size) => Some(size),
            Refers::Types(types) | Refers::Scope(_, types) => self.sum(&types, depth),
        };
        let size = size.filter(|size| *size <= MAX_TYPE_TEXT);
        self.type_sizes.insert(index, size);
        size
    }

    fn id_size(&mut self, index: u32, depth: usize) -> Option<u32> {
        if is_elsewhere(index) || depth > MAX_TYPE_DEPTH {
            return None;
        }
        if let Some(known) = self.id_sizes.get(&index) {
            return *known;
        }
        let Some(record) = self.ids.get(index) else { return Some(SHORT) };
        let refers = id_refers(record);
        let len = record.len() as u32;
        self.id_sizes.insert(index, None);
        let size = match refers {
            Refers::Text(size) => Some(size),
            Refers::Types(types) => self.sum(&types, depth),
            Refers::Scope(scope, types) => {
                let scope = if scope == 0 { Some(0) } else { self.id_size(scope, depth + 1) };
                self.sum(&types, depth).zip(scope).and_then(|(types, scope)| types.checked_add(scope)?.checked_add(len))
            }
        };
        let size = size.filter(|size| *size <= MAX_TYPE_TEXT);
        self.id_sizes.insert(index, size);
        size
    }

    fn sum(&mut self, types: &[u32], depth: usize) -> Option<u32> {
        types.iter().try_fold(SHORT, |sum, index| sum.checked_add(self.type_size(*index, depth + 1)?))
    }
}

/// Whether a reference leads through the tables of a module to another one.
fn is_elsewhere(index: u32) -> bool {
    index & 0x8000_0000 != 0
}

/// Bytes of what is written for a record itself, or for a built-in type.
const SHORT: u32 = 32;

#[cfg(test)]
mod tests {
    use super::super::records::tests::{record, stream};
    use super::*;

    const POINTER: u16 = 0x1002;
    const PROCEDURE: u16 = 0x1008;
    const ARGUMENTS: u16 = 0x1201;
    const FUNCTION: u16 = 0x1601;

    fn guard(types: &[Vec<u8>], ids: &[Vec<u8>]) -> Guard {
        Guard::new(Records::new(stream(types)).unwrap(), Records::new(stream(ids)).unwrap())
    }

    #[test]
    fn plain_types_are_good() {
        let types = [record(ARGUMENTS, &[2, 0x74, 0x1001]), record(POINTER, &[0x74, 0])];
        let mut guard = guard(&types, &[record(FUNCTION, &[0, 0x1000]), record(FUNCTION, &[0x1000, 0x1000])]);
        assert!(guard.is_good_type(0x1000) && guard.is_good_type(0x74) && guard.is_good_type(0x9999));
        assert!(guard.is_good_id(0x1001) && guard.is_good_id(0x8000_0001));
    }

    #[test]
    fn circles_are_not() {
        let types = [record(POINTER, &[0x1001, 0]), record(POINTER, &[0x1000, 0]), record(POINTER, &[0x1002, 0])];
        let mut guard = guard(&types, &[record(FUNCTION, &[0x1000, 0x74])]);
        assert!(!guard.is_good_type(0x1000) && !guard.is_good_type(0x1001) && !guard.is_good_type(0x1002));
        assert!(!guard.is_good_id(0x1000) && !guard.is_good_type(0x8000_0001));
    }

    #[test]
    fn types_that_grow_with_each_level_are_not() {
        // Each level has eight times the one below it.
        let level = |level: u32| {
            let list = [&[8][..], &[0x1000 + level * 2 - 1; 8]].concat();
            [record(ARGUMENTS, &list), record(PROCEDURE, &[0x74, 0, 0x1000 + level * 2])]
        };
        let bottom = [record(ARGUMENTS, &[0]), record(PROCEDURE, &[0x74, 0, 0x1000])];
        let types: Vec<Vec<u8>> = bottom.into_iter().chain((1..9).flat_map(level)).collect();
        let mut guard = guard(&types, &[]);
        assert!(guard.is_good_type(0x1005) && !guard.is_good_type(0x1011));
    }

    #[test]
    fn deep_types_are_not() {
        let types: Vec<Vec<u8>> = (0..1000).map(|number| record(PROCEDURE, &[0x1000 + number - 1, 0, 0])).collect();
        let mut guard = guard(&types, &[]);
        assert!(guard.is_good_type(0x1050) && !guard.is_good_type(0x13E7));
    }
}
