//! How a view recognises its events.

use crate::bytes::Guid;
use crate::event::{EventKey, Kind, RawEvent};

/// The contents of an event's header for which a view is meant, whatever the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EventId {
    kind: Kind,
    guid: Guid,
    number: u16,
    by_name: bool,
}

impl EventId {
    /// Makes the id of a classic event, by the GUID of its class and its opcode. Kernel events have no GUID in their
    /// header; the hook id replaces it.
    pub const fn classic(class: Guid, opcode: u8) -> Self {
        Self { kind: Kind::Classic, guid: class, number: opcode as u16, by_name: false }
    }

    /// Makes the id of an event of a manifest or an `EventSource`, by its provider and event id.
    pub const fn manifest(provider: Guid, id: u16) -> Self {
        Self { kind: Kind::Manifest, guid: provider, number: id, by_name: false }
    }

    /// Returns the same id where several events have it: the name in the schema decides which of them an event is.
    #[must_use]
    pub const fn by_name(mut self) -> Self {
        self.by_name = true;
        self
    }

    /// Returns the class or provider.
    pub const fn guid(&self) -> Guid {
        self.guid
    }

    /// Returns the opcode of a classic event, else the event id.
    pub const fn number(&self) -> u16 {
        self.number
    }

    /// Returns how the event names its schema: [`Kind::Classic`] or [`Kind::Manifest`].
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns whether an event's header has this id.
    #[inline]
    pub fn is_of(&self, event: &RawEvent<'_>) -> bool {
        // The kind may need a walk through extended items, so it comes last.
        self.guid == event.provider_guid()
            && self.number == if self.kind == Kind::Classic { u16::from(event.opcode()) } else { event.id() }
            && self.kind == event.kind()
    }

    /// Returns whether events with this key have this id.
    pub fn is_of_key(&self, key: &EventKey) -> bool {
        let number = if self.kind == Kind::Classic { u16::from(key.opcode) } else { key.id };
        (self.kind, self.guid, self.number) == (key.kind, key.provider, number)
    }

    /// Returns whether the name in the schema decides as well.
    #[inline]
    pub(super) const fn is_by_name(&self) -> bool {
        self.by_name
    }
}
