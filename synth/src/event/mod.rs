//! One event, ready to be put into a buffer: every header kind of sections 5 and 6.

mod classic;
mod common;
mod error;
mod extended;
mod instance;
mod kind;
mod message;
mod modern;
mod record;
mod system;

pub use classic::ClassicEvent;
pub use error::ErrorEvent;
pub use extended::ExtendedItem;
pub use instance::InstanceEvent;
pub use kind::{HeaderKind, PointerSize};
pub use message::{MessageEvent, option};
pub use modern::ModernEvent;
pub use record::record;
pub use system::SystemEvent;

use crate::guid::Guid;

/// A finished event: its bytes as they go into a buffer, and what a reader must find in them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// Header kind.
    pub kind: HeaderKind,
    /// Raw time stamp in the session's clock; none in a message without option 0x08.
    pub time: Option<i64>,
    /// Process id, where the header has one.
    pub pid: Option<u32>,
    /// Thread id, where the header has one.
    pub tid: Option<u32>,
    /// Provider, event class or message GUID as written in the header.
    pub provider: Option<Guid>,
    /// Hook id (group * 256 + opcode) of system, compact and perfinfo events.
    pub hook: Option<u16>,
    /// Event id, or message number.
    pub id: Option<u16>,
    /// Event version (low byte for system kinds).
    pub version: u16,
    /// Opcode.
    pub opcode: u8,
    /// Level.
    pub level: u8,
    /// Extended items on disk, in order.
    pub items: Vec<ExtendedItem>,
    /// Items that Windows derives from other header parts: instance info, PEBS index, PMC counters.
    pub derived_items: Vec<ExtendedItem>,
    /// Header length including counters and extended items: where the payload starts.
    pub header_len: usize,
    /// Length of the payload; in a record the items follow it.
    pub payload_len: usize,
    /// Header and payload; the padding to a multiple of 8 is the buffer's matter.
    pub bytes: Vec<u8>,
}

impl Event {
    /// Returns the payload.
    pub fn payload(&self) -> &[u8] {
        &self.bytes[self.header_len..self.header_len + self.payload_len]
    }

    fn empty(kind: HeaderKind) -> Self {
        Self {
            kind,
            time: None,
            pid: None,
            tid: None,
            provider: None,
            hook: None,
            id: None,
            version: 0,
            opcode: 0,
            level: 0,
            items: Vec::new(),
            derived_items: Vec::new(),
            header_len: 0,
            payload_len: 0,
            bytes: Vec::new(),
        }
    }

    /// Puts header and payload together and writes the total length at `length_at`.
    fn seal(mut self, header: impl Into<Vec<u8>>, payload: &[u8], length_at: usize) -> Self {
        self.bytes = header.into();
        self.header_len = self.bytes.len();
        self.payload_len = payload.len();
        self.bytes.extend_from_slice(payload);
        let length = crate::narrow::u16_of(self.bytes.len());
        crate::narrow::patch(&mut self.bytes, length_at, &length.to_le_bytes());
        self
    }
}
