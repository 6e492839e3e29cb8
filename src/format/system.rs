//! Kernel event headers (`ntwmi.h`; sections 5.2 to 5.4).

use zerocopy::little_endian::{I64, U16, U32};

wire_struct! {
    /// `SYSTEM_TRACE_HEADER`, 32 bytes.
    pub struct SystemHeader {
        /// Low byte: version of the payload; high byte: flags, see [`counters_len`].
        version: U16 as u16,
        /// Header type, 1 or 2.
        header_type: u8 as u8,
        /// 0xC0.
        marker: u8 as u8,
        /// Bytes of header and payload.
        size: U16 as u16,
        /// Hook id: group in the high byte, opcode in the low one.
        hook: U16 as u16,
        /// Thread that was running.
        tid: U32 as u32,
        /// Process that was running.
        pid: U32 as u32,
        /// Raw session clock.
        time: I64 as i64,
        /// Kernel time of the thread, clock ticks (units of the file's timer resolution).
        kernel_time: U32 as u32,
        /// User time of the thread, clock ticks.
        user_time: U32 as u32,
    }
}

wire_struct! {
    /// A system header without the processor times, 24 bytes.
    pub struct CompactHeader {
        /// Low byte: version of the payload; high byte: flags, see [`counters_len`].
        version: U16 as u16,
        /// Header type, 3 or 4.
        header_type: u8 as u8,
        /// 0xC0.
        marker: u8 as u8,
        /// Bytes of header and payload.
        size: U16 as u16,
        /// Hook id.
        hook: U16 as u16,
        /// Thread that was running.
        tid: U32 as u32,
        /// Process that was running.
        pid: U32 as u32,
        /// Raw session clock.
        time: I64 as i64,
    }
}

wire_struct! {
    /// `PERFINFO_TRACE_HEADER`, 16 bytes: no thread, no process.
    pub struct PerfInfoHeader {
        /// Low byte: version of the payload; high byte: flags, see [`counters_len`].
        version: U16 as u16,
        /// Header type, 16 or 17.
        header_type: u8 as u8,
        /// 0xC0.
        marker: u8 as u8,
        /// Bytes of header and payload.
        size: U16 as u16,
        /// Hook id.
        hook: U16 as u16,
        /// Raw session clock.
        time: I64 as i64,
    }
}

/// Returns the bytes of hardware counters between header and payload, from the version word's flags (section 5.4): bit
/// 7 a PEBS index, then as many `u64` counters as bits 0 to 2 state. Returns (PEBS bytes, counter bytes).
#[inline]
pub fn counters_len(version: u16) -> (usize, usize) {
    let flags = usize::from(version >> 8);
    (if flags & 0x80 != 0 { 8 } else { 0 }, (flags & 7) * 8)
}
