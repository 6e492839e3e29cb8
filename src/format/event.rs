//! `EVENT_HEADER`: manifest-based, TraceLogging and EventSource events (`evntcons.h`; section 5.7).

use zerocopy::little_endian::{I64, U16, U32, U64};

use crate::bytes::Guid;

wire_struct! {
    /// `EVENT_HEADER` as stored in the file, 80 bytes.
    pub struct EventHeader {
        /// Bytes of header, extended items and payload.
        size: U16 as u16,
        /// Header type, 18 or 19.
        header_type: u8 as u8,
        /// 0xC0.
        marker: u8 as u8,
        /// See [`event_flags`].
        flags: U16 as u16,
        /// `EventProperty`, 0 in files.
        property: U16 as u16,
        /// Writing thread.
        tid: U32 as u32,
        /// Writing process.
        pid: U32 as u32,
        /// Raw session clock.
        time: I64 as i64,
        /// Provider.
        provider: Guid as Guid,
        /// `EVENT_DESCRIPTOR.Id`.
        id: U16 as u16,
        /// `EVENT_DESCRIPTOR.Version`.
        version: u8 as u8,
        /// `EVENT_DESCRIPTOR.Channel`; 11 is TraceLogging.
        channel: u8 as u8,
        /// `EVENT_DESCRIPTOR.Level`.
        level: u8 as u8,
        /// `EVENT_DESCRIPTOR.Opcode`.
        opcode: u8 as u8,
        /// `EVENT_DESCRIPTOR.Task`.
        task: U16 as u16,
        /// `EVENT_DESCRIPTOR.Keyword`.
        keywords: U64 as u64,
        /// Kernel time in clock ticks, or low half of the processor time in private sessions.
        kernel_time: U32 as u32,
        /// User time in clock ticks, or high half.
        user_time: U32 as u32,
        /// Activity.
        activity: Guid as Guid,
    }
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
