//! Going through the buffers of a trace.

use crate::container::BufferInfo;

use super::blocks::Blocks;
use super::unpack::Unpacker;

/// The buffers of a trace, in the order of its files. See [`Trace::buffers`](crate::Trace::buffers).
#[derive(Clone, Debug)]
pub struct Buffers<'t> {
    blocks: &'t Blocks,
    /// The block that is being read.
    block: usize,
    unpacker: Option<Unpacker<'t>>,
    left: usize,
}

impl<'t> Buffers<'t> {
    /// Returns the buffers from one on.
    pub(super) fn from(blocks: &'t Blocks, number: u32) -> Self {
        let block = blocks.of_buffer(number);
        let unpacker = blocks.unpacker(block);
        let before = unpacker.as_ref().map_or(blocks.end().buffer, Unpacker::next_number);
        let mut buffers = Self { blocks, block, unpacker, left: (blocks.end().buffer - before) as usize };
        for _ in before..number.min(blocks.end().buffer) {
            let _ = buffers.next();
        }
        buffers
    }
}

impl Iterator for Buffers<'_> {
    type Item = BufferInfo;

    fn next(&mut self) -> Option<BufferInfo> {
        loop {
            if let Some(info) = self.unpacker.as_mut()?.next_info() {
                self.left = self.left.saturating_sub(1);
                return Some(info);
            }
            self.block += 1;
            self.unpacker = self.blocks.unpacker(self.block);
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Buffers<'_> {}

impl std::iter::FusedIterator for Buffers<'_> {}
