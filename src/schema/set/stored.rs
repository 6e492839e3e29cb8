//! A schema with the events it is for.

use std::sync::Arc;

use crate::bytes::Guid;
use crate::event::Kind;
use crate::schema::{Schema, SchemaEntry, SchemaSelector};

/// The key that entries are sorted by: kind, GUID, number, name.
pub(super) type Sorting<'a> = (Kind, Guid, u16, &'a str);

/// Returns the key of a selector.
pub(super) fn place(select: &SchemaSelector) -> Sorting<'_> {
    (select.kind(), select.guid(), select.number(), select.name())
}

/// An [`SchemaEntry`] whose schema can be shared.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub(super) select: SchemaSelector,
    pub(super) versions: (u8, u8),
    pub(super) builds: (u32, u32),
    schema: Arc<Schema>,
}

impl Stored {
    pub(super) fn place(&self) -> Sorting<'_> {
        place(&self.select)
    }

    pub(super) fn entry(&self) -> SchemaEntry {
        let ((first, last), (oldest, newest)) = (self.versions, self.builds);
        let schema = Schema::clone(&self.schema);
        SchemaEntry { select: self.select.clone(), versions: first..=last, builds: oldest..=newest, schema }
    }

    pub(super) fn holds_version(&self, version: u8) -> bool {
        (self.versions.0..=self.versions.1).contains(&version)
    }

    pub(super) fn holds_build(&self, build: u32) -> bool {
        (self.builds.0..=self.builds.1).contains(&build)
    }

    pub(super) fn schema(&self, guessed_version: bool, guessed_build: bool) -> Arc<Schema> {
        let mut schema = Arc::clone(&self.schema);
        if guessed_version || guessed_build {
            let origin = &mut Arc::make_mut(&mut schema).origin;
            origin.guessed_version |= guessed_version;
            origin.guessed_build |= guessed_build;
        }
        schema
    }
}

impl From<SchemaEntry> for Stored {
    fn from(entry: SchemaEntry) -> Self {
        let SchemaEntry { select, versions, builds, schema } = entry;
        let (versions, builds) = (versions.into_inner(), builds.into_inner());
        Self { select, versions, builds, schema: Arc::new(schema) }
    }
}
