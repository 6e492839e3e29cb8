//! Buffers of Windows 2000, XP and Server 2003: their headers have no size, the log-file header has one for all.
//!
//! Damage handled here: a used length that cannot be right. The buffer is skipped as a whole; the next one is where
//! the session's buffer size states, so that nothing is searched.

use crate::FileId;
use crate::error::Result;
use crate::format::{BufferHeader, Framing, PreVistaBufferHeader};
use crate::input::Input;
use crate::time::RawTime;

use super::buffer_info::FoundBuffer;
use super::{BufferInfo, Head};

/// The buffers of a file.
#[derive(Debug)]
pub(super) struct PreVistaBuffers<'s> {
    source: &'s Input,
    file: FileId,
    framing: Framing,
    /// That of the log.
    version: [u8; 4],
    /// Bytes of each buffer.
    stride: u64,
    scratch: Vec<u8>,
}

impl<'s> PreVistaBuffers<'s> {
    /// The buffers of `source`, the `file`-th input.
    pub(super) fn new(source: &'s Input, file: FileId, head: &Head) -> Self {
        // The walk must advance even if the log-file header states no buffer size.
        let stride = u64::from(head.stride).max(BufferHeader::SIZE as u64);
        Self { source, file, framing: head.framing(), version: head.log.version, stride, scratch: Vec::new() }
    }

    /// Returns the buffer that begins at `at`, if its header is sane.
    pub(super) fn at(&mut self, at: u64) -> Result<Option<FoundBuffer>> {
        let bytes = self.source.window(at, BufferHeader::SIZE, &mut self.scratch)?;
        let Some(header) = PreVistaBufferHeader::view(bytes) else { return Ok(None) };
        let used = header.used.get();
        if !(BufferHeader::SIZE as u64..=self.stride).contains(&u64::from(used)) {
            return Ok(None);
        }
        let left = self.source.len().saturating_sub(at);
        let (flags, buffer_type) = header.flags_and_type(self.version);
        let info = BufferInfo {
            file: self.file,
            offset: at,
            size: u32::try_from(self.stride.min(left)).unwrap_or(u32::MAX),
            used,
            flags,
            processor: header.processor(),
            buffer_type,
            // These fields do not exist before Vista, or have another meaning (section 2.4).
            sequence: 0,
            time: RawTime(0),
            framing: self.framing,
        };
        Ok(Some(FoundBuffer { info, size: self.stride, claimed: None }))
    }

    /// Returns where the next buffer begins after the one at `at`; `None` if the file ends before.
    pub(super) fn after(&self, at: u64) -> Option<u64> {
        Some(at + self.stride).filter(|next| *next < self.source.len())
    }
}
