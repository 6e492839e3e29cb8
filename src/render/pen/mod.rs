//! Text into memory that was made beforehand.
//!
//! A vector checks its capacity and calls `memcpy` at each push. An event has some dozen of pushes of a few bytes. A
//! [`Pen`] writes blocks of constant size, which compile to one or two moves, and then counts the bytes that are text;
//! the next block overwrites the others.

mod ascii;
mod digits;
mod escape;
mod guid;
mod keyed;
mod mark;
mod tagged;
mod utf16;

pub use escape::Escape;
pub(crate) use escape::JsonEscape;
pub(crate) use mark::Mark;

/// Bytes that a single write may touch beyond its text.
const SLACK: usize = 96;

/// Bytes of constant text, with room after them so that they can be copied in blocks.
#[derive(Clone, Debug, Default)]
pub struct Literal {
    first: [u8; BLOCK],
    /// What does not fit in the first block.
    others: Box<[[u8; BLOCK]]>,
    len: usize,
}

const BLOCK: usize = 32;

impl Literal {
    /// Copies text.
    pub fn new(text: &[u8]) -> Self {
        let others = text.chunks(BLOCK).skip(1).map(padded).collect();
        Self { first: padded(text), others, len: text.len() }
    }

    /// Appends the text.
    pub fn push(&self, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(&self.first);
        self.others.iter().for_each(|block| out.extend_from_slice(block));
        out.truncate(start + self.len);
    }

    /// Returns whether there is no text.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of its bytes.
    pub const fn len(&self) -> usize {
        self.len
    }
}

/// Returns the first bytes of a text with NULs after them.
#[inline]
fn padded<const N: usize>(text: &[u8]) -> [u8; N] {
    let mut block = [0; N];
    block.iter_mut().zip(text).for_each(|(slot, byte)| *slot = *byte);
    block
}

/// Writes text into memory that is used again.
#[derive(Debug, Default)]
pub struct Pen {
    room: Vec<u8>,
    at: usize,
    /// Bytes that were announced.
    most: usize,
    /// Whether something was not written because there was no room.
    is_full: bool,
    /// What [`Pen::with_vec`] hands over.
    pushed: Vec<u8>,
}

impl Pen {
    /// Begins a text of `most` bytes at most, without those of [`Pen::with_vec`].
    #[inline]
    pub fn begin(&mut self, most: usize) {
        (self.at, self.most, self.is_full) = (0, most, false);
        if self.room.len() < most + SLACK {
            self.grow();
        }
    }

    /// Makes room for more bytes than were announced.
    #[inline]
    pub fn more(&mut self, bytes: usize) {
        self.most += bytes;
        if self.room.len() < self.at + self.most + SLACK {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.room.resize(2 * (self.at + self.most) + SLACK, 0);
    }

    /// Returns the text; `None` if it did not have room.
    #[inline]
    pub fn text(&self) -> Option<&[u8]> {
        self.room.get(..self.at).filter(|_| !self.is_full)
    }

    /// Writes what a function pushes to a vector.
    pub fn with_vec<R>(&mut self, push: impl FnOnce(&mut Vec<u8>) -> R) -> R {
        let mut pushed = std::mem::take(&mut self.pushed);
        pushed.clear();
        let result = push(&mut pushed);
        if self.room.len() < self.at + pushed.len() + self.most + SLACK {
            self.most += pushed.len();
            self.grow();
        }
        self.bytes(&pushed);
        self.pushed = pushed;
        result
    }

    /// Returns the place of the next byte.
    #[inline]
    pub const fn place(&self) -> usize {
        self.at
    }

    /// Takes back what was written from a place on.
    #[inline]
    pub const fn rewind(&mut self, place: usize) {
        self.at = place;
    }

    /// Returns what was written from a place on.
    pub fn written(&self, place: usize) -> &[u8] {
        self.room.get(place..self.at).unwrap_or_default()
    }

    /// Returns the last byte; 0 if there is none.
    #[inline]
    pub(crate) fn last(&self) -> u8 {
        self.at.checked_sub(1).and_then(|last| self.room.get(last)).copied().unwrap_or(0)
    }

    /// Writes a block of which the first `len` bytes are text.
    #[inline]
    pub fn block<const N: usize>(&mut self, block: &[u8; N], len: usize) {
        match self.room.get_mut(self.at..).and_then(|rest| rest.first_chunk_mut::<N>()) {
            Some(slot) => {
                *slot = *block;
                self.at += len;
            }
            None => self.is_full = true,
        }
    }

    /// Writes constant text.
    #[inline]
    pub fn literal(&mut self, literal: &Literal) {
        let start = self.at;
        self.block(&literal.first, BLOCK);
        for block in &literal.others {
            self.block(block, BLOCK);
        }
        self.at = start + literal.len;
    }

    /// Writes text of any length.
    #[inline]
    pub fn bytes(&mut self, text: &[u8]) {
        match self.room.get_mut(self.at..self.at + text.len()) {
            Some(slot) => {
                slot.copy_from_slice(text);
                self.at += text.len();
            }
            None => self.is_full = true,
        }
    }

    /// Writes one byte.
    #[inline]
    pub fn byte(&mut self, byte: u8) {
        self.block(&[byte], 1);
    }

    /// Puts text before and after what was written from a place on.
    pub fn enclose(&mut self, place: usize, before: &[u8], after: &[u8]) {
        let (start, end) = (place + before.len(), self.at);
        self.more(before.len() + after.len());
        if place <= end && self.room.get(..end + before.len() + after.len()).is_some() {
            self.room.copy_within(place..end, start);
            self.at = place;
            self.bytes(before);
            self.at += end - place;
            self.bytes(after);
        }
    }

    /// Replaces the last byte, if it is `from`; else writes `to` after it.
    #[inline]
    pub(crate) fn replace_last(&mut self, from: u8, to: u8) {
        match self.at.checked_sub(1).and_then(|last| self.room.get_mut(last)) {
            Some(last) if *last == from => *last = to,
            _ => self.byte(to),
        }
    }
}
