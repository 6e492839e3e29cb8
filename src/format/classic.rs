//! Headers of classic (MOF) events (`evntrace.h`; sections 5.5, 5.6 and 5.11).

use zerocopy::little_endian::{I64, U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::bytes::Guid;

/// `EVENT_TRACE_HEADER`, 48 bytes.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct ClassicHeader {
    /// Bytes of header and payload.
    pub size: U16,
    /// Header type, 10 or 20.
    pub header_type: u8,
    /// 0xC0.
    pub marker: u8,
    /// `Class.Type`: the opcode.
    pub opcode: u8,
    /// `Class.Level`.
    pub level: u8,
    /// `Class.Version`.
    pub version: U16,
    /// Writing thread.
    pub tid: U32,
    /// Writing process.
    pub pid: U32,
    /// Raw session clock.
    pub time: I64,
    /// Event class; for MOF classes not the provider's control GUID.
    pub class: Guid,
    /// Kernel time in clock ticks, or low half of the processor time in private sessions.
    pub kernel_time: U32,
    /// User time in clock ticks, or high half.
    pub user_time: U32,
}

/// `EVENT_INSTANCE_GUID_HEADER`, 72 bytes.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct InstanceHeader {
    /// As in a classic event.
    pub classic: ClassicHeader,
    /// Instance id of the transaction.
    pub instance: U32,
    /// Instance id of its parent.
    pub parent_instance: U32,
    /// Class of the parent.
    pub parent_class: Guid,
}

/// `EVENT_INSTANCE_HEADER` of Windows 2000 and XP, 56 bytes: the classes are handles that mean nothing in a file.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct OldInstanceHeader {
    /// Bytes of header and payload.
    pub size: U16,
    /// Header type, 11 or 21.
    pub header_type: u8,
    /// 0xC0.
    pub marker: u8,
    /// The opcode.
    pub opcode: u8,
    /// Level.
    pub level: u8,
    /// Version.
    pub version: U16,
    /// Writing thread.
    pub tid: U32,
    /// Writing process.
    pub pid: U32,
    /// Raw session clock.
    pub time: I64,
    /// Registration handle of the class.
    pub class_handle: [u8; 8],
    /// Instance id.
    pub instance: U32,
    /// Instance id of the parent.
    pub parent_instance: U32,
    /// Kernel time in clock ticks.
    pub kernel_time: U32,
    /// User time in clock ticks.
    pub user_time: U32,
    /// Registration handle of the parent class.
    pub parent_handle: [u8; 8],
}

/// The known part of an error event's header, 80 bytes at least (layout after the size is not documented).
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct ErrorHeader {
    /// Bytes of the whole.
    pub size: U16,
    /// 13.
    pub header_type: u8,
    /// 0xC0.
    pub marker: u8,
    /// Unknown.
    pub rest: [u8; 76],
}

impl ErrorHeader {
    /// A header of an event of no bytes.
    pub(crate) const EMPTY: Self = Self { size: U16::ZERO, header_type: 13, marker: 0xC0, rest: [0; 76] };
}
