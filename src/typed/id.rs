//! How a view recognises its events.

use crate::bytes::Guid;
use crate::event::{EventKey, Kind, RawEvent};
use crate::schema::Names;

/// What the header of an event must have for a view to be meant for it, whatever the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EventId {
    kind: Kind,
    guid: Guid,
    number: u16,
    by_name: bool,
}

impl EventId {
    /// A classic event, by the GUID of its class and its opcode. Kernel events have no GUID in their header; the hook id
    /// stands for one.
    pub const fn classic(class: Guid, opcode: u8) -> Self {
        Self { kind: Kind::Classic, guid: class, number: opcode as u16, by_name: false }
    }

    /// An event of a manifest or an `EventSource`, by its provider and event id.
    pub const fn manifest(provider: Guid, id: u16) -> Self {
        Self { kind: Kind::Manifest, guid: provider, number: id, by_name: false }
    }

    /// The same id where several events have it: the name in the schema decides which of them an event is.
    #[must_use]
    pub const fn by_name(mut self) -> Self {
        self.by_name = true;
        self
    }

    /// The class or provider.
    pub const fn guid(&self) -> Guid {
        self.guid
    }

    /// Opcode of a classic event, else the event id.
    pub const fn number(&self) -> u16 {
        self.number
    }

    /// How the event names its schema: [`Kind::Classic`] or [`Kind::Manifest`].
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Whether an event's header has this id.
    #[inline]
    pub fn is_of(&self, event: &RawEvent<'_>) -> bool {
        // The kind may need a walk through extended items: it is asked last.
        self.guid == event.provider()
            && self.number == if self.kind == Kind::Classic { u16::from(event.opcode()) } else { event.id() }
            && self.kind == event.kind()
    }

    /// Whether events with this key have this id.
    pub fn is_of_key(&self, key: &EventKey) -> bool {
        let number = if self.kind == Kind::Classic { u16::from(key.opcode) } else { key.id };
        (self.kind, self.guid, self.number) == (key.kind, key.provider, number)
    }

    /// Whether an event with this id and these names is the event `Task/Opcode`.
    #[inline]
    pub(super) fn allows(&self, name: &str, names: &Names) -> bool {
        !self.by_name || is_called(name, names)
    }
}

/// Whether names are `Task/Opcode`, or `Task` alone for an event whose opcode has no name.
fn is_called(name: &str, names: &Names) -> bool {
    let task = names.task.as_deref().or(names.event.as_deref()).unwrap_or_default();
    let rest = name.strip_prefix(task);
    match names.opcode.as_deref() {
        Some(opcode) => rest.and_then(|rest| rest.strip_prefix('/')) == Some(opcode),
        None => rest == Some(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_decide_where_ids_are_shared() {
        let named = |task: &str, opcode: Option<&str>| Names {
            task: Some(task.into()),
            opcode: opcode.map(Into::into),
            ..Names::default()
        };
        let id = EventId::classic(Guid::NULL, 48);
        let shared = id.by_name();
        let names = named("Thread", Some("SetPriority"));
        assert!(id.allows("Thread/ReserveCreate", &names) && shared.allows("Thread/SetPriority", &names));
        for other in ["Thread/ReserveCreate", "Thread/Set", "ThreadSetPriority", "Thread", "Thread/"] {
            assert!(!shared.allows(other, &names), "{other}");
        }
        assert!(shared.allows("Thread", &named("Thread", None)));
        assert!(!shared.allows("Thread/", &named("Thread", None)));
        assert_eq!((id.kind(), id.number(), id.guid()), (Kind::Classic, 48, Guid::NULL));
    }
}
