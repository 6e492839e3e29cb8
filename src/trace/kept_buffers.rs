//! Unpacked buffers that later passes read.
//!
//! The walk unpacks every compressed buffer. Parsers see their events when the walk is over, because they see them in the
//! order of time, and outputs come after the parsers: each would unpack again what it reads. So the buffers of a small
//! file stay as long as its trace is open, and those of a larger file that parsers want until the first pass is over.

use super::pages::Pages;

/// Files of no more bytes, all together, are small.
const SMALL_FILES: u64 = 8 << 20;
/// Unpacked bytes that are kept of small files.
const MOST_OF_SMALL: usize = 32 << 20;
/// Unpacked bytes that are kept of others.
const MOST: usize = 8 << 20;
/// Bytes of a block. What is not used of one is never touched.
const BLOCK: usize = 4 << 20;
/// Buffers begin at multiples of this.
const ALIGNMENT: usize = 8;

/// Unpacked buffers, one after the other in a few blocks of memory.
#[derive(Debug, Default)]
pub(super) struct KeptBuffers {
    blocks: Vec<Block>,
    /// In the order of their numbers.
    buffers: Vec<Kept>,
    /// Where the memory begins, in the last block, that was offered last.
    offered: Option<usize>,
    /// How many more bytes of blocks may be touched.
    room: usize,
    /// Whether buffers that no parser wants are kept as well, and all of them after the first pass.
    is_for_outputs: bool,
}

#[derive(Debug)]
struct Block {
    memory: Pages,
    /// Bytes up to the end of the last buffer.
    used: usize,
    /// Bytes that were offered.
    touched: usize,
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
        Self::empty(bytes <= SMALL_FILES)
    }

    fn empty(is_for_outputs: bool) -> Self {
        Self { room: if is_for_outputs { MOST_OF_SMALL } else { MOST }, is_for_outputs, ..Self::default() }
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
        let Block { memory, used, touched } = self.blocks.last_mut()?;
        let end = *used + len;
        self.room = self.room.checked_sub(end.saturating_sub(*touched))?;
        *touched = end.max(*touched);
        self.offered = Some(*used);
        memory.get_mut(*used..end)
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
        let mut taken = Self::empty(self.is_for_outputs);
        if !self.buffers.is_empty() {
            std::mem::swap(self, &mut taken);
        }
        taken
    }

    /// Adds others, whose numbers are above all of these, if there is room for all of them.
    pub(super) fn absorb(&mut self, others: Self) {
        let bytes = others.blocks.iter().map(|block| block.touched).sum();
        let Some(room) = self.room.checked_sub(bytes) else { return };
        self.room = room;
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
            self.room += empty.touched;
        }
        if len > self.room {
            return None;
        }
        let memory = Pages::new(len.max(BLOCK.min(self.room)), self.is_for_outputs)?;
        self.blocks.push(Block { memory, used: 0, touched: 0 });
        Some(())
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
    fn as_many_are_kept_as_there_is_room_for() {
        let (mut kept, mut others) = (KeptBuffers::of_files(u64::MAX), KeptBuffers::of_files(u64::MAX));
        let quarter = MOST / 4;
        (1..3).for_each(|number| keep(&mut kept, number, quarter));
        keep(&mut kept, 3, 2 * quarter + 1);
        keep(&mut others, 4, quarter - 1);
        keep(&mut others, 5, quarter);
        kept.absorb(others);
        assert_eq!(numbers(&kept), [1, 2, 4, 5]);
        for number in numbers(&kept) {
            let bytes = kept.bytes(kept.place(number).unwrap());
            assert_eq!(bytes.len(), quarter - usize::from(number == 4));
            assert!(bytes.iter().all(|byte| *byte == number as u8));
        }
        let mut more = KeptBuffers::of_files(u64::MAX);
        keep(&mut more, 6, quarter);
        kept.absorb(more);
        assert_eq!(numbers(&kept), [1, 2, 4, 5]);
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
    fn what_buffers_touch_counts_although_they_are_not_kept() {
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
    fn what_is_taken_leaves_room_for_as_much() {
        let mut kept = KeptBuffers::of_files(u64::MAX);
        assert!(kept.offer(10).is_some() && kept.take().blocks.is_empty() && kept.blocks.len() == 1);
        for number in 1..100 {
            keep(&mut kept, number, MOST / 2);
            assert_eq!(kept.take().buffers.len(), 1);
        }
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
