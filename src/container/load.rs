//! Bringing a buffer's event area into memory.
//!
//! Damage handled here: a used length beyond the buffer, events after the used length, and compressed streams that are
//! cut off or corrupt; of these the beginning is used.

use crate::compress::{self, Corrupt};
use crate::error::{Problem, ProblemKind, Result};
use crate::format::{BufferHeader, Framing};
use crate::input::Input;
use crate::limits;

use super::held_buffers::HeldBuffers;
use super::unpack_room::is_cut;
use super::{BufferInfo, Step, UnreadBytes, Walk, btl};

/// Memory for one buffer at a time: the packed bytes of a file, and the unpacked ones.
#[derive(Debug, Default)]
pub struct Arena {
    packed: Vec<u8>,
    unpacked: Vec<u8>,
    held: HeldBuffers,
}

/// A buffer in memory.
#[derive(Debug)]
#[non_exhaustive]
pub struct Loaded<'a> {
    /// The buffer from its header to its used length. For a compressed one the header is zeros: only offsets matter.
    pub bytes: &'a [u8],
    /// Zeros between the used length and the fill; some writers leave them there. Bytes; 0 if something else follows
    /// them, which is then a [`ProblemKind::Slack`] together with them.
    pub zeros: u32,
    /// What could not be read.
    pub problem: Option<Problem>,
}

impl Arena {
    /// Loads a buffer. Only the operating system's errors are errors; damage is a problem next to the bytes that could
    /// be read.
    #[inline]
    pub fn load<'a>(&'a mut self, source: &'a Input, info: &BufferInfo) -> Result<Loaded<'a>> {
        self.load_into(source, info, |_| None)
    }

    /// As [`Arena::load`]; a compressed buffer is unpacked to the memory of its length that `offer` returns, if it does.
    #[inline]
    pub(crate) fn load_into<'a>(
        &'a mut self,
        source: &'a Input,
        info: &BufferInfo,
        offer: impl FnOnce(usize) -> Option<&'a mut [u8]>,
    ) -> Result<Loaded<'a>> {
        let on_disk = source.window(info.offset, info.size as usize, &mut self.packed)?;
        if info.is_compressed() {
            let packed = Packed::new(on_disk, info);
            let memory = offer(packed.room).unwrap_or_else(|| grown(&mut self.unpacked, packed.room));
            return Ok(packed.unpack(info, memory));
        }
        let used = info.used as usize;
        let problem = (used > on_disk.len() && info.size as usize == on_disk.len())
            .then(|| beyond(info, on_disk.len()))
            .or_else(|| shrunk(info, on_disk.len()))
            .or_else(|| unread_slack(on_disk, info));
        let zeros = if problem.is_some() { 0 } else { leading_zeros(behind(on_disk, used)) as u32 };
        Ok(Loaded { bytes: on_disk.get(..used).unwrap_or(on_disk), zeros, problem })
    }

    /// Returns the unpacked bytes of compressed buffer `number`. The last few ones are not unpacked again.
    pub fn unpacked<'a>(&'a mut self, source: &Input, info: &BufferInfo, number: u32) -> Result<&'a [u8]> {
        let place = self.unpack(source, info, number)?;
        Ok(self.held.bytes(place))
    }

    /// As [`Arena::unpacked`]; returns the place of the bytes, for [`Arena::held`]. Good until another buffer is
    /// unpacked, or if [`Arena::keep`] agrees, until [`Arena::release`].
    pub(crate) fn unpack(&mut self, source: &Input, info: &BufferInfo, number: u32) -> Result<usize> {
        let Self { packed, held, .. } = self;
        held.get(number, info.used as usize, |buffer| {
            let on_disk = source.window(info.offset, info.size as usize, packed)?;
            let packed = Packed::new(on_disk, info);
            let memory = grown(&mut buffer.bytes, packed.room);
            buffer.len = packed.unpack(info, memory).bytes.len();
            Ok(())
        })
    }

    /// Returns the unpacked bytes at a place.
    #[inline]
    pub(crate) fn held(&self, place: usize) -> &[u8] {
        self.held.bytes(place)
    }

    /// Keeps the unpacked bytes at a place. False if they would be too many.
    pub(crate) fn keep(&mut self, place: usize) -> bool {
        self.held.keep(place)
    }

    /// Says that a buffer is about to be used: if it is there, others are replaced before it.
    pub(crate) fn touch(&mut self, number: u32) {
        self.held.touch(number);
    }

    /// Lets go of what was kept.
    pub(crate) fn release(&mut self) {
        self.held.release();
    }
}

impl Loaded<'_> {
    /// Returns what is wrong where a walk of this buffer finds bytes that are not an event. Only this function decides
    /// which bytes of the file these are.
    pub fn problem_of(&self, info: &BufferInfo, gap: UnreadBytes) -> Problem {
        let (kind, what) = if gap.fill {
            (ProblemKind::Fill, "fill bytes inside the used length")
        } else {
            (ProblemKind::BadEvent, "bytes that are not an event")
        };
        let file = info.file;
        if info.is_compressed() {
            let detail = format!("{} {what} of the unpacked buffer, from {:#x} on", gap.len, gap.start);
            return Problem::new(kind, detail).of_file(file).at(info.offset, info.size.into());
        }
        // A gap up to the used length goes on to the next place where an event could begin, and over zeros there.
        let end = (gap.start + gap.len).next_multiple_of(8);
        let zeros = if end >= info.used && !gap.fill { self.zeros } else { 0 };
        let end = (end + zeros).min(info.size).max(gap.start);
        Problem::new(kind, what).of_file(file).at(info.offset + u64::from(gap.start), u64::from(end - gap.start))
    }
}

/// Memory for unpacked bytes has a multiple of this size: most buffers of a trace differ by less, and growth copies what
/// was there.
const GROWTH: usize = 4096;

/// Allocations from this size on usually come straight from Linux, which hands out zeros; smaller ones are cleared by
/// the allocator.
const OF_SYSTEM: usize = 128 << 10;
/// Smaller memory is not worth so much room.
const LEAST_OF_SYSTEM: usize = 32 << 10;

/// Returns `len` zeros. The allocation is larger where that is cheaper: what is not used of it is never touched.
fn zeros(len: usize) -> Vec<u8> {
    let is_cheaper = cfg!(target_os = "linux") && len >= LEAST_OF_SYSTEM;
    let mut memory = vec![0; if is_cheaper { len.max(OF_SYSTEM) } else { len }];
    memory.truncate(len);
    memory
}

/// Returns the first `len` bytes of memory that only grows, so that it is not cleared again for each buffer.
fn grown(memory: &mut Vec<u8>, len: usize) -> &mut [u8] {
    if memory.len() < len {
        let room = len.next_multiple_of(GROWTH);
        if memory.is_empty() {
            *memory = zeros(room);
        } else {
            memory.resize(room, 0);
        }
    }
    memory.get_mut(..len).unwrap_or_default()
}

/// A compressed buffer.
struct Packed<'p> {
    stream: &'p [u8],
    /// Bytes after the stream that are not part of it.
    padding: usize,
    is_block: bool,
    /// The greatest length that the stream could have.
    most: usize,
    /// Bytes of memory that it is unpacked to, its header among them.
    room: usize,
}

impl<'p> Packed<'p> {
    fn new(on_disk: &'p [u8], info: &BufferInfo) -> Self {
        let is_block = info.framing == Framing::Records;
        let (stream, padding) = if is_block { btl::stream(on_disk) } else { (body(on_disk), 0) };
        // The used length is only the file's claim. Reserve no more than the packed bytes can expand to (section 16).
        let expanded = stream.len().saturating_mul(limits::MAX_EXPANSION).saturating_add(BufferHeader::SIZE);
        let most = limits::MAX_BUFFER.min(expanded);
        let room = (info.used as usize).min(most).max(BufferHeader::SIZE);
        Self { stream, padding, is_block, most, room }
    }

    /// Unpacks to memory of as many bytes as there should be room for.
    fn unpack<'a>(&self, info: &BufferInfo, memory: &'a mut [u8]) -> Loaded<'a> {
        let Self { stream, padding, is_block, most, room } = *self;
        let (header, output) = memory.split_at_mut_checked(BufferHeader::SIZE).unwrap_or_default();
        header.fill(0);
        // An opened and unused flag word may follow a stream of XPRESS (section 2.5).
        let (done, spare) = if is_block { btl::decompress(stream, output) } else { (decompress(stream, output), 4) };
        if is_cut(info) {
            let len = done.map_or_else(|corrupt| BufferHeader::SIZE + corrupt.filled, |_| room);
            let len = end_of_events(memory.get(..len).unwrap_or_default(), info);
            return Loaded { bytes: memory.get(..len).unwrap_or_default(), zeros: 0, problem: None };
        }
        let (len, detail) = match done {
            Ok(_) if info.used as usize > most => (room, Some(format!("it claims {} unpacked bytes", info.used))),
            Ok(consumed) if stream.len() - consumed.min(stream.len()) > spare + padding => {
                (room, Some(format!("{} packed bytes are left over", stream.len() - consumed)))
            }
            Ok(_) => (room, None),
            Err(corrupt) => {
                let Corrupt { what, at, produced, .. } = corrupt;
                let detail = format!("{what} at packed byte {at}; {produced} bytes unpacked");
                (BufferHeader::SIZE + produced, Some(detail))
            }
        };
        let problem = detail.map(|detail| {
            let problem = Problem::new(ProblemKind::BadCompression, detail);
            problem.of_file(info.file).at(info.offset, info.size.into())
        });
        Loaded { bytes: memory.get(..len).unwrap_or_default(), zeros: 0, problem }
    }
}

/// Returns where the last event of a buffer ends that is not read to its end: what follows is the beginning of another one,
/// and the problem that reports the rest reports it, too.
fn end_of_events(bytes: &[u8], info: &BufferInfo) -> usize {
    let (mut walk, mut end) = (Walk::new(bytes, info, 0), BufferHeader::SIZE);
    while let Some(step) = walk.step() {
        if let Step::Event(_) = step {
            end = walk.position().min(bytes.len());
        }
    }
    end
}

/// Returns the bytes after the used length, from the next place of an event; none if the used length is too large.
fn behind(on_disk: &[u8], used: usize) -> &[u8] {
    // The padding of the last event is not cleared, so its bytes state nothing (section 3).
    used.checked_next_multiple_of(8).and_then(|start| on_disk.get(start..)).unwrap_or_default()
}

/// Returns the bytes after a buffer's header.
fn body(on_disk: &[u8]) -> &[u8] {
    on_disk.get(BufferHeader::SIZE..).unwrap_or_default()
}

/// Returns the events at the start of a buffer whose first bytes are `on_disk`, as many as fit into `room`; of a
/// compressed buffer they are unpacked, if it is by the usual algorithm.
pub(crate) fn start_of<'a>(on_disk: &'a [u8], info: &BufferInfo, room: &'a mut [u8]) -> &'a [u8] {
    if !info.is_compressed() {
        return body(on_disk);
    }
    let done = if info.framing == Framing::Records {
        btl::decompress(btl::stream(on_disk).0, room).0
    } else {
        compress::xpress::decompress(body(on_disk), room)
    };
    let len = done.map_or_else(|end| end.filled, |_| room.len());
    room.get(..len).unwrap_or_default()
}

/// Returns where the compressed stream of a buffer ends, from the buffer's start, whatever size its header claims;
/// `None` if it does not unpack.
pub(super) fn packed_end(source: &Input, info: &BufferInfo) -> Result<Option<u64>> {
    // Compression never makes a buffer longer, so the unpacked length bounds the packed one.
    let used = info.used as usize;
    if !(BufferHeader::SIZE..=limits::MAX_BUFFER).contains(&used) {
        return Ok(None);
    }
    let mut scratch = Vec::new();
    let on_disk = source.window(info.offset, used, &mut scratch)?;
    let packed = on_disk.get(BufferHeader::SIZE..).unwrap_or_default();
    let most = packed.len().saturating_mul(limits::MAX_EXPANSION);
    let mut output = vec![0; (used - BufferHeader::SIZE).min(most)];
    let consumed = decompress(packed, &mut output).ok();
    Ok(consumed.map(|consumed| (BufferHeader::SIZE + consumed) as u64))
}

/// Unpacks by the algorithm that fits. A file does not state which was used; all that were ever seen are plain XPRESS,
/// so the others are tried only when it fails, and its own error counts when they fail too.
fn decompress(packed: &[u8], output: &mut [u8]) -> Result<usize, Corrupt> {
    let corrupt = match compress::xpress::decompress(packed, output) {
        Ok(consumed) => return Ok(consumed),
        Err(corrupt) => corrupt,
    };
    for other in [compress::xpress_huffman::decompress, compress::lznt1::decompress] {
        if let Ok(consumed) = other(packed, output) {
            return Ok(consumed);
        }
    }
    // The other attempts have overwritten what plain XPRESS produced: have it back.
    compress::xpress::decompress(packed, output).or(Err(corrupt))
}

/// Returns the problem of a used length beyond the buffer.
fn beyond(info: &BufferInfo, have: usize) -> Problem {
    let what = format!("the used length {} is more than the buffer's {have} bytes", info.used);
    Problem::new(ProblemKind::UsedLength, what).of_file(info.file).at(info.offset, have as u64)
}

/// Returns the problem of a file that was longer when its buffers were found.
fn shrunk(info: &BufferInfo, have: usize) -> Option<Problem> {
    let missing = (info.size as usize).checked_sub(have).filter(|missing| *missing > 0)?;
    let what = "the file became shorter while it was read: it ends inside this buffer";
    let problem = Problem::new(ProblemKind::Truncated, what).of_file(info.file);
    Some(problem.at(info.offset + have as u64, missing as u64))
}

/// Bytes after the used length are fill: 0xFF, in the files of some writers after zeros. Anything else is not part of
/// the buffer according to its header, so the used length is wrong or a header is lost.
fn unread_slack(on_disk: &[u8], info: &BufferInfo) -> Option<Problem> {
    let used = info.used as usize;
    let slack = behind(on_disk, used);
    if is_all(slack, 0xFF) {
        return None;
    }
    let zeros = if used < BufferHeader::SIZE { 0 } else { leading_zeros(slack) };
    if slack.get(zeros..).is_none_or(|rest| is_all(rest, 0xFF)) {
        return None;
    }
    // Fill at both ends is not damage: report the bytes in between.
    let start = slack.iter().take_while(|&&b| b == 0xFF).count();
    let end = slack.len() - slack.iter().rev().take_while(|&&b| b == 0xFF).count();
    let offset = info.offset + (on_disk.len() - slack.len() + start) as u64;
    let problem = Problem::new(ProblemKind::Slack, "what follows the used length is not fill");
    Some(problem.of_file(info.file).at(offset, (end - start) as u64))
}

fn leading_zeros(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|&&byte| byte == 0).count()
}

/// Returns whether all bytes are the same one. A block at a time, so that the compiler compares many at once.
fn is_all(bytes: &[u8], value: u8) -> bool {
    bytes.chunks(256).all(|block| block.iter().fold(0, |bits, &b| bits | (b ^ value)) == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_used_length_at_the_end_of_numbers_has_nothing_behind_it() {
        assert_eq!(behind(&[1; 24], 9), &[1; 8]);
        assert!(behind(&[1; 24], 25).is_empty());
        assert!(behind(&[1; 24], usize::MAX).is_empty());
    }
}
