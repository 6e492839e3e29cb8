//! ERROR events (header type 13): space that was reserved but not filled (section 5.11).

use super::common::{Common, common_setters};
use super::{Event, HeaderKind};
use crate::payload::Payload;

/// Builds an ERROR event: a header of 0x50 bytes, then whatever lay in the reserved space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorEvent {
    common: Common,
}

impl ErrorEvent {
    /// An ERROR event. Ids and time are written where `EVENT_HEADER` has them, but only the length is known of this
    /// header, so a reader is not expected to find them.
    pub fn new() -> Self {
        Self { common: Common::default() }
    }

    common_setters!();
}

impl Default for ErrorEvent {
    fn default() -> Self {
        Self::new()
    }
}

impl From<ErrorEvent> for Event {
    fn from(from: ErrorEvent) -> Self {
        let Common { time, pid, tid, kernel_time, user_time, payload } = from.common;
        let start = Payload::new().u16(0).u8(HeaderKind::Error.type_byte()).u8(0xc0).u32(0);
        let header = start.u32(tid).u32(pid).i64(time).zeros(32).u32(kernel_time).u32(user_time).zeros(16);
        Self::empty(HeaderKind::Error).seal(header, &payload, 0)
    }
}
