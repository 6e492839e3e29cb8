//! `EVENT_HEADER` of `evntcons.h`: manifest-based, `TraceLogging` and `EventSource` events (section 5.7).

use super::common::{Common, common_setters};
use super::{Event, ExtendedItem, HeaderKind, PointerSize, extended};
use crate::guid::Guid;
use crate::payload::Payload;

/// Builds an event of Vista's event model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModernEvent {
    common: Common,
    kind: HeaderKind,
    provider: Guid,
    flags: u16,
    descriptor: Descriptor,
    activity: Guid,
    items: Vec<ExtendedItem>,
}

/// `EVENT_DESCRIPTOR` (`evntprov.h`), 16 bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Descriptor {
    id: u16,
    version: u8,
    channel: u8,
    level: u8,
    opcode: u8,
    task: u16,
    keyword: u64,
}

macro_rules! descriptor_setters {
    ($($(#[$doc:meta])* $name:ident: $type:ty),*) => { $(
        $(#[$doc])*
        #[must_use]
        pub fn $name(mut self, $name: $type) -> Self {
            self.descriptor.$name = $name;
            self
        }
    )* };
}

impl ModernEvent {
    /// An event of a 64-bit writer.
    pub fn new(provider: Guid) -> Self {
        Self {
            common: Common::default(),
            kind: HeaderKind::Event64,
            provider,
            flags: 0,
            descriptor: Descriptor::default(),
            activity: Guid::NIL,
            items: Vec::new(),
        }
    }

    /// An event written by `EventWriteString`: flag 4, the payload is one NUL-terminated UTF-16 string.
    pub fn string_only(provider: Guid, text: &str) -> Self {
        let mut event = Self::new(provider).payload(Payload::new().utf16z(text));
        event.flags = STRING_ONLY;
        event
    }

    common_setters!();

    descriptor_setters! {
        /// Event id.
        id: u16,
        /// Event version.
        version: u8,
        /// Channel; 11 = `TraceLogging`.
        channel: u8,
        /// Level; 1 critical to 5 verbose.
        level: u8,
        /// Opcode.
        opcode: u8,
        /// Task.
        task: u16,
        /// Keyword mask.
        keyword: u64
    }

    /// Writer's pointer size.
    #[must_use]
    pub fn size(mut self, size: PointerSize) -> Self {
        self.kind = size.pick(HeaderKind::Event32, HeaderKind::Event64);
        self
    }

    /// Activity id.
    #[must_use]
    pub fn activity(mut self, activity: Guid) -> Self {
        self.activity = activity;
        self
    }

    /// Appends an extended item; sets flag 1.
    #[must_use]
    pub fn item(mut self, item: ExtendedItem) -> Self {
        self.items.push(item);
        self
    }

    fn header(&self) -> Payload {
        let Common { time, pid, tid, kernel_time, user_time, .. } = self.common;
        let d = self.descriptor;
        let flags = self.flags | if self.items.is_empty() { 0 } else { EXTENDED_INFO };
        let start = Payload::new().u16(0).u8(self.kind.type_byte()).u8(0xc0).u16(flags).u16(0);
        let origin = start.u32(tid).u32(pid).i64(time).guid(self.provider);
        let descriptor = origin.u16(d.id).u8(d.version).u8(d.channel).u8(d.level).u8(d.opcode).u16(d.task);
        let fixed = descriptor.u64(d.keyword).u32(kernel_time).u32(user_time).guid(self.activity);
        extended::write(&self.items, fixed)
    }
}

impl From<ModernEvent> for Event {
    fn from(from: ModernEvent) -> Self {
        let header = from.header();
        Self {
            time: Some(from.common.time),
            pid: Some(from.common.pid),
            tid: Some(from.common.tid),
            provider: Some(from.provider),
            id: Some(from.descriptor.id),
            version: u16::from(from.descriptor.version),
            opcode: from.descriptor.opcode,
            level: from.descriptor.level,
            items: from.items,
            ..Self::empty(from.kind)
        }
        .seal(header, &from.common.payload, 0)
    }
}

const EXTENDED_INFO: u16 = 0x0001;
const STRING_ONLY: u16 = 0x0004;
