//! Schemas of the crate's tables, for observers.

use hashbrown::HashMap;

use etwkit::bytes::Guid;
use etwkit::event::{EventKey, RawEvent};
use etwkit::schema::Schema;

use crate::native::as_runtime;

/// Schemas that were asked for, by all that chooses one: provider, id and version.
#[derive(Debug, Default)]
pub(crate) struct RecentSchemas(HashMap<(Guid, u16, u8), Option<Schema>>);

impl RecentSchemas {
    /// Returns the schema of a manifest event. That of .NET Native has those of the runtime.
    pub(crate) fn of(&mut self, event: &RawEvent<'_>) -> Option<&Schema> {
        let key = event.key();
        let make = || crate::tables().choose(&as_runtime(key), None, 0);
        self.0.entry(short(&key)).or_insert_with(make).as_ref()
    }

    #[cfg(test)]
    pub(crate) fn known(&self) -> impl Iterator<Item = bool> {
        self.0.values().map(Option::is_some)
    }
}

const fn short(key: &EventKey) -> (Guid, u16, u8) {
    (key.provider, key.id, key.version)
}
