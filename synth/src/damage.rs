//! Breaks a finished trace and states what a reader can still get out of it (section 16).

use crate::expected::Gap;
use crate::file::Trace;
use crate::narrow::{patch, round_up_8};
use std::ops::Range;

impl Trace {
    /// Cuts the file off at `len`: events that are not whole are lost.
    #[must_use]
    pub fn truncated(mut self, len: usize) -> Self {
        self.bytes.truncate(len);
        let end = self.bytes.len();
        let lost = self.lost(end..usize::MAX);
        let header_cut = self.expected.buffers.iter().map(|b| at(b.offset)).find(|&b| b < end && end < b + 72);
        let partial = lost.map(|range| range.start).filter(|&start| start < end);
        if let Some(start) = header_cut.or(partial) {
            self.gap(start..end);
        }
        self.expected.buffers.retain(|buffer| at(buffer.offset) + 72 <= end);
        self.recount();
        self
    }

    /// Overwrites `range` with zeros, which must be inside the events of plain buffers. An event whose
    /// payload is overwritten in part is still read, with zeros in it: no reader can detect that.
    #[must_use]
    pub fn zeroed(mut self, range: Range<usize>) -> Self {
        self.bytes[range.clone()].fill(0);
        let start = self.zero_payload(&range);
        if let Some(lost) = self.lost(start..range.end) {
            self.gap(lost);
        }
        self.recount();
        self
    }

    /// Zeros the 72-byte header of buffer `index` and the rest of its first 4 KiB: the whole buffer is lost.
    #[must_use]
    pub fn with_zeroed_buffer(mut self, index: usize) -> Self {
        let buffer = self.expected.buffers.remove(index);
        let (start, size) = (at(buffer.offset), crate::narrow::usize_of(buffer.size));
        self.bytes[start..start + size.min(4096)].fill(0);
        self.expected.events.retain(|event| event.buffer != index);
        self.expected.events.iter_mut().filter(|e| e.buffer > index).for_each(|e| e.buffer -= 1);
        self.gap(start..start + size);
        self
    }

    /// Writes another length into event `index` (of `expected.events`), so that it cannot be walked over.
    #[must_use]
    pub fn with_event_size(mut self, index: usize, size: u16) -> Self {
        let Some(range) = self.range_of(index) else { return self };
        let kind = self.bytes[range.start + 2];
        let is_system = self.bytes[range.start + 3] == 0xc0 && matches!(kind, 1..=4 | 16 | 17);
        patch(&mut self.bytes, range.start + if is_system { 4 } else { 0 }, &size.to_le_bytes());
        self.expected.events.remove(index);
        self.gap(range);
        self.recount();
        self
    }

    /// Zeros the end of the payload of the event that `range` begins in; returns where the next event begins.
    fn zero_payload(&mut self, range: &Range<usize>) -> usize {
        for expected in &mut self.expected.events {
            let Some(start) = expected.position.map(at) else { continue };
            let event = &mut expected.event;
            let payload = start + event.header_len..start + event.bytes.len();
            if payload.contains(&range.start) {
                let end = range.end.min(payload.end);
                event.bytes[range.start - start..end - start].fill(0);
                return start + round_up_8(event.bytes.len());
            }
        }
        range.start
    }

    /// Returns the place of event `index` and its padding in the file.
    fn range_of(&self, index: usize) -> Option<Range<usize>> {
        let expected = &self.expected.events[index];
        let start = at(expected.position?);
        Some(start..start + round_up_8(expected.event.bytes.len()))
    }

    /// Removes the events that touch `range`; returns the range they cover.
    fn lost(&mut self, range: Range<usize>) -> Option<Range<usize>> {
        let mut lost: Option<Range<usize>> = None;
        self.expected.events.retain(|expected| {
            let Some(start) = expected.position.map(at) else { return true };
            let end = start + expected.event.bytes.len();
            let keeps = end <= range.start || range.end <= start;
            if !keeps {
                let first = lost.as_ref().map_or(start, |lost| lost.start);
                lost = Some(first..start + round_up_8(expected.event.bytes.len()));
            }
            keeps
        });
        lost
    }

    fn gap(&mut self, range: Range<usize>) {
        self.expected.gaps.push(Gap { offset: range.start as u64, len: range.len() as u64 });
        self.expected.gaps.sort_unstable();
    }

    fn recount(&mut self) {
        for (index, buffer) in self.expected.buffers.iter_mut().enumerate() {
            buffer.events = self.expected.events.iter().filter(|event| event.buffer == index).count();
        }
    }
}

fn at(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}
