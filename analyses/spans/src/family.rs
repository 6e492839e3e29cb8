//! Spans of one kind: a provider and a task, or a pair that was asked for.

use etwkit::bytes::Guid;
use hashbrown::HashMap;

/// Spans of one kind, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FamilyId(pub(crate) u32);

/// The names of spans of one kind.
#[derive(Clone, Debug)]
pub(crate) struct Family {
    pub(crate) provider: Box<str>,
    pub(crate) task: Box<str>,
    /// Whether the trace has events that end such spans. Others, such as `Runtime/Start`, are never within each other.
    pub(crate) can_end: bool,
}

/// All families of a trace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Families {
    list: Vec<Family>,
    known: HashMap<(Guid, Box<str>), FamilyId>,
}

impl Families {
    /// Returns the family of a provider's task. There are not more than types of events.
    pub(crate) fn add(&mut self, guid: Guid, provider: &str, task: &str) -> FamilyId {
        let next = FamilyId(u32::try_from(self.list.len()).unwrap_or(u32::MAX));
        let id = *self.known.entry((guid, task.into())).or_insert(next);
        if id == next {
            self.list.push(Family { provider: provider.into(), task: task.into(), can_end: false });
        }
        id
    }

    /// There is an event that ends spans of a family.
    pub(crate) fn can_end(&mut self, id: FamilyId) {
        if let Some(family) = self.list.get_mut(id.0 as usize) {
            family.can_end = true;
        }
    }

    pub(crate) fn get(&self, id: FamilyId) -> Option<&Family> {
        self.list.get(id.0 as usize)
    }

    /// Returns the names of a family's provider and task.
    pub(crate) fn names(&self, id: FamilyId) -> (&str, &str) {
        self.get(id).map_or(("", ""), |family| (&family.provider, &family.task))
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }
}
