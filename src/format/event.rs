//! `EVENT_HEADER`: manifest-based, TraceLogging and EventSource events (`evntcons.h`; section 5.7).

use zerocopy::little_endian::{I64, U16, U32, U64};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::bytes::Guid;

/// `EVENT_HEADER` as stored in the file, 80 bytes.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct EventHeader {
    /// Bytes of header, extended items and payload.
    pub size: U16,
    /// Header type, 18 or 19.
    pub header_type: u8,
    /// 0xC0.
    pub marker: u8,
    /// See [`event_flags`].
    pub flags: U16,
    /// `EventProperty`, 0 in files.
    pub property: U16,
    /// Writing thread.
    pub tid: U32,
    /// Writing process.
    pub pid: U32,
    /// Raw session clock.
    pub time: I64,
    /// Provider.
    pub provider: Guid,
    /// `EVENT_DESCRIPTOR.Id`.
    pub id: U16,
    /// `EVENT_DESCRIPTOR.Version`.
    pub version: u8,
    /// `EVENT_DESCRIPTOR.Channel`; 11 is TraceLogging.
    pub channel: u8,
    /// `EVENT_DESCRIPTOR.Level`.
    pub level: u8,
    /// `EVENT_DESCRIPTOR.Opcode`.
    pub opcode: u8,
    /// `EVENT_DESCRIPTOR.Task`.
    pub task: U16,
    /// `EVENT_DESCRIPTOR.Keyword`.
    pub keywords: U64,
    /// Kernel time in clock ticks, or low half of the processor time in private sessions.
    pub kernel_time: U32,
    /// User time in clock ticks, or high half.
    pub user_time: U32,
    /// Activity.
    pub activity: Guid,
}

/// `EVENT_HEADER.Flags` as found in files; most of them only in records (`EVENT_HEADER_FLAG_*`).
pub mod event_flags {
    /// Extended items follow the header.
    pub const EXTENDED_INFO: u16 = 0x0001;
    /// The payload is one UTF-16 string with NUL (`EventWriteString`).
    pub const STRING_ONLY: u16 = 0x0004;
    /// A WPP message.
    pub const MESSAGE: u16 = 0x0008;
    /// The two time words mean nothing.
    pub const NO_TIMES: u16 = 0x0010;
    /// Pointers have 4 bytes.
    pub const BITS_32: u16 = 0x0020;
    /// Pointers have 8 bytes.
    pub const BITS_64: u16 = 0x0040;
    /// The provider GUID is an event class: kernel and other classic events.
    pub const CLASSIC: u16 = 0x0100;
    /// All that Windows defines, up to the processor index.
    pub const KNOWN: u16 = 0x03FF;
}
