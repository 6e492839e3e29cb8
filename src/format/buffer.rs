//! The header of a buffer (`WMI_BUFFER_HEADER`; section 2).

use std::fmt;

use zerocopy::FromBytes;
use zerocopy::little_endian::{I64, U16, U32, U64};

wire_struct! {
    /// `WMI_BUFFER_HEADER` of Vista and later, 72 bytes.
    pub struct BufferHeader {
        /// `BufferSize`: bytes from this header to the next one. Compressed: 72 + packed length.
        size: U32 as u32,
        /// `SavedOffset`: used length when saved; not dependable in header buffers, so the reader goes by `used`.
        saved_offset: U32 as u32,
        /// `CurrentOffset`: the live cursor, never to be used.
        current_offset: U32 as u32,
        /// `ReferenceCount`, a run-time leftover.
        reference_count: U32 as u32,
        /// `TimeStamp`: when it was flushed, raw session clock or FILETIME.
        time: I64 as i64,
        /// `SequenceNumber` within the session.
        sequence: I64 as i64,
        /// Clock type and frequency, or leftover pointers.
        clock: U64 as u64,
        /// Processor index, or number and alignment: see [`BufferHeader::processor`].
        processor_word: U16 as u16,
        /// `LoggerId`: number of the session.
        logger: U16 as u16,
        /// `State`: 0 free, 1 logging, 2 context swap, 3 flush, 4 pending compression, 5 compressed, 6 placeholder.
        state: U32 as u32,
        /// `Offset`: used length with this header; for a compressed buffer 72 + *unpacked* length.
        used: U32 as u32,
        /// `BufferFlag`.
        flag_word: U16 as u16,
        /// `BufferType`: 0 generic, 1 rundown, 2 context swap, 3 reference time, 4 header, 5 batched, 6 empty, 7 debug.
        buffer_type: U16 as u16,
        /// Reference time or leftover pointers.
        reference_time: [u8; 16] as [u8; 16],
    }
}

impl BufferHeader {
    /// Bytes of the header; the first event follows it.
    pub const SIZE: usize = size_of::<Self>();

    /// Returns the header at the start of `bytes`.
    pub fn view(bytes: &[u8]) -> Option<&Self> {
        Self::ref_from_prefix(bytes).ok().map(|(header, _)| header)
    }

    /// Returns the flags.
    pub fn flags(&self) -> BufferFlags {
        BufferFlags(self.flag_word.get())
    }

    /// Returns the processor that wrote it: 11 bits of the index when the flag states so, else one byte (section 2.2).
    pub fn processor(&self) -> u16 {
        let raw = self.processor_word.get();
        if self.flags().contains(BufferFlags::PROCESSOR_INDEX) { raw & 0x7FF } else { raw & 0xFF }
    }

    /// Returns whether `bytes` may begin with a header: whether its words that have few values have some of them. A quick
    /// check, which passes over most bytes.
    #[inline]
    pub(crate) fn may_begin(bytes: &[u8]) -> bool {
        Self::view(bytes).is_some_and(Self::has_known_words)
    }

    /// Returns whether the fields can be those of a buffer (section 16); `first_marker` are the bytes after the header.
    pub fn is_plausible(&self, first_marker: Option<&[u8]>) -> bool {
        let (size, used) = (self.size.get() as usize, self.used.get() as usize);
        let flags = self.flags();
        (Self::SIZE..=crate::limits::MAX_BUFFER).contains(&size)
            && (Self::SIZE..=crate::limits::MAX_BUFFER).contains(&used)
            && self.has_known_words()
            && (flags.contains(BufferFlags::COMPRESSED)
                || used <= size && (used == Self::SIZE || first_marker.is_none_or(super::Marker::known)))
    }

    #[inline]
    fn has_known_words(&self) -> bool {
        self.state.get() <= LAST_STATE
            && self.flags().0 & !BufferFlags::KNOWN == 0
            && self.buffer_type.get() <= LAST_TYPE
    }
}

/// Placeholder, the last `State`.
const LAST_STATE: u32 = 6;

/// Debug, the last `BufferType`.
const LAST_TYPE: u16 = 7;

wire_struct! {
    /// Buffer header before Vista (log version 5.x): no size, the used length where it is now (section 2.4).
    pub struct PreVistaBufferHeader {
        /// A reference count where later versions have the size.
        reference_count: U32 as u32,
        /// Offsets, clock flag, time stamp, a GUID or list pointers, processor, logger id.
        skipped: [u8; 44] as [u8; 44],
        /// `Offset`: used length with this header.
        used: U32 as u32,
        /// Lost events in 5.0 and 5.1; flags and type in 5.2.
        lost_or_flags: U32 as u32,
        /// Not needed.
        rest: [u8; 16] as [u8; 16],
    }
}

impl PreVistaBufferHeader {
    /// Returns the header at the start of `bytes`.
    pub fn view(bytes: &[u8]) -> Option<&Self> {
        Self::ref_from_prefix(bytes).ok().map(|(header, _)| header)
    }

    /// Returns the processor, one byte at 0x28 as in later versions.
    pub fn processor(&self) -> u16 {
        u16::from(crate::bytes::u8_at(&self.skipped, 0x28 - 4))
    }

    /// Returns the number of events that were lost, which buffers of Windows 2000 and XP count; 0 in later versions.
    pub fn events_lost(&self, version: [u8; 4]) -> u32 {
        if has_flags(version) { 0 } else { self.lost_or_flags.get() }
    }

    /// Returns the flags and `BufferType`, which buffers of Windows Server 2003 have. No buffer before Vista is compressed
    /// or has an index for a processor.
    pub fn flags_and_type(&self, version: [u8; 4]) -> (BufferFlags, u16) {
        if !has_flags(version) {
            return (BufferFlags::default(), 0);
        }
        let word = self.lost_or_flags.get();
        let later = BufferFlags::COMPRESSED.0 | BufferFlags::PROCESSOR_INDEX.0;
        (BufferFlags(word as u16 & !later), (word >> 16) as u16)
    }
}

/// Returns whether buffers of a version of Windows, the first two numbers of the log's, have flags in place of a count of
/// lost events.
const fn has_flags([major, minor, ..]: [u8; 4]) -> bool {
    major > 5 || major == 5 && minor >= 2
}

wire_constants! {
    /// `BufferFlag` (names: `ntwmi.h`).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct BufferFlags(u16) {
        /// Last buffer of a flush.
        FLUSH_MARKER = 0x01, "FLUSH_MARKER";
        /// Events were lost before it.
        EVENTS_LOST = 0x02, "EVENTS_LOST";
        /// A buffer was lost before it.
        BUFFER_LOST = 0x04, "BUFFER_LOST";
        /// A real-time backup, damaged.
        RTBACKUP_CORRUPT = 0x08, "RTBACKUP_CORRUPT";
        /// A real-time backup.
        RTBACKUP = 0x10, "RTBACKUP";
        /// The processor field is a 16-bit index.
        PROCESSOR_INDEX = 0x20, "PROCESSOR_INDEX";
        /// The events are compressed.
        COMPRESSED = 0x40, "COMPRESSED";
    }
}

impl BufferFlags {
    /// The bits that have a name.
    const KNOWN: u16 = {
        let (mut known, mut bit) = (0, 1_u16);
        while bit != 0 {
            if Self(bit).known_name().is_some() {
                known |= bit;
            }
            bit <<= 1;
        }
        known
    };

    /// Returns whether all bits of `other` are set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns whether events, or a buffer, were lost before it.
    pub const fn is_after_loss(self) -> bool {
        self.contains(Self::EVENTS_LOST) || self.contains(Self::BUFFER_LOST)
    }
}

impl fmt::Display for BufferFlags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::logfile::write_bits(f, u32::from(self.0), |bit| Self(bit as u16).known_name())
    }
}

impl fmt::Debug for BufferFlags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Vec<u8> {
        let mut bytes = vec![0; 72];
        bytes[..4].copy_from_slice(&0x1_0000_u32.to_le_bytes()); // BufferSize
        bytes[0x28..0x2A].copy_from_slice(&[3, 8]); // processor 3, alignment 8
        bytes[0x30..0x34].copy_from_slice(&0x200_u32.to_le_bytes()); // Offset
        bytes
    }

    #[test]
    fn the_processor_is_a_byte_unless_the_flag_says_index() {
        let mut bytes = header();
        assert_eq!(BufferHeader::view(&bytes).unwrap().processor(), 3);
        bytes[0x34] = 0x20;
        assert_eq!(BufferHeader::view(&bytes).unwrap().processor(), 3); // 0x0803 & 0x7FF
        bytes[0x29] = 1;
        assert_eq!(BufferHeader::view(&bytes).unwrap().processor(), 0x103);
    }

    #[test]
    fn plausibility_refuses_what_no_buffer_has() {
        let bytes = header();
        let marker = [2, 0, 2, 0xC0];
        assert!(BufferHeader::view(&bytes).unwrap().is_plausible(Some(&marker)));
        assert!(!BufferHeader::view(&bytes).unwrap().is_plausible(Some(&[0; 4])));
        for (at, value) in [(0, 0), (0x31, 0xFF), (0x34, 0x80), (0x36, 8), (0x2C, 7)] {
            let mut bad = bytes.clone();
            bad[at] = value;
            if at == 0 {
                bad[..4].fill(0);
            }
            if at == 0x31 {
                bad[0x32] = 0xFF;
            }
            assert!(!BufferHeader::view(&bad).unwrap().is_plausible(Some(&marker)), "{at:#x}");
        }
    }

    #[test]
    fn the_quick_check_refuses_no_header_that_is_plausible() {
        for (state, flags, kind) in (0..8).flat_map(|state| (0..=0xFF).map(move |flags| (state, flags, flags % 9))) {
            let mut bytes = header();
            (bytes[0x2C], bytes[0x34], bytes[0x36]) = (state, flags, kind);
            let is_plausible = BufferHeader::view(&bytes).unwrap().is_plausible(None);
            // Section 2: states to 6, seven flags, types to 7.
            assert!(!is_plausible || state <= 6 && flags & 0x80 == 0 && kind <= 7, "{state} {flags:#x} {kind}");
            assert_eq!(BufferHeader::may_begin(&bytes), is_plausible, "{state} {flags:#x} {kind}");
        }
    }
}
