//! Blocks of packed buffers.

use super::numbers::Next;
use super::unpack::Unpacker;

/// The packed bytes of all buffers, and where blocks begin in them.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    bytes: Vec<u8>,
    list: Vec<Block>,
    end: Next,
}

/// Where a block begins.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// In the packed bytes.
    at: usize,
    /// Its first buffer and segment.
    first: Next,
}

impl Blocks {
    /// Returns how many there are.
    pub(super) const fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns the numbers that come after all.
    pub(super) const fn end(&self) -> Next {
        self.end
    }

    /// Returns how many buffers the last block has; without a block, more than any has.
    pub(super) fn buffers_of_last(&self) -> u32 {
        self.list.last().map_or(u32::MAX, |last| self.end.buffer - last.first.buffer)
    }

    /// Begins another block.
    pub(super) fn begin(&mut self) {
        self.list.push(Block { at: self.bytes.len(), first: self.end });
    }

    /// Adds a buffer with some segments, which a function appends to the bytes.
    pub(super) fn push(&mut self, segments: usize, append: impl FnOnce(&mut Vec<u8>)) {
        append(&mut self.bytes);
        self.end = self.end.plus(Next { buffer: 1, segment: segments as u32 });
    }

    /// Adds the blocks of others.
    pub(super) fn append(&mut self, others: &Self) {
        let (at, end) = (self.bytes.len(), self.end);
        self.bytes.extend_from_slice(&others.bytes);
        let moved = |block: &Block| Block { at: at + block.at, first: end.plus(block.first) };
        self.list.extend(others.list.iter().map(moved));
        self.end = end.plus(others.end);
    }

    /// Returns the block that has a segment.
    pub(super) fn of_segment(&self, number: u32) -> Option<usize> {
        self.list.partition_point(|block| block.first.segment <= number).checked_sub(1)
    }

    /// Returns the block that has a buffer, or the last one.
    pub(super) fn of_buffer(&self, number: u32) -> usize {
        self.list.partition_point(|block| block.first.buffer <= number).saturating_sub(1)
    }

    /// Reads a block.
    pub(super) fn unpacker(&self, block: usize) -> Option<Unpacker<'_>> {
        let Block { at, first } = *self.list.get(block)?;
        let end = self.list.get(block + 1).map_or(self.bytes.len(), |next| next.at);
        Some(Unpacker::new(self.bytes.get(at..end)?, first))
    }

    /// Returns the bytes that all take.
    #[cfg(test)]
    pub(super) fn memory(&self) -> usize {
        self.bytes.len() + self.list.len() * size_of::<Block>()
    }
}
