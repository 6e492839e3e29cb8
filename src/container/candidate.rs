//! Bytes that may be the header of a buffer, and whether they look like one.
//!
//! Damage recognised here: a header with values that no writer produces, or a first event that has no marker.

use std::mem::offset_of;

use crate::FileId;
use crate::format::{BufferFlags, BufferHeader, Framing};
use crate::time::RawTime;

use super::BufferInfo;

/// Bytes needed to check a header: the header and the first marker.
pub(super) const PEEK: usize = BufferHeader::SIZE + 8;

/// A header and whether it is believable.
pub(super) struct Candidate {
    pub(super) size: u32,
    pub(super) used: u32,
    pub(super) flags: BufferFlags,
    processor: u16,
    buffer_type: u16,
    pub(super) sequence: i64,
    time: i64,
    /// Header and first marker.
    pub(super) plausible: bool,
    /// The header alone.
    pub(super) header_plausible: bool,
}

impl Candidate {
    /// Returns the header at the start of `bytes`, which are [`PEEK`] bytes where the file has them.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let header = BufferHeader::view(bytes)?;
        // At the end of a file the marker may be cut off; the header alone is checked then.
        let marker = bytes.get(BufferHeader::SIZE..).filter(|marker| marker.len() >= 4);
        Some(Self {
            size: header.size.get(),
            used: header.used.get(),
            flags: header.flags(),
            processor: header.processor(),
            buffer_type: header.buffer_type.get(),
            sequence: header.sequence.get(),
            time: header.time.get(),
            plausible: header.is_plausible(marker),
            header_plausible: header.is_plausible(None),
        })
    }

    /// Returns the header as if its flag stated the contrary about compression.
    pub(super) fn read_otherwise(bytes: &[u8]) -> Option<Self> {
        let mut other = [0; PEEK];
        let len = bytes.len().min(PEEK);
        other.get_mut(..len)?.copy_from_slice(bytes.get(..len)?);
        *other.get_mut(offset_of!(BufferHeader, flag_word))? ^= BufferFlags::COMPRESSED.0 as u8;
        Self::read(other.get(..len)?)
    }

    /// Returns whether the buffer's events are compressed.
    pub(super) const fn is_compressed(&self) -> bool {
        self.flags.contains(BufferFlags::COMPRESSED)
    }

    /// Returns the buffer that it describes, by its own words.
    pub(super) fn info(&self, file: FileId, offset: u64, framing: Framing) -> BufferInfo {
        BufferInfo {
            file,
            offset,
            size: self.size,
            used: self.used,
            flags: self.flags,
            processor: self.processor,
            buffer_type: self.buffer_type,
            sequence: self.sequence,
            time: RawTime(self.time),
            framing,
        }
    }
}
