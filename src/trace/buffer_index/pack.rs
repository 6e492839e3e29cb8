//! Packing buffers.

use crate::bytes::{push_signed_varint, push_varint};
use crate::container::BufferInfo;
use crate::trace::segment::Segment;

use super::layout::{BufferRow, Coder, SegmentRow};

/// Packs the buffers of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Packer {
    before: BufferRow,
    /// The segments of one buffer, whose length comes before them.
    segments: Vec<u8>,
}

impl Packer {
    /// Appends a buffer and its segments to `out`.
    pub(super) fn push(&mut self, buffer: &BufferInfo, segments: &[Segment], out: &mut Vec<u8>) {
        let Self { before, segments: packed } = self;
        let mut row = BufferRow::new(buffer, segments, before);
        row.pass(before, &mut Writer(out));
        *before = row;
        packed.clear();
        let mut last = SegmentRow::before(&row);
        for segment in segments {
            let mut row = SegmentRow::new(segment);
            row.pass(&last, &mut Writer(packed));
            last = row;
        }
        for number in [segments.len(), packed.len()] {
            push_varint(out, number as u64);
        }
        out.extend_from_slice(packed);
    }
}

/// Appends numbers to packed bytes.
struct Writer<'o>(&'o mut Vec<u8>);

impl Coder for Writer<'_> {
    fn number(&mut self, value: &mut i64, likely: i64) {
        push_signed_varint(self.0, value.wrapping_sub(likely));
    }

    fn word(&mut self, value: &mut u32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }
}
