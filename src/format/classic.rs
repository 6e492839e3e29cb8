//! Headers of classic (MOF) events (`evntrace.h`; sections 5.5, 5.6 and 5.11).

use zerocopy::little_endian::{I64, U16, U32};

use crate::bytes::Guid;

wire_struct! {
    /// `EVENT_TRACE_HEADER`, 48 bytes.
    pub struct ClassicHeader {
        /// Bytes of header and payload.
        size: U16 as u16,
        /// Header type, 10 or 20.
        header_type: u8 as u8,
        /// 0xC0.
        marker: u8 as u8,
        /// `Class.Type`: the opcode.
        opcode: u8 as u8,
        /// `Class.Level`.
        level: u8 as u8,
        /// `Class.Version`.
        version: U16 as u16,
        /// Writing thread.
        tid: U32 as u32,
        /// Writing process.
        pid: U32 as u32,
        /// Raw session clock.
        time: I64 as i64,
        /// Event class; for MOF classes not the provider's control GUID.
        class: Guid as Guid,
        /// Kernel time in clock ticks, or low half of the processor time in private sessions.
        kernel_time: U32 as u32,
        /// User time in clock ticks, or high half.
        user_time: U32 as u32,
    }
}

wire_struct! {
    /// `EVENT_INSTANCE_GUID_HEADER`, 72 bytes.
    pub struct InstanceHeader {
        /// As in a classic event.
        classic: ClassicHeader as ClassicHeader,
        /// Instance id of the transaction.
        instance: U32 as u32,
        /// Instance id of its parent.
        parent_instance: U32 as u32,
        /// Class of the parent.
        parent_class: Guid as Guid,
    }
}

wire_struct! {
    /// `EVENT_INSTANCE_HEADER` of Windows 2000 and XP, 56 bytes: the classes are handles that mean nothing in a file.
    pub struct ShortInstanceHeader {
        /// Bytes of header and payload.
        size: U16 as u16,
        /// Header type, 11 or 21.
        header_type: u8 as u8,
        /// 0xC0.
        marker: u8 as u8,
        /// The opcode.
        opcode: u8 as u8,
        /// Level.
        level: u8 as u8,
        /// Version.
        version: U16 as u16,
        /// Writing thread.
        tid: U32 as u32,
        /// Writing process.
        pid: U32 as u32,
        /// Raw session clock.
        time: I64 as i64,
        /// Registration handle of the class.
        class_handle: [u8; 8] as [u8; 8],
        /// Instance id.
        instance: U32 as u32,
        /// Instance id of the parent.
        parent_instance: U32 as u32,
        /// Kernel time in clock ticks.
        kernel_time: U32 as u32,
        /// User time in clock ticks.
        user_time: U32 as u32,
        /// Registration handle of the parent class.
        parent_handle: [u8; 8] as [u8; 8],
    }
}

wire_struct! {
    /// The known part of an error event's header, at least 80 bytes (layout after the size is not documented).
    pub struct ErrorHeader {
        /// Bytes of the whole.
        size: U16 as u16,
        /// 13.
        header_type: u8 as u8,
        /// 0xC0.
        marker: u8 as u8,
        /// Unknown.
        rest: [u8; 76] as [u8; 76],
    }
}

impl ErrorHeader {
    /// A header of an event of no bytes.
    pub(crate) const EMPTY: Self = Self { size: U16::ZERO, header_type: 13, marker: 0xC0, rest: [0; 76] };
}
