//! `EVENT_TRACE_HEADER`, the classic (MOF) event of `evntrace.h` (section 5.5).

use super::common::{Common, common_setters};
use super::{Event, HeaderKind, PointerSize};
use crate::guid::Guid;
use crate::payload::Payload;

/// Builds a classic event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassicEvent {
    pub(super) common: Common,
    pub(super) kind: HeaderKind,
    pub(super) class: Guid,
    pub(super) opcode: u8,
    pub(super) level: u8,
    pub(super) version: u16,
}

impl ClassicEvent {
    /// An event of class `class` (the task GUID, not the provider's control GUID).
    pub fn new(size: PointerSize, class: Guid, opcode: u8) -> Self {
        let kind = size.pick(HeaderKind::Full32, HeaderKind::Full64);
        Self { common: Common::default(), kind, class, opcode, level: 0, version: 0 }
    }

    common_setters!();

    /// Class.Level.
    #[must_use]
    pub fn level(mut self, level: u8) -> Self {
        self.level = level;
        self
    }

    /// Class.Version.
    #[must_use]
    pub fn version(mut self, version: u16) -> Self {
        self.version = version;
        self
    }

    /// Returns the first 24 bytes, which instance headers share.
    pub(super) fn head(&self, kind: HeaderKind) -> Payload {
        Payload::new()
            .u16(0)
            .u8(kind.type_byte())
            .u8(0xc0)
            .u8(self.opcode)
            .u8(self.level)
            .u16(self.version)
            .u32(self.common.tid)
            .u32(self.common.pid)
            .i64(self.common.time)
    }

    pub(super) fn header(&self, kind: HeaderKind) -> Payload {
        self.head(kind).guid(self.class).u32(self.common.kernel_time).u32(self.common.user_time)
    }

    pub(super) fn event(&self, kind: HeaderKind) -> Event {
        Event {
            time: Some(self.common.time),
            pid: Some(self.common.pid),
            tid: Some(self.common.tid),
            provider: Some(self.class),
            version: self.version,
            opcode: self.opcode,
            level: self.level,
            ..Event::empty(kind)
        }
    }
}

impl From<ClassicEvent> for Event {
    fn from(from: ClassicEvent) -> Self {
        from.event(from.kind).seal(from.header(from.kind), &from.common.payload, 0)
    }
}
