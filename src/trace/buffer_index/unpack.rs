//! Reading packed buffers.

use crate::bytes::{take_signed_varint, take_varint};
use crate::container::BufferInfo;

use super::layout::{BufferRow, Coder, SegmentRow};
use super::numbers::{IndexedSegment, Next};

/// Reads the buffers of a block.
#[derive(Clone, Debug)]
pub(super) struct Unpacker<'p> {
    reader: Reader<'p>,
    before: BufferRow,
    /// What comes next.
    next: Next,
}

/// A buffer, and its segments as they are packed.
#[derive(Clone, Debug)]
struct Unpacked<'p> {
    row: BufferRow,
    /// Its own number, and that of its first segment.
    first: Next,
    /// How many segments there are.
    count: u32,
    segments: &'p [u8],
}

impl<'p> Unpacker<'p> {
    /// Reads a block, whose first buffer and segment have these numbers.
    pub(super) fn new(block: &'p [u8], first: Next) -> Self {
        Self { reader: Reader(block), before: BufferRow::default(), next: first }
    }

    /// Returns the number of the next buffer.
    pub(super) const fn next_number(&self) -> u32 {
        self.next.buffer
    }

    /// Returns the next buffer, without its segments.
    pub(super) fn next_info(&mut self) -> Option<BufferInfo> {
        self.next_buffer().map(|buffer| buffer.row.info())
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
        self.next = first.plus(Next { buffer: 1, segment: count });
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
