//! `EVENT_INSTANCE_GUID_HEADER` and the older `EVENT_INSTANCE_HEADER` of `evntrace.h` (section 5.6).

use super::common::common_setters;
use super::{ClassicEvent, Event, ExtendedItem, HeaderKind, PointerSize};
use crate::guid::Guid;

/// Builds a classic event that belongs to an instance (a request) and its parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstanceEvent {
    common: super::common::Common,
    classic: ClassicEvent,
    instance: u32,
    parent: u32,
    parent_class: Guid,
    handles: Option<(u64, u64)>,
}

impl InstanceEvent {
    /// An event of class `class` about instance number `instance`.
    pub fn new(size: PointerSize, class: Guid, opcode: u8, instance: u32) -> Self {
        let classic = ClassicEvent::new(size, class, opcode);
        Self {
            common: super::common::Common::default(),
            classic,
            instance,
            parent: 0,
            parent_class: Guid::NIL,
            handles: None,
        }
    }

    common_setters!();

    /// Parent instance and its class.
    #[must_use]
    pub fn parent(mut self, instance: u32, class: Guid) -> Self {
        (self.parent, self.parent_class) = (instance, class);
        self
    }

    /// Writes the 56-byte header of Windows 2000/XP, which has registration handles in place of both GUIDs.
    #[must_use]
    pub fn old_layout(mut self, registration: u64, parent_registration: u64) -> Self {
        self.handles = Some((registration, parent_registration));
        self
    }

    fn kind(&self) -> HeaderKind {
        match self.classic.kind {
            HeaderKind::Full32 => HeaderKind::Instance32,
            _ => HeaderKind::Instance64,
        }
    }
}

impl From<InstanceEvent> for Event {
    fn from(mut from: InstanceEvent) -> Self {
        from.classic.common = from.common.clone();
        let kind = from.kind();
        let mut event = from.classic.event(kind);
        let header = if let Some((own, parent)) = from.handles {
            event.provider = None;
            let ids = from.classic.head(kind).u64(own).u32(from.instance).u32(from.parent);
            ids.u32(from.common.kernel_time).u32(from.common.user_time).u64(parent)
        } else {
            event.derived_items = vec![ExtendedItem::instance_info(from.instance, from.parent, from.parent_class)];
            from.classic.header(kind).u32(from.instance).u32(from.parent).guid(from.parent_class)
        };
        event.seal(header, &from.common.payload, 0)
    }
}
