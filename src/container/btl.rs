//! The blocks of a `.btl` file (section 17).
//!
//! A block is eight bytes of sizes and a stream of ULZ or XPRESS-Huffman, padded to a multiple of 4; unpacked it is
//! records. To the rest of the engine it is a compressed buffer whose events are [`Framing::Records`].
//!
//! Damage handled here: sizes that cannot be right, a wrong packed size (the stream itself, or a search, leads to the
//! next block), and bytes between blocks.

use crate::FileId;
use crate::bytes::u32_at;
use crate::compress::Corrupt;
use crate::error::Result;
use crate::format::{BufferFlags, BufferHeader, Framing, RecordHeader};
use crate::input::Input;
use crate::limits;
use crate::time::RawTime;

use super::BufferInfo;
use super::buffer_info::FoundBuffer;
use super::packing::{self, Packing};
use super::scan::scan;
use super::unpack_room::{UnpackRoom, cut, is_cut};

/// Bytes before a block's stream: its packed and its unpacked size.
pub(super) const HEAD: usize = 8;
/// Bytes needed to check a block: its head, and enough of its stream to unpack the first record's header.
const PEEK: usize = HEAD + packing::PEEK;
/// Blocks begin at multiples of this.
const ALIGN: usize = 4;
/// Bytes of the largest block.
const LARGEST: u64 = (HEAD + longest_stream(limits::MAX_BUFFER)) as u64;

/// The sizes before a block's stream.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    packed: u32,
    unpacked: u32,
}

impl Sizes {
    /// Returns the sizes at the start of `bytes`, if a writer of records could have written them and the start of the
    /// stream.
    fn read(bytes: &[u8]) -> Option<Self> {
        let (packed, unpacked) = (u32_at(bytes, 0), u32_at(bytes, 4));
        let is_plausible = packed > 0
            && unpacked as usize >= RecordHeader::SIZE
            && (unpacked as usize).is_multiple_of(RecordHeader::ALIGN)
            && unpacked as usize <= limits::MAX_BUFFER - BufferHeader::SIZE
            && packed as usize <= longest_stream(unpacked as usize)
            && (packed as usize).saturating_mul(limits::MAX_EXPANSION) >= unpacked as usize;
        let sizes = Self { packed, unpacked };
        (is_plausible && Packing::any_may_begin(sizes.start(bytes)?)).then_some(sizes)
    }

    /// Returns the start of the stream of the block at the start of `bytes`.
    fn start(self, bytes: &[u8]) -> Option<&[u8]> {
        let rest = bytes.get(HEAD..)?;
        Some(rest.get(..self.packed as usize).unwrap_or(rest))
    }

    /// Bytes up to the end of the stream.
    const fn end(self) -> u64 {
        HEAD as u64 + self.packed as u64
    }

    /// Bytes up to the next block.
    const fn size(self) -> u64 {
        self.end().next_multiple_of(ALIGN as u64)
    }
}

/// Returns the largest number of bytes of a stream for this output: literals also cost a token and a varint, or a code
/// table of 256 bytes in each 64 KiB.
const fn longest_stream(unpacked: usize) -> usize {
    unpacked + unpacked / 4 + 256 + 16
}

/// The blocks of a file.
#[derive(Debug)]
pub(super) struct Blocks<'s> {
    source: &'s Input,
    file: FileId,
    /// Streams that may still be unpacked to find their end.
    repairs: usize,
    /// Code tables that searches may still build.
    tables: usize,
    room: UnpackRoom,
    scratch: Vec<u8>,
}

impl<'s> Blocks<'s> {
    /// The blocks of `source`, the `file`-th input. `repairs` is how many streams may be unpacked to find their end.
    pub(super) const fn new(source: &'s Input, file: FileId, repairs: usize) -> Self {
        let (tables, room) = (limits::MAX_CODE_TABLES, UnpackRoom::new());
        Self { source, file, repairs, tables, room, scratch: Vec::new() }
    }

    /// Returns the block that begins at `at`, if one does: with a record, or followed by another block or the end.
    pub(super) fn at(&mut self, at: u64) -> Result<Option<FoundBuffer>> {
        let Some((sizes, has_record)) = self.peek(at)? else { return Ok(None) };
        if !has_record && !self.follows(at, sizes)? {
            return Ok(None);
        }
        // A search may find the next block beyond the largest possible block. The bytes in between are then a gap.
        let size = self.extent(at, sizes)?.min(LARGEST);
        let left = self.source.len().saturating_sub(at);
        let mut info = BufferInfo {
            file: self.file,
            offset: at,
            size: u32::try_from(size.min(left)).unwrap_or(u32::MAX),
            // Offsets in a buffer count from its header everywhere, so a block counts a header that the file does not
            // have.
            used: sizes.unpacked.saturating_add(BufferHeader::SIZE as u32),
            flags: BufferFlags::COMPRESSED,
            // Records state their own processor (section 17).
            processor: 0,
            buffer_type: 0,
            sequence: 0,
            time: RawTime(0),
            framing: Framing::Records,
        };
        let claimed = self.limit_unpacked(&mut info);
        // A file that lacks the padding of its last block lacks nothing.
        let is_whole = size <= left.next_multiple_of(ALIGN as u64);
        Ok(Some(FoundBuffer { info, size: if is_whole { size.min(left) } else { size }, claimed }))
    }

    /// Limits what is unpacked of a block; returns what it was if it was too much.
    fn limit_unpacked(&mut self, info: &mut BufferInfo) -> Option<u32> {
        if is_cut(info) || !self.room.has(info) {
            return Some(cut(info));
        }
        self.room.take(info);
        None
    }

    /// Returns the next place from `from` on, and before `to`, where a block with a record begins.
    pub(super) fn search(&mut self, from: u64, to: u64) -> Result<Option<u64>> {
        let tables = &mut self.tables;
        scan(self.source, from.next_multiple_of(ALIGN as u64)..to, PEEK, |start, bytes, new| {
            let mut places = (0..new).step_by(ALIGN);
            let found = places.find(|at| bytes.get(*at..).is_some_and(|bytes| begins(bytes, tables)));
            Ok(found.map(|at| start + at as u64))
        })
    }

    /// Returns the sizes at `at`, and whether a record follows them.
    fn peek(&mut self, at: u64) -> Result<Option<(Sizes, bool)>> {
        let bytes = self.source.window(at, PEEK, &mut self.scratch)?;
        Ok(Sizes::read(bytes).map(|sizes| (sizes, begins(bytes, &mut 1))))
    }

    /// Returns whether another block or the end of the file follows the block at `at`.
    fn follows(&mut self, at: u64, sizes: Sizes) -> Result<bool> {
        let next = at + sizes.size();
        if next >= self.source.len() {
            return Ok(at + sizes.end() <= self.source.len());
        }
        Ok(self.peek(next)?.is_some())
    }

    /// Returns the bytes from this block to the next: the size in the head, unless no block is there and the stream, or
    /// a search, leads to one.
    fn extent(&mut self, at: u64, sizes: Sizes) -> Result<u64> {
        if self.follows(at, sizes)? {
            return Ok(sizes.size());
        }
        if self.repairs > 0 {
            self.repairs -= 1;
            if let Some(packed) = self.stream_len(at, sizes)? {
                let found = Sizes { packed, ..sizes };
                if packed == sizes.packed || self.follows(at, found)? {
                    return Ok(found.size());
                }
            }
        }
        let next = self.search(at + HEAD as u64, u64::MAX)?.map(|next| next - at);
        // Without a next block, trust the head: the part of the block beyond the end of the file is missing.
        Ok(next.unwrap_or_else(|| sizes.size()))
    }

    /// Bytes of the stream that give as much as the head states; `None` if they do not.
    fn stream_len(&mut self, at: u64, sizes: Sizes) -> Result<Option<u32>> {
        let unpacked = sizes.unpacked as usize;
        let stream = self.source.window(at + HEAD as u64, longest_stream(unpacked), &mut self.scratch)?;
        let mut output = vec![0; unpacked.min(stream.len().saturating_mul(limits::MAX_EXPANSION))];
        Ok(decompress(stream, &mut output).0.ok().and_then(|len| u32::try_from(len).ok()))
    }
}

/// Returns whether a block begins here and unpacks to a record. `tables` is how many code tables may still be built.
fn begins(bytes: &[u8], tables: &mut usize) -> bool {
    let stream = Sizes::read(bytes).and_then(|sizes| sizes.start(bytes));
    stream.is_some_and(|stream| Packing::any_has_record(stream, tables))
}

/// Unpacks the stream at the start of `input` until `output` is full. Returns how many input bytes it took, and how
/// many more may follow it.
pub(super) fn decompress(input: &[u8], output: &mut [u8]) -> (Result<usize, Corrupt>, usize) {
    let packing = Packing::of(input);
    (packing.decompress(input, output), packing.spare())
}

/// Returns the stream of the block in `on_disk`, padding included, and how many of its bytes may be padding.
pub(super) fn stream(on_disk: &[u8]) -> (&[u8], usize) {
    let rest = on_disk.get(HEAD..).unwrap_or_default();
    match rest.get(..u32_at(on_disk, 0) as usize) {
        Some(stream) if rest.len() - stream.len() < ALIGN => (stream, 0),
        // The head's size was rejected, or the file ends before it.
        _ => (rest, ALIGN - 1),
    }
}
