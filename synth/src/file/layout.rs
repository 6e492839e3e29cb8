//! The 72 bytes before each buffer: `WMI_BUFFER_HEADER` (`ntwmi.h`; section 2).

use super::buffer::{Buffer, buffer_flag};
use crate::payload::Payload;

/// Which Windows wrote the buffer headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BufferLayout {
    /// Windows 8 and later: u16 processor index under flag 0x20.
    Modern,
    /// Vista and Windows 7: one-byte processor, the next byte is 8.
    OneByteProcessor,
    /// Windows 2000 to 2003 (log version 5.x): no `BufferSize`, a GUID in place of the sequence number.
    PreVista,
}

/// The lengths and times a buffer header states.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stated {
    pub(super) size: u32,
    pub(super) used: u32,
    pub(super) saved: u32,
    pub(super) current: u32,
    pub(super) reference_count: i32,
    pub(super) flags: u16,
    pub(super) kind: u16,
    pub(super) sequence: i64,
    pub(super) flushed_at: i64,
    pub(super) clock_word: u64,
}

impl BufferLayout {
    pub(super) fn write(self, buffer: &Buffer, stated: &Stated) -> Vec<u8> {
        let header = match self {
            Self::Modern | Self::OneByteProcessor => self.vista(buffer, stated),
            Self::PreVista => Self::pre_vista(buffer, stated),
        };
        header.into_bytes()
    }

    /// Flags that follow from the layout.
    pub(super) const fn flags(self) -> u16 {
        match self {
            Self::Modern => buffer_flag::PROC_INDEX,
            Self::OneByteProcessor | Self::PreVista => 0,
        }
    }

    fn vista(self, buffer: &Buffer, stated: &Stated) -> Payload {
        let head = Payload::new().u32(stated.size).u32(stated.saved).u32(stated.current).i32(stated.reference_count);
        let times = head.i64(stated.flushed_at).i64(stated.sequence).u64(stated.clock_word);
        let context = self.processor(buffer, times).u16(buffer.logger_id).u32(buffer.state).u32(stated.used);
        let (start_time, start_clock) = buffer.reference_time;
        context.u16(stated.flags).u16(stated.kind).i64(start_time).i64(start_clock)
    }

    fn pre_vista(buffer: &Buffer, stated: &Stated) -> Payload {
        let head = Payload::new().i32(stated.reference_count).u32(stated.saved).u32(stated.current).u32(1);
        let context = Self::PreVista.processor(buffer, head.i64(stated.flushed_at).guid(buffer.instance));
        let state = context.u16(buffer.logger_id).u32(buffer.state).u32(stated.used).u32(buffer.lost_events);
        state.u64(0x8a3f_1c08_8a3f_1c08).u64(0)
    }

    fn processor(self, buffer: &Buffer, to: Payload) -> Payload {
        match self {
            Self::Modern => to.u16(buffer.processor),
            Self::OneByteProcessor | Self::PreVista => to.u8(buffer.processor.to_le_bytes()[0]).u8(8),
        }
    }
}

/// Length of the header in every layout.
pub(super) const HEADER: usize = 72;
