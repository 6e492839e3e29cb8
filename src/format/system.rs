//! Kernel event headers (`ntwmi.h`; sections 5.2 to 5.4).

use zerocopy::little_endian::{I64, U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// `SYSTEM_TRACE_HEADER`, 32 bytes.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct SystemHeader {
    /// Low byte: version of the payload; high byte: flags, see [`counters_len`].
    pub version: U16,
    /// Header type, 1 or 2.
    pub header_type: u8,
    /// 0xC0.
    pub marker: u8,
    /// Bytes of header and payload.
    pub size: U16,
    /// Hook id: group in the high byte, opcode in the low one.
    pub hook: U16,
    /// Thread that was running.
    pub tid: U32,
    /// Process that was running.
    pub pid: U32,
    /// Raw session clock.
    pub time: I64,
    /// Kernel time of the thread, clock ticks (units of the file's timer resolution).
    pub kernel_time: U32,
    /// User time of the thread, clock ticks.
    pub user_time: U32,
}

/// A system header without the processor times, 24 bytes.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct CompactHeader {
    /// Low byte: version of the payload; high byte: flags, see [`counters_len`].
    pub version: U16,
    /// Header type, 3 or 4.
    pub header_type: u8,
    /// 0xC0.
    pub marker: u8,
    /// Bytes of header and payload.
    pub size: U16,
    /// Hook id.
    pub hook: U16,
    /// Thread that was running.
    pub tid: U32,
    /// Process that was running.
    pub pid: U32,
    /// Raw session clock.
    pub time: I64,
}

/// `PERFINFO_TRACE_HEADER`, 16 bytes: no thread, no process.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct PerfInfoHeader {
    /// Low byte: version of the payload; high byte: flags, see [`counters_len`].
    pub version: U16,
    /// Header type, 16 or 17.
    pub header_type: u8,
    /// 0xC0.
    pub marker: u8,
    /// Bytes of header and payload.
    pub size: U16,
    /// Hook id.
    pub hook: U16,
    /// Raw session clock.
    pub time: I64,
}

/// Bytes of hardware counters between header and payload, from the version word's flags (section 5.4): bit 7 a PEBS
/// index, then as many `u64` counters as bits 0 to 2 say. Returns (PEBS bytes, counter bytes).
#[inline]
pub fn counters_len(version: u16) -> (usize, usize) {
    let flags = usize::from(version >> 8);
    (if flags & 0x80 != 0 { 8 } else { 0 }, (flags & 7) * 8)
}
