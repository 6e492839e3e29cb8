//! The frames that samples have.

use std::collections::BTreeMap;

use crate::{NodeId, Profile};

/// The frames that samples have, with new numbers in the order in which they are first asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct UsedFrames {
    numbers: BTreeMap<u32, u32>,
    list: Vec<u32>,
}

impl UsedFrames {
    /// Returns the new number of a frame.
    pub(super) fn number(&mut self, frame: u32) -> u32 {
        let next = self.list.len() as u32;
        let number = *self.numbers.entry(frame).or_insert(next);
        if number == next {
            self.list.push(frame);
        }
        number
    }

    /// Returns the new numbers of a node's frames below its thread, the outermost one first.
    pub(super) fn below_thread(&mut self, profile: &Profile, node: NodeId) -> Vec<u32> {
        profile.code_path(node).into_iter().map(|frame| self.number(frame)).collect()
    }

    /// Returns the same of a node whose frames were asked for before.
    pub(super) fn known_below_thread(&self, profile: &Profile, node: NodeId) -> Vec<u32> {
        profile.code_path(node).into_iter().filter_map(|frame| self.numbers.get(&frame).copied()).collect()
    }

    /// Returns the old numbers, in the order of the new ones.
    pub(super) fn list(&self) -> &[u32] {
        &self.list
    }
}
