//! What is known about a buffer before its events are read.

use crate::FileId;
use crate::event::{BufferContext, Place};
use crate::format::{BufferFlags, Framing};
use crate::time::RawTime;

/// Facts about a buffer that are known before its events are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BufferInfo {
    /// The input file.
    pub file: FileId,
    /// Where it begins in the file, bytes.
    pub offset: u64,
    /// Bytes it takes in the file; less than its header states if the file ends before.
    pub size: u32,
    /// Bytes used with the header; of a compressed buffer, when unpacked.
    pub used: u32,
    /// `BufferFlag`.
    pub flags: BufferFlags,
    /// The processor that wrote it.
    pub processor: u16,
    /// `BufferType`.
    pub buffer_type: u16,
    /// `SequenceNumber`.
    pub sequence: i64,
    /// `TimeStamp` of the flush. Some versions of Windows write a FILETIME here, whatever the session's clock.
    pub time: RawTime,
    /// How its events follow one another. A block of a `.btl` file has only this, an offset, a size and a used length;
    /// its other fields are 0.
    pub framing: Framing,
}

impl BufferInfo {
    /// Returns the context of its events, if it is the `number`-th buffer of the trace.
    pub const fn context(&self, number: u32) -> BufferContext {
        let place = Place { file: self.file, buffer: number, offset: 0 };
        BufferContext { processor: self.processor, fallback_time: RawTime(0), framing: self.framing, place }
    }

    /// Returns whether its events are compressed.
    pub const fn is_compressed(&self) -> bool {
        self.flags.contains(BufferFlags::COMPRESSED)
    }
}

/// A buffer that was found in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundBuffer {
    /// The part of the buffer that is in the file.
    pub(super) info: BufferInfo,
    /// Bytes up to the next buffer. More than the file has left if the buffer is cut off.
    pub(super) size: u64,
    /// The unpacked bytes that it claims, where these are more than are unpacked.
    pub(super) claimed: Option<u32>,
}
