//! Unpacked buffers that later passes read.
//!
//! The walk unpacks every compressed buffer. Parsers see their events when the walk is over, because they see them in the
//! order of time, and outputs come after the parsers: each would unpack again what it reads. So the buffers of a small
//! file stay as long as its trace is open, and those of a larger file that parsers want until the first pass is over.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::pages::Pages;

/// Files of no more bytes, all together, are small.
const SMALL_FILES: u64 = 8 << 20;
/// Unpacked bytes that are kept of small files.
const MOST_OF_SMALL: usize = 32 << 20;
/// Unpacked bytes that are kept of others.
const MOST: usize = 8 << 20;
/// Bytes of a block, unless it is known how many are needed.
const BLOCK: usize = 4 << 20;
/// Buffers begin at multiples of this.
pub(super) const ALIGNMENT: usize = 8;

/// Unpacked buffers, one after the other in a few blocks of memory.
#[derive(Debug, Default)]
pub(super) struct KeptBuffers {
    blocks: Vec<Block>,
    /// In the order of their numbers.
    buffers: Vec<Kept>,
    /// Where the memory begins, in the last block, that was offered last.
    offered: Option<usize>,
    /// Bytes that the next block has.
    block: usize,
    /// How many more bytes of memory may be taken, by all threads together.
    room: Arc<AtomicUsize>,
    /// Whether buffers that no parser wants are kept as well, and all of them after the first pass.
    is_for_outputs: bool,
}

#[derive(Debug)]
struct Block {
    memory: Pages,
    /// Bytes up to the end of the last buffer.
    used: usize,
}

/// A buffer, and where it is.
#[derive(Clone, Copy, Debug)]
struct Kept {
    number: u32,
    block: u32,
    start: u32,
    len: u32,
}

impl KeptBuffers {
    /// Nothing of files that have some bytes, all together.
    pub(super) fn of_files(bytes: u64) -> Self {
        let is_for_outputs = bytes <= SMALL_FILES;
        let room = Arc::new(AtomicUsize::new(if is_for_outputs { MOST_OF_SMALL } else { MOST }));
        Self { block: BLOCK, room, is_for_outputs, ..Self::default() }
    }

    /// Nothing, with the same room: for another thread.
    pub(super) fn beside(&self) -> Self {
        let Self { room, is_for_outputs, .. } = self;
        Self { block: BLOCK, room: Arc::clone(room), is_for_outputs: *is_for_outputs, ..Self::default() }
    }

    /// States how many bytes the next buffers have together. Of those of a large file few are kept, each in memory of its
    /// own.
    pub(super) const fn expect(&mut self, bytes: usize) {
        self.block = if self.is_for_outputs { bytes } else { 0 };
    }

    /// Whether a buffer is kept that parsers want or do not want.
    pub(super) const fn wants(&self, is_observed: bool) -> bool {
        self.is_for_outputs || is_observed
    }

    /// Returns memory for a buffer of `len` bytes, which is offered again unless [`KeptBuffers::keep`] follows; `None` if
    /// there is no room. What it contains is undefined.
    pub(super) fn offer(&mut self, len: usize) -> Option<&mut [u8]> {
        self.offered = None;
        if self.blocks.last().is_none_or(|last| last.memory.len() - last.used < len) {
            self.add_block(len)?;
        }
        let Block { memory, used } = self.blocks.last_mut()?;
        self.offered = Some(*used);
        memory.get_mut(*used..*used + len)
    }

    /// Keeps a buffer, whose number is above all others, as the first `len` bytes of the memory that was offered last, if
    /// it was.
    pub(super) fn keep(&mut self, number: u32, len: usize) {
        let (Some(start), Some(block)) = (self.offered.take(), self.blocks.len().checked_sub(1)) else { return };
        if let Some(last) = self.blocks.last_mut() {
            last.used = (start + len).next_multiple_of(ALIGNMENT).min(last.memory.len());
        }
        self.buffers.push(Kept { number, block: block as u32, start: start as u32, len: len as u32 });
    }

    /// Takes what is kept; memory of which nothing was kept stays here.
    pub(super) fn take(&mut self) -> Self {
        let mut taken = self.beside();
        if !self.buffers.is_empty() {
            std::mem::swap(self, &mut taken);
        }
        taken
    }

    /// Adds others, whose numbers are above all of these.
    pub(super) fn absorb(&mut self, others: Self) {
        let before = self.blocks.len() as u32;
        self.blocks.extend(others.blocks);
        self.buffers.extend(others.buffers.into_iter().map(|kept| Kept { block: kept.block + before, ..kept }));
    }

    /// Forgets what only the first pass reads.
    pub(super) fn end_first_pass(&mut self) {
        if !self.is_for_outputs {
            *self = Self::default();
        }
    }

    /// Returns the place of the buffer with a number, for [`KeptBuffers::bytes`].
    pub(super) fn place(&self, number: u32) -> Option<usize> {
        self.buffers.binary_search_by_key(&number, |kept| kept.number).ok()
    }

    /// Returns the bytes of the buffer at a place.
    #[inline]
    pub(super) fn bytes(&self, place: usize) -> &[u8] {
        let kept = self.buffers.get(place).copied();
        let bytes = kept.and_then(|Kept { block, start, len, .. }| {
            self.blocks.get(block as usize)?.memory.get(start as usize..start as usize + len as usize)
        });
        bytes.unwrap_or_default()
    }

    /// Adds a block with room for `len` bytes, in the place of one without a buffer.
    fn add_block(&mut self, len: usize) -> Option<()> {
        if let Some(empty) = self.blocks.pop_if(|last| last.used == 0) {
            self.room.fetch_add(empty.memory.len(), Ordering::Relaxed);
        }
        // Less than a whole block may be left.
        let bytes = [len.max(self.block), len].into_iter().find(|bytes| self.take_room(*bytes))?;
        let memory = Pages::new(bytes, self.is_for_outputs)?;
        self.blocks.push(Block { memory, used: 0 });
        Some(())
    }

    /// Takes bytes of the room, if there are as many.
    fn take_room(&self, bytes: usize) -> bool {
        let less = |room: usize| room.checked_sub(bytes);
        self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the buffers that are there, of the first ten.
    fn numbers(kept: &KeptBuffers) -> Vec<u32> {
        (0..10).filter(|number| kept.place(*number).is_some()).collect()
    }

    fn keep(kept: &mut KeptBuffers, number: u32, len: usize) {
        if let Some(memory) = kept.offer(len) {
            memory.fill(number as u8);
        }
        kept.keep(number, len);
    }

    #[test]
    fn threads_share_the_room() {
        let mut kept = KeptBuffers::of_files(u64::MAX);
        let mut others = kept.beside();
        let quarter = MOST / 4;
        for kept in [&mut kept, &mut others] {
            kept.expect(quarter);
        }
        (1..3).for_each(|number| keep(&mut kept, number, quarter));
        (4..9).for_each(|number| keep(&mut others, number, quarter));
        kept.absorb(others);
        assert_eq!(numbers(&kept), [1, 2, 4, 5]);
        for number in numbers(&kept) {
            let bytes = kept.bytes(kept.place(number).unwrap());
            assert!(bytes.len() == quarter && bytes.iter().all(|byte| *byte == number as u8));
        }
        assert!(kept.offer(1).is_none());
    }

    #[test]
    fn memory_that_is_not_kept_is_offered_again() {
        let mut kept = KeptBuffers::of_files(u64::MAX);
        keep(&mut kept, 1, 10);
        for _ in 0..10_000 {
            assert_eq!(kept.offer(MOST / 4).map(|memory| memory.len()), Some(MOST / 4));
        }
        keep(&mut kept, 2, MOST / 4);
        assert_eq!((kept.bytes(0), kept.bytes(1).len()), ([1; 10].as_slice(), MOST / 4));
    }

    #[test]
    fn memory_counts_although_it_is_not_kept() {
        let mut kept = KeptBuffers::of_files(u64::MAX);
        for number in 1..1000 {
            keep(&mut kept, number, 8);
            let _ = kept.offer(BLOCK - 8);
        }
        assert_eq!(kept.blocks.iter().map(|block| block.memory.len()).sum::<usize>(), MOST);
    }

    #[test]
    fn blocks_that_become_larger_take_the_place_of_empty_ones() {
        let mut kept = KeptBuffers::of_files(u64::MAX);
        for len in BLOCK..BLOCK + 1000 {
            assert_eq!(kept.offer(len).map(|memory| memory.len()), Some(len));
        }
        assert_eq!(kept.blocks.len(), 1);
    }

    #[test]
    fn few_buffers_of_a_large_file_take_no_room_for_others() {
        let mut kept = KeptBuffers::of_files(u64::MAX);
        kept.expect(MOST);
        for number in 0..10 {
            keep(&mut kept, number, MOST / 16);
            assert_eq!(kept.take().blocks.iter().map(|block| block.memory.len()).sum::<usize>(), MOST / 16);
            kept.expect(MOST);
        }
    }

    #[test]
    fn an_empty_block_stays_where_nothing_is_taken() {
        let mut kept = KeptBuffers::of_files(u64::MAX);
        assert!(kept.offer(10).is_some() && kept.take().blocks.is_empty() && kept.blocks.len() == 1);
        keep(&mut kept, 1, 10);
        let taken = kept.take();
        assert_eq!((taken.buffers.len(), kept.blocks.len()), (1, 0));
    }

    #[test]
    fn those_of_small_files_stay() {
        let (mut small, mut large) = (KeptBuffers::of_files(SMALL_FILES), KeptBuffers::of_files(SMALL_FILES + 1));
        assert!(small.wants(false) && !large.wants(false) && large.wants(true));
        for kept in [&mut small, &mut large] {
            (0..3).for_each(|number| keep(kept, number, 100));
            kept.end_first_pass();
        }
        assert_eq!(numbers(&small), [0, 1, 2]);
        assert!(numbers(&large).is_empty());
    }
}
