//! Finding the buffers of a file, one after the other.

use crate::bytes::u32_at;
use crate::error::{Problem, Result, Severity};
use crate::event::{BufferContext, Place};
use crate::format::{BufferFlags, BufferHeader, Framing, OldBufferHeader};
use crate::input::Input;
use crate::limits;

use super::Head;
use super::block::{self, Block, Blocks};
use super::searched::Searched;

/// What is known of a buffer before its events are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferInfo {
    /// The input file, from 0.
    pub file: u16,
    /// Where it begins in the file, bytes.
    pub offset: u64,
    /// Bytes it takes in the file; less than its header says if the file ends before.
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
    /// `TimeStamp` of the flush: raw clock or FILETIME.
    pub time: i64,
    /// How its events follow one another. Of a block of a `.btl` file, offset, size and used length are all that is
    /// known besides.
    pub framing: Framing,
}

impl BufferInfo {
    /// What its events have in common, if it is the `number`-th buffer of the trace.
    pub const fn context(&self, number: u32) -> BufferContext {
        let place = Place { file: self.file, buffer: number, offset: 0 };
        BufferContext { processor: self.processor, fallback_time: 0, framing: self.framing, place }
    }

    /// Whether its events are compressed.
    pub const fn is_compressed(&self) -> bool {
        self.flags.contains(BufferFlags::COMPRESSED)
    }
}

/// The next thing in a file.
#[derive(Clone, Debug)]
pub enum Frame {
    /// A buffer.
    Buffer(BufferInfo),
    /// Bytes that are no buffer.
    Problem(Problem),
}

/// Iterates the buffers of a file in file order.
#[derive(Debug)]
pub struct Frames<'s> {
    source: &'s Input,
    file: u16,
    stride: u64,
    framing: Framing,
    old: bool,
    packed: bool,
    zero_tail: Severity,
    at: u64,
    pending: Option<Problem>,
    /// Buffers whose content may still be looked at to find their end.
    repairs: usize,
    /// Multiples of the session's buffer size that may still be looked at.
    strides: u64,
    searched: Searched,
    /// There are only zeros from here (or before) up to this place.
    zeros_to: u64,
    scratch: Vec<u8>,
}

/// Bytes looked at to judge a header: itself and the first marker.
const PEEK: usize = BufferHeader::SIZE + 8;
/// A file with so many bytes more has one more multiple of the buffer size looked at: far fewer bytes than a stride of a
/// real session, so that only files of many tiny buffers run out of them.
const BYTES_PER_STRIDE: u64 = 64;
/// Bytes searched at a time after damage: few at first, since much damage may lie close together, then more.
const SEARCH: std::ops::RangeInclusive<usize> = 4 << 10..=1 << 20;

impl<'s> Frames<'s> {
    /// The buffers of `source`, the `file`-th input.
    pub fn new(source: &'s Input, file: u16, head: &Head) -> Self {
        Self {
            source,
            file,
            stride: u64::from(head.stride),
            framing: head.framing(),
            old: head.is_old(),
            zero_tail: zero_tail(head),
            packed: head.is_missing() || head.log.mode.has(crate::format::LogFileMode::COMPRESSED),
            at: 0,
            pending: None,
            repairs: limits::MAX_REPAIRS,
            strides: (limits::MAX_REPAIRS * limits::MAX_STRIDES) as u64 + source.len() / BYTES_PER_STRIDE,
            searched: Searched::default(),
            zeros_to: 0,
            scratch: Vec::new(),
        }
    }

    /// The next buffer or problem; `None` at the end. An error is the operating system's.
    pub fn next_frame(&mut self) -> Result<Option<Frame>> {
        if let Some(problem) = self.pending.take() {
            return Ok(Some(Frame::Problem(problem)));
        }
        let left = self.source.len().saturating_sub(self.at);
        if left == 0 {
            return Ok(None);
        }
        if self.framing == Framing::Records {
            return self.block(left).map(Some);
        }
        if self.old {
            return self.old_buffer(left).map(Some);
        }
        match self.peek(self.at)? {
            Some(peek) if self.at == 0 || peek.plausible || self.only_marker_is_bad(&peek, left)? => {
                self.buffer(&peek, left).map(Some)
            }
            _ => self.damaged(left).map(Some),
        }
    }

    /// Whether a good header that leads to the next buffer is followed by a damaged first event.
    fn only_marker_is_bad(&mut self, peek: &Peek, left: u64) -> Result<bool> {
        Ok(peek.header_plausible && self.follows(u64::from(peek.size), left)?)
    }

    fn buffer(&mut self, peek: &Peek, left: u64) -> Result<Frame> {
        // The next buffer may lie beyond the largest one there can be. Then what is between is looked at on its own.
        let size = self.extent(peek, left)?.min(limits::MAX_BUFFER as u64);
        let mut info = peek.info(self.file, self.at, self.framing);
        info.size = u32::try_from(size.min(left)).unwrap_or(u32::MAX);
        if size > left {
            self.pending = Some(self.truncated(left, size));
        }
        self.at += size.min(left);
        Ok(Frame::Buffer(info))
    }

    /// Bytes from this buffer to the next. The header's own word, unless what lies there is no buffer and the
    /// session's size (or a search) leads to one.
    fn extent(&mut self, peek: &Peek, left: u64) -> Result<u64> {
        let size = u64::from(peek.size);
        // No plain buffer is larger than the session's: what begins there is the next one.
        let plain = self.stride > 0 && !peek.flags.contains(BufferFlags::COMPRESSED);
        if plain && size > self.stride {
            if !self.packed && self.stride < left && self.follows(self.stride, left)? {
                return Ok(self.stride);
            }
            let used = u64::from(peek.used).clamp(BufferHeader::SIZE as u64, self.stride);
            if let Some(next) = self.search(self.at + used)?.filter(|next| next - self.at < size) {
                return Ok(next - self.at);
            }
        }
        if self.follows(size, left)? {
            return Ok(size);
        }
        let own = (BufferHeader::SIZE as u64..=limits::MAX_BUFFER as u64).contains(&size);
        if own && plain && size == self.stride {
            return Ok(size);
        }
        if let Some(size) = self.by_content(peek, left)? {
            return Ok(size);
        }
        if plain && !self.packed && size != self.stride && self.follows(self.stride, left)? {
            return Ok(self.stride);
        }
        Ok(match self.search(self.at + BufferHeader::SIZE as u64)? {
            Some(next) => next - self.at,
            None if own => size,
            None => left,
        })
    }

    /// The size that a buffer's content speaks for although no buffer follows it: a compressed stream ends there, or
    /// fill does.
    fn by_content(&mut self, peek: &Peek, left: u64) -> Result<Option<u64>> {
        if self.repairs == 0 {
            return Ok(None);
        }
        self.repairs -= 1;
        let size = u64::from(peek.size);
        if !peek.flags.contains(BufferFlags::COMPRESSED) {
            let sane = peek.used <= peek.size && peek.used as usize >= BufferHeader::SIZE && size <= left;
            let mut info = peek.info(self.file, self.at, self.framing);
            info.size = peek.size.min(limits::MAX_BUFFER as u32);
            return Ok((sane && super::load::ends_in_fill(self.source, &info)?).then_some(size));
        }
        let Some(end) = super::load::packed_end(self.source, &peek.info(self.file, self.at, self.framing))? else {
            return Ok(None);
        };
        // An opened and unused flag word may follow the stream (section 2.5).
        for end in [end, end + 4] {
            if end == size && size <= left || self.follows(end, left)? {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    /// Whether a plausible buffer, or the end of the file, lies `size` bytes further.
    fn follows(&mut self, size: u64, left: u64) -> Result<bool> {
        if size == left {
            return Ok(true);
        }
        if size < BufferHeader::SIZE as u64 || size > left {
            return Ok(false);
        }
        Ok(self.peek(self.at + size)?.is_some_and(|peek| peek.plausible))
    }

    fn peek(&mut self, at: u64) -> Result<Option<Peek>> {
        let bytes = self.source.window(at, PEEK, &mut self.scratch)?;
        Ok(Peek::read(bytes))
    }

    /// The next block of a `.btl` file, or what lies before it.
    fn block(&mut self, left: u64) -> Result<Frame> {
        let found = Blocks::new(self.source).at(self.at, self.file, &mut self.repairs)?;
        let Some(Block { info, size }) = found else { return self.damaged(left) };
        if size > left.next_multiple_of(4) {
            self.pending = Some(self.truncated(left, size));
        }
        self.at += size.min(left);
        Ok(Frame::Buffer(info))
    }

    /// No buffer begins here: finds the next one and reports what lies between.
    fn damaged(&mut self, left: u64) -> Result<Frame> {
        let start = self.at;
        let zeros = self.only_zeros()?;
        let next = if zeros { None } else { self.search(start + 1)? };
        self.at = next.unwrap_or(start + left);
        let (severity, kind, detail) = if zeros {
            (self.zero_tail, "zero-tail", "only zeros to the end: preallocated and never written, or lost")
        } else if next.is_none() && left < self.header_len() {
            (Severity::Damage, "truncated", "the file ends inside a buffer header")
        } else {
            (Severity::Damage, "bad-buffer", "no buffer header where one should be; skipped to the next one")
        };
        let len = self.at - start;
        let file = usize::from(self.file);
        Ok(Frame::Problem(Problem { severity, kind, file, offset: start, len, detail: detail.to_owned() }))
    }

    /// Bytes of what begins each buffer.
    fn header_len(&self) -> u64 {
        if self.framing == Framing::Records { block::HEAD as u64 } else { BufferHeader::SIZE as u64 }
    }

    /// The same before Vista, where the next buffer is a stride further.
    fn old_damaged(&mut self, size: u64) -> Result<Frame> {
        let (offset, file) = (self.at, usize::from(self.file));
        let zeros = self.only_zeros()?;
        let len = if zeros { self.source.len() - offset } else { size };
        self.at += len;
        let (severity, kind, detail) = if zeros {
            (self.zero_tail, "zero-tail", "only zeros to the end: preallocated and never written, or lost")
        } else {
            (Severity::Damage, "bad-buffer", "a buffer header that cannot be right")
        };
        Ok(Frame::Problem(Problem { severity, kind, file, offset, len, detail: detail.to_owned() }))
    }

    fn truncated(&self, left: u64, size: u64) -> Problem {
        Problem {
            severity: Severity::Damage,
            kind: "truncated",
            file: usize::from(self.file),
            offset: self.source.len(),
            len: size - left,
            detail: "the file ends inside this buffer; these bytes after its end are missing".to_owned(),
        }
    }

    fn only_zeros(&mut self) -> Result<bool> {
        let (mut at, mut len) = (self.at.max(self.zeros_to), *SEARCH.start());
        while at < self.source.len() {
            let bytes = self.source.window(at, len, &mut self.scratch)?;
            if bytes.is_empty() {
                break;
            }
            if let Some(other) = bytes.iter().position(|&b| b != 0) {
                self.zeros_to = at + other as u64;
                return Ok(false);
            }
            at += bytes.len() as u64;
            len = (len * 2).min(*SEARCH.end());
        }
        Ok(true)
    }

    /// The next place from `from` on where a plausible buffer begins whose successor is plausible too or is the end.
    fn search(&mut self, from: u64) -> Result<Option<u64>> {
        if self.framing == Framing::Records {
            return Blocks::new(self.source).search(from, u64::MAX);
        }
        if self.stride > 0
            && !self.packed
            && let Some(found) = self.search_strides(from)?
        {
            return Ok(Some(found));
        }
        self.searched.forget_before(self.at);
        let mut at = if self.packed { from } else { from.next_multiple_of(8) };
        loop {
            at = self.searched.skip(at);
            if at >= self.source.len() {
                return Ok(None);
            }
            let stop = self.searched.next_after(at).unwrap_or(self.source.len());
            let found = self.search_between(at, stop)?;
            self.searched.note(at..found.unwrap_or(stop));
            if found.is_some() {
                return Ok(found);
            }
            at = stop;
        }
    }

    /// The same, looking at every place from `from` on and before `to`.
    fn search_between(&mut self, from: u64, to: u64) -> Result<Option<u64>> {
        let step = if self.packed { 1 } else { 8 };
        let (mut block, mut scratch, mut len) = (from, Vec::new(), *SEARCH.start());
        while block < to {
            len = len.min(usize::try_from(to - block).unwrap_or(len));
            let bytes = self.source.window(block, len + PEEK, &mut scratch)?;
            for at in (0..bytes.len().min(len)).step_by(step) {
                let here = block + at as u64;
                let peek = bytes.get(at..).and_then(Peek::read);
                if peek.is_some_and(|p| p.plausible) && self.chains(here, u64::from(u32_at(bytes, at)))? {
                    return Ok(Some(here));
                }
            }
            block += len as u64;
            len = (len * 2).min(*SEARCH.end());
        }
        Ok(None)
    }

    /// The next multiple of the session's buffer size, from this buffer's start on, where a plausible buffer lies.
    fn search_strides(&mut self, from: u64) -> Result<Option<u64>> {
        // Counted from the damaged place: the first buffer of relogged files is shorter than a stride.
        let mut at = self.at + (from - self.at).next_multiple_of(self.stride);
        for _ in 0..limits::MAX_STRIDES {
            if at >= self.source.len() || self.strides == 0 {
                break;
            }
            self.strides -= 1;
            let size = self.peek(at)?.filter(|p| p.plausible).map(|p| u64::from(p.size));
            if size == Some(self.stride) {
                return Ok(Some(at));
            }
            at += self.stride;
        }
        Ok(None)
    }

    fn chains(&mut self, at: u64, size: u64) -> Result<bool> {
        let next = at.saturating_add(size);
        if next >= self.source.len() {
            return Ok(next == self.source.len());
        }
        // Zeros: the unwritten end of a preallocated file.
        let bytes = self.source.window(next, PEEK, &mut self.scratch)?;
        Ok(Peek::read(bytes).is_some_and(|peek| peek.plausible) || bytes.iter().all(|&b| b == 0))
    }

    /// Before Vista: buffers have no size, the stride is the session's.
    fn old_buffer(&mut self, left: u64) -> Result<Frame> {
        let bytes = self.source.window(self.at, BufferHeader::SIZE, &mut self.scratch)?;
        let stride = self.stride.max(BufferHeader::SIZE as u64);
        let size = stride.min(left);
        let offset = self.at;
        let file = self.file;
        let header = OldBufferHeader::view(bytes).map(|h| (h.used.get(), h.processor()));
        self.at += size;
        let sane = header.filter(|(used, _)| (BufferHeader::SIZE as u64..=stride).contains(&u64::from(*used)));
        let Some((used, processor)) = sane else {
            self.at = offset;
            return self.old_damaged(size);
        };
        if stride > left {
            self.pending = Some(self.truncated(left, stride));
        }
        Ok(Frame::Buffer(BufferInfo {
            file,
            offset,
            size: u32::try_from(size).unwrap_or(u32::MAX),
            used,
            flags: BufferFlags::default(),
            processor,
            buffer_type: 0,
            sequence: 0,
            time: 0,
            framing: self.framing,
        }))
    }
}

/// How bad zeros up to the end are: a preallocated or unfinished file has them without having lost anything.
fn zero_tail(head: &Head) -> Severity {
    let preallocated = head.log.mode.has(crate::format::LogFileMode::PREALLOCATE);
    if !head.is_missing() && (preallocated || head.log.end_time == 0) { Severity::Note } else { Severity::Damage }
}

/// A header and whether it is believable.
struct Peek {
    size: u32,
    used: u32,
    flags: BufferFlags,
    processor: u16,
    buffer_type: u16,
    sequence: i64,
    time: i64,
    /// Header and first marker.
    plausible: bool,
    /// The header alone.
    header_plausible: bool,
}

impl Peek {
    fn read(bytes: &[u8]) -> Option<Self> {
        let header = BufferHeader::view(bytes)?;
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

    fn info(&self, file: u16, offset: u64, framing: Framing) -> BufferInfo {
        BufferInfo {
            file,
            offset,
            size: self.size,
            used: self.used,
            flags: self.flags,
            processor: self.processor,
            buffer_type: self.buffer_type,
            sequence: self.sequence,
            time: self.time,
            framing,
        }
    }
}

#[cfg(test)]
mod tests;
