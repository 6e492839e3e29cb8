//! Looks up views from the names in a line.

use etwkit::bytes::Guid;

use crate::view::{EventView, Views};

/// Every event that has a view: whether it is classic, its class or provider, its opcode or id.
pub(super) fn all(views: &Views) -> impl Iterator<Item = (bool, Guid, u16, &EventView)> {
    views.events.iter().map(|((classic, guid, number), view)| (*classic, *guid, *number, view))
}

/// Whether the views of a provider are for traces without its schemas.
pub(super) fn yields(views: &Views, provider: Guid) -> bool {
    views.yielding.contains(&provider)
}

/// The class of a provider's task.
pub(super) fn class(views: &Views, provider: &str, task: &str) -> Option<Guid> {
    let found = views.tasks.iter().find(|(_, (known, name))| &**known == provider && &**name == task);
    found.map(|(class, _)| *class)
}
