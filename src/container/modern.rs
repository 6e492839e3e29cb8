//! Buffers of Vista and later: a header that states how long the buffer is.
//!
//! Damage handled here: a header with a wrong size (the session's size, the end of the compressed stream or a search
//! gives the right one), a good header before a damaged first event, and a first buffer whose header is damaged.
//! Bytes where no buffer begins are for [`super::resync`].

use crate::FileId;
use crate::error::Result;
use crate::format::{BufferHeader, Framing, LogFileMode};
use crate::input::Input;
use crate::limits;

use super::buffer_info::FoundBuffer;
use super::candidate::Candidate;
use super::load::packed_end;
use super::resync::Resync;
use super::unpack_room::{UnpackRoom, cut, is_cut};
use super::{BufferInfo, Head};

/// The buffers of a file.
#[derive(Debug)]
pub(super) struct ModernBuffers<'s> {
    source: &'s Input,
    file: FileId,
    framing: Framing,
    /// Bytes of the session's buffers; 0 if that is not known.
    stride: u64,
    /// Whether buffers may be compressed.
    packed: bool,
    room: UnpackRoom,
    pub(super) resync: Resync<'s>,
}

impl<'s> ModernBuffers<'s> {
    /// The buffers of `source`, the `file`-th input.
    pub(super) fn new(source: &'s Input, file: FileId, head: &Head) -> Self {
        let stride = u64::from(head.stride);
        // Without the log-file header the mode is unknown. Assume compression: its buffers may have any size and place
        // (section 2.5).
        let packed = head.is_missing() || head.log.mode.intersects(LogFileMode::COMPRESSED);
        let resync = Resync::new(source, stride, packed);
        Self { source, file, framing: head.framing(), stride, packed, room: UnpackRoom::new(), resync }
    }

    /// Returns the buffer that begins at `at`, if one does.
    pub(super) fn at(&mut self, at: u64) -> Result<Option<FoundBuffer>> {
        let Some(header) = self.resync.candidate(at)? else { return Ok(None) };
        let header = self.with_right_flag(at, header)?;
        // The first buffer is never rejected: its header may be damaged although its event, the log-file header, is
        // good (section 4.1).
        if at > 0 && !header.plausible && !self.only_marker_is_bad(at, &header)? {
            return Ok(None);
        }
        // A search may find the next buffer beyond the largest possible buffer. The bytes in between are then a gap.
        let size = self.extent(at, &header)?.min(limits::MAX_BUFFER as u64);
        let mut info = self.info(at, &header);
        info.size = u32::try_from(size.min(self.left(at))).unwrap_or(u32::MAX);
        let claimed = self.limit_unpacked(&mut info)?;
        Ok(Some(FoundBuffer { info, size, claimed }))
    }

    /// Returns the header with the flag of compression that its buffer's content speaks for.
    fn with_right_flag(&mut self, at: u64, header: Candidate) -> Result<Candidate> {
        // A stream that is no shorter than its events is stored plain, and events that are longer than their buffer are
        // compressed: all other flags are believed.
        let is_odd = header.is_compressed() == (header.used <= header.size);
        if !is_odd || self.resync.content.is_whole(&self.info(at, &header))? {
            return Ok(header);
        }
        let Some(other) = self.resync.other_reading(at)?.filter(|other| other.plausible) else { return Ok(header) };
        let is_whole = self.resync.content.is_whole(&self.info(at, &other))?;
        Ok(if is_whole { other } else { header })
    }

    /// Limits the used length of a compressed buffer; returns what it was if it was too large.
    fn limit_unpacked(&mut self, info: &mut BufferInfo) -> Result<Option<u32>> {
        if !info.is_compressed() || !UnpackRoom::exceeds_own(info) && !is_cut(info) {
            return Ok(None);
        }
        // A damaged length takes little from those that are right. The beginning of what it claims is there.
        if is_cut(info) || !self.room.has(info) || !self.is_length_believed(info)? {
            return Ok(Some(cut(info)));
        }
        self.room.take(info);
        Ok(None)
    }

    /// Returns whether the used length of a compressed buffer is right as far as that is known: a session writes none
    /// beyond its size, so that only a larger one must be seen to be whole.
    fn is_length_believed(&mut self, info: &BufferInfo) -> Result<bool> {
        let used = u64::from(info.used);
        Ok(used <= self.stride || self.resync.content.take(used) && self.resync.content.is_whole(info)?)
    }

    /// Returns the next buffer after `at`, where none begins.
    pub(super) fn search(&mut self, at: u64) -> Result<Option<u64>> {
        self.resync.search(at, at + 1)
    }

    /// Returns whether a good header that leads to the next buffer is followed by a damaged first event.
    fn only_marker_is_bad(&mut self, at: u64, header: &Candidate) -> Result<bool> {
        Ok(header.header_plausible && self.resync.follows(at, header.size.into())?)
    }

    /// Returns the bytes from this buffer to the next: the size in the header, unless no buffer is there and the
    /// session's size (or a search) leads to one.
    fn extent(&mut self, at: u64, header: &Candidate) -> Result<u64> {
        let size = u64::from(header.size);
        let plain = self.stride > 0 && !header.is_compressed();
        if plain
            && size > self.stride
            && let Some(shorter) = self.within_stride(at, header)?
        {
            return Ok(shorter);
        }
        if self.resync.follows(at, size)? {
            return if self.stride == 0 { self.up_to_next_in_rest(at, header) } else { Ok(size) };
        }
        let own = (BufferHeader::SIZE as u64..=limits::MAX_BUFFER as u64).contains(&size);
        // The session's own size needs no confirmation, because the damaged buffer may be the next one, unless another
        // one begins inside: bytes were removed, or the size is the session's by damage.
        if own && plain && size == self.stride {
            return self.up_to_next_inside(at, header, size);
        }
        if let Some(size) = self.by_content(at, header)? {
            return Ok(size);
        }
        // A wrong size in an otherwise good header: most plain buffers have the session's size (trap 2 has the
        // exceptions).
        if plain && !self.packed && size != self.stride && self.resync.follows(at, self.stride)? {
            return self.up_to_next_inside(at, header, self.stride);
        }
        Ok(match self.resync.search(at, at + BufferHeader::SIZE as u64)? {
            Some(next) if plain => self.within_session_size(next - at),
            Some(next) => next - at,
            // No buffer follows: the size may be right in a file that is cut off, but none is larger than the session's.
            None if plain && !self.packed && (size > self.stride || !own) => self.stride,
            None if own => size,
            None => self.left(at),
        })
    }

    /// No plain buffer is larger than the session's: what begins there, or before the end that the header claims, is
    /// the next one.
    fn within_stride(&mut self, at: u64, header: &Candidate) -> Result<Option<u64>> {
        if !self.packed && self.stride < self.left(at) && self.resync.follows(at, self.stride)? {
            // Where the mode in the log-file header is damaged, too, compressed buffers may begin before it.
            return self.up_to_next_inside(at, header, self.stride).map(Some);
        }
        // The bytes up to the used length belong to this buffer, so the search starts after them.
        let used = u64::from(header.used).clamp(BufferHeader::SIZE as u64, self.stride);
        let next = self.resync.search(at, at + used)?.map(|next| next - at);
        Ok(next.filter(|size| *size < u64::from(header.size)).map(|size| self.within_session_size(size)))
    }

    /// Returns the bytes of a plain buffer whose size is damaged, where the next one that a search finds is `distance`
    /// bytes away. Beyond the session's size, others are in between, whose headers are damaged, too.
    fn within_session_size(&self, distance: u64) -> u64 {
        if self.packed { distance } else { distance.min(self.stride) }
    }

    /// Returns `size`, the bytes of a buffer by its own header or by the session's, unless another buffer begins before
    /// its end.
    fn up_to_next_inside(&mut self, at: u64, header: &Candidate, size: u64) -> Result<u64> {
        let info = BufferInfo { size: u32::try_from(size).unwrap_or(u32::MAX), ..self.info(at, header) };
        if self.resync.content.is_whole(&info)? {
            return self.whole_extent(at, size);
        }
        self.up_to_next_after(at, BufferHeader::SIZE as u64, size)
    }

    /// Returns the bytes to the next buffer, which begins `from` bytes after `at` or later, or `size` if none does.
    fn up_to_next_after(&mut self, at: u64, from: u64, size: u64) -> Result<u64> {
        let inside = at + from..(at + size).min(self.source.len());
        Ok(self.resync.search_all(at, inside)?.map_or(size, |next| next - at))
    }

    /// Returns the size of a buffer that leads to another one. Where no size is known to be the session's, a wrong one
    /// may lead over others, which are then in what should be fill.
    fn up_to_next_in_rest(&mut self, at: u64, header: &Candidate) -> Result<u64> {
        let (size, used) = (u64::from(header.size), u64::from(header.used).max(BufferHeader::SIZE as u64));
        let may_have_others = !header.is_compressed() && used + BufferHeader::SIZE as u64 <= size;
        if !may_have_others || self.resync.content.is_whole(&self.info(at, header))? {
            return Ok(size);
        }
        self.up_to_next_after(at, used, size)
    }

    /// Returns the size of a buffer whose content is whole and that leads nowhere; or the bytes to others that begin
    /// inside it, if the last of them ends after it: a long event or a compressed stream from which bytes were removed
    /// reaches into the next buffers, and looks whole. Buffers that an event carries end within it.
    fn whole_extent(&mut self, at: u64, size: u64) -> Result<u64> {
        let end = (at + size).min(self.source.len());
        let mut from = at + BufferHeader::SIZE as u64;
        // Buffers that follow one another: where the first begins, and the last ends.
        let mut row = from..from;
        while let Some(place) = self.resync.search_all(at, from..end)? {
            let Some(next) = self.resync.candidate(place)? else { break };
            let next_end = place + u64::from(next.size);
            row = if row.end == place { row.start } else { place }..next_end;
            if next_end > end
                && self.resync.follows(place, next.size.into())?
                && self.resync.content.is_whole(&self.info(place, &next))?
            {
                return Ok(row.start - at);
            }
            from = place + 1;
        }
        Ok(size)
    }

    /// Returns the size that a buffer's content speaks for although no buffer follows it: a compressed stream ends
    /// there, or fill does.
    fn by_content(&mut self, at: u64, header: &Candidate) -> Result<Option<u64>> {
        let (size, left) = (u64::from(header.size), self.left(at));
        let info = self.info(at, header);
        if !header.is_compressed() {
            if !self.resync.content.is_whole(&info)? {
                return Ok(None);
            }
            return self.whole_extent(at, size).map(Some);
        }
        // Each attempt unpacks a whole buffer, by each algorithm; the limit keeps a file of bad headers from taking
        // quadratic time.
        if !self.resync.content.take_unpacking(header.used.into(), left) {
            return Ok(None);
        }
        let Some(end) = packed_end(self.source, &info)? else { return Ok(None) };
        // An opened and unused flag word may follow the stream (section 2.5).
        for end in [end, end + 4] {
            if end == size && size <= left {
                return self.whole_extent(at, size).map(Some);
            }
            if self.resync.follows(at, end)? {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    fn info(&self, at: u64, header: &Candidate) -> BufferInfo {
        header.info(self.file, at, self.framing)
    }

    fn left(&self, at: u64) -> u64 {
        self.source.len().saturating_sub(at)
    }
}
