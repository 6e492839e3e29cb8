//! The events that parsers and analyses know.

use std::cell::RefCell;
use std::collections::BTreeSet;

use etwkit::bytes::Guid;
use etwkit::schema::SchemaSelector;

use etwkit_analysis::Interest;

use crate::every_analysis::interests;

/// What chooses the schema of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Id {
    /// Class and opcode.
    Classic(Guid, u8),
    /// Provider and event id.
    Manifest(Guid, u16),
}

thread_local! {
    /// The ids of events that a structured trace names by number; reading the tables takes milliseconds.
    static IDS: RefCell<Option<Ids>> = const { RefCell::new(None) };
}

/// Returns the id of this number, in a circle.
pub(super) fn id(number: u16) -> Option<Id> {
    IDS.with_borrow_mut(|list| list.get_or_insert_with(Ids::new).get(number))
}

/// Returns the number of an id.
pub(super) fn number_of(id: Id) -> Option<u16> {
    IDS.with_borrow_mut(|list| list.get_or_insert_with(Ids::new).number_of(id))
}

/// Ids in a fixed order.
#[derive(Debug)]
struct Ids(Vec<Id>);

impl Ids {
    /// Those of the tables of kernel and runtime, and those that analyses read.
    fn new() -> Self {
        let tables = etwkit_kernel::entries().chain(etwkit_clr::entries()).flatten();
        let known = tables.filter_map(|entry| match entry.select {
            SchemaSelector::Classic { class, opcode } => Some(Id::Classic(class, opcode)),
            SchemaSelector::Manifest { provider, id } => Some(Id::Manifest(provider, id)),
            _ => None,
        });
        let all: BTreeSet<Id> = known.chain(interests().flat_map(|interest| read(&interest))).collect();
        Self(all.into_iter().collect())
    }

    fn get(&self, number: u16) -> Option<Id> {
        self.0.iter().cycle().nth(usize::from(number) % self.0.len().max(1)).copied()
    }

    fn number_of(&self, id: Id) -> Option<u16> {
        self.0.binary_search(&id).ok().and_then(|at| u16::try_from(at).ok())
    }
}

/// The ids of the events that an analysis reads.
fn read(interest: &Interest) -> impl Iterator<Item = Id> + use<> {
    let manifest = interest.manifest.iter().flat_map(|(guid, ids)| ids.iter().map(|id| Id::Manifest(*guid, *id)));
    let opcodes = |(guid, opcodes): &'static (_, &'static [u8])| opcodes.iter().map(|op| Id::Classic(*guid, *op));
    manifest.chain(interest.classic.iter().flat_map(opcodes))
}
