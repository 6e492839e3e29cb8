//! Schemas of the crate's tables, for observers.

use hashbrown::HashMap;

use etwkit::bytes::Guid;
use etwkit::event::{EventKey, RawEvent};
use etwkit::schema::Schema;

use crate::native::as_runtime;

/// Schemas that were asked for, by all that chooses one: provider, id and version. With each is what was made of it.
#[derive(Debug)]
pub(crate) struct RecentSchemas<T>(HashMap<(Guid, u16, u8), Option<(Schema, T)>>);

impl<T> Default for RecentSchemas<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T> RecentSchemas<T> {
    /// Returns the schema of a manifest event, and what `make` made of it. That of .NET Native has those of the runtime.
    pub(crate) fn of(&mut self, event: &RawEvent<'_>, make: impl Fn(&Schema) -> T) -> Option<&(Schema, T)> {
        let key = event.key();
        let choose = || {
            let schema = crate::tables().choose(&as_runtime(key), None, 0)?;
            let made = make(&schema);
            Some((schema, made))
        };
        self.0.entry(short(&key)).or_insert_with(choose).as_ref()
    }

    #[cfg(test)]
    pub(crate) fn known(&self) -> impl Iterator<Item = bool> {
        self.0.values().map(Option::is_some)
    }
}

const fn short(key: &EventKey) -> (Guid, u16, u8) {
    (key.provider, key.id, key.version)
}
