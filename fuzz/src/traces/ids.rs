//! The events that parsers and analyses know.

use std::collections::BTreeSet;

use etwkit::bytes::Guid;
use etwkit::schema::SchemaSelector;

use crate::analyses::interests;

/// What chooses the schema of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Id {
    /// Class and opcode.
    Classic(Guid, u8),
    /// Provider and event id.
    Manifest(Guid, u16),
}

/// Ids in a fixed order.
#[derive(Debug)]
pub(super) struct Ids(Vec<Id>);

impl Ids {
    /// Those of the tables of kernel and runtime, and those that analyses read.
    pub(super) fn new() -> Self {
        let tables = etwkit_kernel::entries().chain(etwkit_clr::entries()).flatten();
        let known = tables.filter_map(|entry| match entry.select {
            SchemaSelector::Classic { class, opcode } => Some(Id::Classic(class, opcode)),
            SchemaSelector::Manifest { provider, id } => Some(Id::Manifest(provider, id)),
            _ => None,
        });
        let all: BTreeSet<Id> = known.chain(interests()).collect();
        Self(all.into_iter().collect())
    }

    pub(super) fn get(&self, number: u16) -> Option<Id> {
        self.0.iter().cycle().nth(usize::from(number) % self.0.len().max(1)).copied()
    }

    pub(super) fn number_of(&self, id: Id) -> Option<u16> {
        self.0.binary_search(&id).ok().and_then(|at| u16::try_from(at).ok())
    }
}
