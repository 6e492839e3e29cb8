//! Reading packed buffers.

use crate::bytes::{take_signed_varint, take_varint};
use crate::container::BufferInfo;

use super::layout::{BufferRow, Coder, SegmentRow};
use super::{BufferIndex, End, IndexedSegment};

/// Reads the buffers of a block.
#[derive(Clone, Debug)]
pub(super) struct Unpacker<'p> {
    reader: Reader<'p>,
    before: BufferRow,
    /// What comes next.
    next: End,
}

/// A buffer, and its segments as they are packed.
#[derive(Clone, Debug)]
struct Unpacked<'p> {
    row: BufferRow,
    /// Its own number, and that of its first segment.
    first: End,
    /// How many segments there are.
    count: u32,
    segments: &'p [u8],
}

impl<'p> Unpacker<'p> {
    /// Reads a block, whose first buffer and segment have these numbers.
    pub(super) fn new(block: &'p [u8], first: End) -> Self {
        Self { reader: Reader(block), before: BufferRow::default(), next: first }
    }

    fn next_buffer(&mut self) -> Option<Unpacked<'p>> {
        if self.reader.0.is_empty() {
            return None;
        }
        let mut row = BufferRow::default();
        row.pass(&self.before, &mut self.reader);
        self.before = row;
        let [count, len] = [take_varint(&mut self.reader.0)?, take_varint(&mut self.reader.0)?];
        let (segments, rest) = self.reader.0.split_at_checked(len as usize)?;
        self.reader.0 = rest;
        let first = self.next;
        let count = count as u32;
        self.next = first.plus(End { buffer: 1, segment: count });
        Some(Unpacked { row, first, count, segments })
    }

    /// Returns the segment with a number.
    pub(super) fn segment(mut self, number: u32) -> Option<IndexedSegment> {
        while self.next.segment <= number {
            let buffer = self.next_buffer()?;
            if self.next.segment > number {
                return buffer.segments().nth((number - buffer.first.segment) as usize);
            }
        }
        None
    }

    /// Returns all segments.
    pub(super) fn segments(mut self) -> impl Iterator<Item = IndexedSegment> {
        std::iter::from_fn(move || self.next_buffer()).flat_map(|buffer| buffer.segments())
    }
}

impl<'p> Unpacked<'p> {
    fn segments(&self) -> impl Iterator<Item = IndexedSegment> + use<'p> {
        let Self { row, first, count, segments } = *self;
        let info = row.info();
        let (mut reader, mut last) = (Reader(segments), SegmentRow::before(&row));
        (first.segment..first.segment.saturating_add(count)).map(move |number| {
            let mut row = SegmentRow::default();
            row.pass(&last, &mut reader);
            last = row;
            IndexedSegment { number, segment: row.segment(first.buffer), buffer: info }
        })
    }
}

/// The buffers of a trace, in the order of its files. See [`Trace::buffers`](crate::Trace::buffers).
#[derive(Clone, Debug)]
pub struct Buffers<'t> {
    index: &'t BufferIndex,
    /// The block that is being read.
    block: usize,
    unpacker: Option<Unpacker<'t>>,
    left: usize,
}

impl<'t> Buffers<'t> {
    /// Returns the buffers from a block on.
    pub(super) fn new(index: &'t BufferIndex, block: usize) -> Self {
        let unpacker = index.unpacker(block);
        let before = unpacker.as_ref().map_or(index.end.buffer, |unpacker| unpacker.next.buffer);
        Self { index, block, unpacker, left: (index.end.buffer - before) as usize }
    }

    /// Passes over the buffers before the one with a number.
    pub(super) fn skip_to(&mut self, number: u32) {
        let next = |buffers: &Self| buffers.unpacker.as_ref().map_or(u32::MAX, |unpacker| unpacker.next.buffer);
        while next(self) < number && self.next().is_some() {}
    }
}

impl Iterator for Buffers<'_> {
    type Item = BufferInfo;

    fn next(&mut self) -> Option<BufferInfo> {
        loop {
            if let Some(buffer) = self.unpacker.as_mut()?.next_buffer() {
                self.left = self.left.saturating_sub(1);
                return Some(buffer.row.info());
            }
            self.block += 1;
            self.unpacker = self.index.unpacker(self.block);
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Buffers<'_> {}

impl std::iter::FusedIterator for Buffers<'_> {}

/// Takes numbers from packed bytes. These are our own: what is missing of them would be 0.
#[derive(Clone, Debug)]
struct Reader<'p>(&'p [u8]);

impl Coder for Reader<'_> {
    #[inline]
    fn number(&mut self, value: &mut i64, likely: i64) {
        *value = take_signed_varint(&mut self.0).unwrap_or_default().wrapping_add(likely);
    }

    #[inline]
    fn word(&mut self, value: &mut u32) {
        let (word, rest) = self.0.split_first_chunk().unwrap_or((&[0; size_of::<u32>()], &[]));
        *value = u32::from_le_bytes(*word);
        self.0 = rest;
    }
}
