//! What the header fields of an event depend on that the event itself does not hold.

use crate::bytes::Guid;
use crate::clock::Clock;
use crate::event::Kind;
use crate::schema::Schema;
use crate::system::System;

/// What is the same for all events of a type.
#[derive(Debug)]
pub(crate) struct TypeFacts<'a> {
    /// The provider's name.
    pub(crate) provider: Option<String>,
    /// The provider's GUID.
    pub(crate) guids: ProviderGuids,
    /// How the events name their schema.
    pub(crate) kind: Kind,
    /// Their schema; the first one, if there are several layouts.
    pub(crate) schema: Option<&'a Schema>,
}

/// GUIDs that stand for a provider. Either may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProviderGuids {
    /// The provider's.
    pub(crate) provider: Guid,
    /// That of the event's header, which may be another one: the class of a classic event.
    pub(crate) header: Guid,
}

/// What the values of a decoded event depend on apart from the event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventContext<'a> {
    /// The traced system.
    pub(crate) system: &'a System,
    /// The clock of the event's file.
    pub(crate) clock: Option<&'a Clock>,
}

impl TypeFacts<'_> {
    /// The GUID of the event class, for classic events whose provider has another one.
    pub(crate) fn task_guid(&self) -> Option<Guid> {
        let class = self.guids.header;
        let is_class = self.kind == Kind::Classic && class != self.guids.provider && !class.is_null();
        is_class.then_some(class)
    }
}

impl ProviderGuids {
    /// Those that are not null, the provider's first.
    pub(crate) fn all(self) -> impl Iterator<Item = Guid> {
        [self.provider, self.header].into_iter().filter(|guid| !guid.is_null())
    }
}
