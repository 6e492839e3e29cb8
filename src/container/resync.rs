//! Finds the next buffer after damage, where buffers have headers with sizes (Vista and later).
//!
//! Damage handled here: bytes that are not a buffer, of any length. A place counts as a buffer if its header is
//! plausible and what follows it is plausible too, is the end of the file, or is zeros. Multiples of the session's
//! buffer size are tried first. No byte is searched twice, however many buffers lead nowhere.

use std::ops::Range;

use crate::FileId;
use crate::error::Result;
use crate::format::{BufferHeader, Framing};
use crate::input::Input;
use crate::limits;

use super::candidate::{Candidate, PEEK};
use super::content::Content;
use super::scan::scan;
use super::searched_ranges::SearchedRanges;

/// For each such number of bytes in the file, one more multiple of the buffer size is examined: far fewer bytes than a
/// stride of a real session, so that only files of many tiny buffers run out of them.
pub(super) const BYTES_PER_STRIDE: u64 = 64;

/// Looks for buffers from a place on.
#[derive(Debug)]
pub(super) struct Resync<'s> {
    source: &'s Input,
    /// Bytes of the session's buffers; 0 if that is not known.
    stride: u64,
    /// Whether buffers may be compressed: then multiples of the session's buffer size mean nothing.
    packed: bool,
    /// How many more multiples of the session's buffer size may be examined.
    pub(super) strides: u64,
    pub(super) searched: SearchedRanges,
    pub(super) content: Content<'s>,
    scratch: Vec<u8>,
}

impl<'s> Resync<'s> {
    /// Looks for buffers of `stride` bytes, or of any size if they are `packed`.
    pub(super) fn new(source: &'s Input, stride: u64, packed: bool) -> Self {
        let strides = (limits::MAX_REPAIRS * limits::MAX_STRIDES) as u64 + source.len() / BYTES_PER_STRIDE;
        let (searched, content) = (SearchedRanges::default(), Content::new(source));
        Self { source, stride, packed, strides, searched, content, scratch: Vec::new() }
    }

    /// Returns a possible header at `at`; `None` if the file ends within it.
    pub(super) fn candidate(&mut self, at: u64) -> Result<Option<Candidate>> {
        let bytes = self.source.window(at, PEEK, &mut self.scratch)?;
        Ok(Candidate::read(bytes))
    }

    /// Returns the same header as if its flag stated the contrary about compression.
    pub(super) fn other_reading(&mut self, at: u64) -> Result<Option<Candidate>> {
        let bytes = self.source.window(at, PEEK, &mut self.scratch)?;
        Ok(Candidate::read_otherwise(bytes))
    }

    /// Returns whether a plausible buffer or the end of the file is `size` bytes after `at`.
    pub(super) fn follows(&mut self, at: u64, size: u64) -> Result<bool> {
        let left = self.source.len().saturating_sub(at);
        if size == left {
            return Ok(true);
        }
        // A size smaller than a header would let a buffer confirm itself.
        if size < BufferHeader::SIZE as u64 || size > left {
            return Ok(false);
        }
        if self.candidate(at + size)?.is_some_and(|next| next.plausible) {
            return Ok(true);
        }
        // A damaged flag makes no header of another kind of bytes.
        let Some(next) = self.other_reading(at + size)? else { return Ok(false) };
        Ok(next.plausible && self.content.is_whole(&next.info(FileId::FIRST, at + size, Framing::Markers))?)
    }

    /// Returns the next place from `from` on where a plausible buffer begins whose successor is plausible too or is the
    /// end, or whose content speaks for it. `damaged` is where the buffer began that led nowhere; the bytes before it
    /// are not searched again.
    pub(super) fn search(&mut self, damaged: u64, from: u64) -> Result<Option<u64>> {
        let by_stride = if self.stride > 0 && !self.packed { self.search_strides(damaged, from)? } else { None };
        // What was removed or inserted before them moves buffers off the multiples, and a second such damage may move
        // later ones back on.
        let end = by_stride.unwrap_or(self.source.len());
        Ok(self.search_all(damaged, from..end)?.or(by_stride))
    }

    /// As [`Resync::search`], at the places of a range only.
    pub(super) fn search_all(&mut self, damaged: u64, range: Range<u64>) -> Result<Option<u64>> {
        // Frames come in file order, so no later search begins before this place.
        self.searched.forget_before(damaged);
        // Compressed buffers follow each other without alignment (section 2.5), and bytes that were inserted or removed
        // move plain ones anywhere.
        let mut at = range.start;
        loop {
            at = self.searched.skip(at);
            if at >= range.end {
                return Ok(None);
            }
            // Ranges without a buffer are skipped, which keeps the work linear if many headers lead nowhere.
            let stop = self.searched.next_after(at).unwrap_or(range.end).min(range.end);
            let found = self.search_between(at..stop)?;
            self.searched.note(at..found.unwrap_or(stop));
            if found.is_some() {
                return Ok(found);
            }
            at = stop;
        }
    }

    /// Returns the next multiple of the session's buffer size with a plausible buffer.
    fn search_strides(&mut self, damaged: u64, from: u64) -> Result<Option<u64>> {
        // Counted from the damaged place: the first buffer of relogged files is shorter than a stride.
        let mut at = damaged + (from - damaged).next_multiple_of(self.stride);
        for _ in 0..limits::MAX_STRIDES {
            if at >= self.source.len() || self.strides == 0 {
                break;
            }
            self.strides -= 1;
            let size = self.candidate(at)?.filter(|found| found.plausible).map(|found| u64::from(found.size));
            // A plausible header with exactly the session's size is sufficient evidence; its successor may be damaged,
            // too.
            if size == Some(self.stride) {
                return Ok(Some(at));
            }
            at += self.stride;
        }
        Ok(None)
    }

    /// Looks at every place of a range.
    fn search_between(&mut self, range: Range<u64>) -> Result<Option<u64>> {
        scan(self.source, range, PEEK, |start, bytes, new| {
            for at in 0..new {
                let Some(rest) = bytes.get(at..).filter(|rest| BufferHeader::may_begin(rest)) else { continue };
                let Some(found) = Candidate::read(rest).filter(|found| found.plausible) else { continue };
                let here = start + at as u64;
                if self.chains(here, found.size.into())?
                    || self.content.is_whole(&found.info(FileId::FIRST, here, Framing::Markers))?
                {
                    return Ok(Some(here));
                }
            }
            Ok(None)
        })
    }

    /// Returns whether a buffer at `at` of `size` bytes leads to another one, to zeros or to the end.
    fn chains(&mut self, at: u64, size: u64) -> Result<bool> {
        let next = at.saturating_add(size);
        if next >= self.source.len() {
            return Ok(next == self.source.len());
        }
        // Zeros: the unwritten end of a preallocated file.
        let bytes = self.source.window(next, PEEK, &mut self.scratch)?;
        Ok(Candidate::read(bytes).is_some_and(|next| next.plausible) || bytes.iter().all(|&byte| byte == 0))
    }
}
