//! `MESSAGE_TRACE_HEADER` of `evntrace.h`: WPP messages (section 6).

use super::{Event, HeaderKind};
use crate::guid::Guid;
use crate::payload::Payload;

/// Option flags of a message (`TRACE_MESSAGE_*`, `evntrace.h`).
pub mod option {
    /// A u32 sequence number.
    pub const SEQUENCE: u16 = 0x01;
    /// The message GUID, unless a component id is there too.
    pub const GUID: u16 = 0x02;
    /// A u32 component id.
    pub const COMPONENT_ID: u16 = 0x04;
    /// An i64 time stamp.
    pub const TIMESTAMP: u16 = 0x08;
    /// Obsolete; takes no space.
    pub const PERFORMANCE_TIMESTAMP: u16 = 0x10;
    /// u32 thread id, u32 process id.
    pub const SYSTEM_INFO: u16 = 0x20;
    /// 32-bit caller; takes no space.
    pub const POINTER32: u16 = 0x40;
    /// 64-bit caller; takes no space.
    pub const POINTER64: u16 = 0x80;
    /// What WPP drivers and services use in all traces seen.
    pub const USUAL: u16 = GUID | TIMESTAMP | SYSTEM_INFO | POINTER64;
}

/// Builds a WPP message. Every field can be set; the option flags decide which of them are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageEvent {
    common: super::common::Common,
    guid: Guid,
    number: u16,
    options: u16,
    sequence: u32,
    component: u32,
}

impl MessageEvent {
    /// Message `number` of the TMF group `guid`, with [`option::USUAL`] fields.
    pub fn new(guid: Guid, number: u16) -> Self {
        let common = super::common::Common::default();
        Self { common, guid, number, options: option::USUAL, sequence: 0, component: 0 }
    }

    super::common::common_setters!();

    /// Option flags, see [`option`].
    #[must_use]
    pub fn options(mut self, options: u16) -> Self {
        self.options = options;
        self
    }

    /// Sequence number, written with option 0x01.
    #[must_use]
    pub fn sequence(mut self, sequence: u32) -> Self {
        self.sequence = sequence;
        self
    }

    /// Component id, written with option 0x04 in place of the GUID.
    #[must_use]
    pub fn component(mut self, component: u32) -> Self {
        self.component = component;
        self
    }

    fn has(&self, flag: u16) -> bool {
        self.options & flag != 0
    }

    fn has_guid(&self) -> bool {
        self.has(option::GUID) && !self.has(option::COMPONENT_ID)
    }

    fn header(&self) -> Payload {
        let mut header = Payload::new().u16(0).u8(0).u8(0x90).u16(self.number).u16(self.options);
        if self.has(option::SEQUENCE) {
            header = header.u32(self.sequence);
        }
        if self.has(option::COMPONENT_ID) {
            header = header.u32(self.component);
        }
        if self.has_guid() {
            header = header.guid(self.guid);
        }
        if self.has(option::TIMESTAMP) {
            header = header.i64(self.common.time);
        }
        if self.has(option::SYSTEM_INFO) {
            header = header.u32(self.common.tid).u32(self.common.pid);
        }
        header
    }
}

impl From<MessageEvent> for Event {
    fn from(from: MessageEvent) -> Self {
        let ids = from.has(option::SYSTEM_INFO);
        Self {
            time: from.has(option::TIMESTAMP).then_some(from.common.time),
            pid: ids.then_some(from.common.pid),
            tid: ids.then_some(from.common.tid),
            provider: from.has_guid().then_some(from.guid),
            id: Some(from.number),
            ..Self::empty(HeaderKind::Message)
        }
        .seal(from.header(), &from.common.payload, 0)
    }
}
