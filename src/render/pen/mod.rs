//! Text into memory that was made beforehand.
//!
//! A vector checks its capacity and calls `memcpy` at each push. An event has some dozen of pushes of a few bytes. A
//! [`Pen`] writes blocks of constant size, which compile to one or two moves, and then counts the bytes that are text;
//! the next block overwrites the others. The room has a constant size, and a place in it is masked, so that a block is
//! written without a check of bounds. Whether a text had room is looked at once, when it is taken.

mod ascii;
mod digits;
mod escape;
mod guid;
mod keyed;
mod literal;
mod mark;
mod room;
mod tagged;
mod utf16;

pub use escape::Escape;
pub(crate) use escape::JsonEscape;
pub use literal::Literal;
pub(crate) use mark::Mark;
pub use room::{Growing, Memory, Room};

/// A pen for texts of any length.
pub type GrowingPen = Pen<Growing>;

/// Writes text into memory that is used again. In a [`Room`], a text that is longer is lost: [`Pen::text`] returns
/// `None`.
#[derive(Debug, Default)]
pub struct Pen<M = Room> {
    room: M,
    at: usize,
    /// Whether a text that was too long has been taken back: it may have overwritten what is before it.
    is_lost: bool,
    /// What [`Pen::with_vec`] hands over.
    pushed: Vec<u8>,
    last_text: LastText,
}

/// The text of UTF-16 that was written last.
#[derive(Clone, Copy, Debug, Default)]
struct LastText {
    /// Bytes from its first one to the end of the payload, which distinguishes it from others of the payload; 0 if
    /// there is none.
    left: usize,
    /// Its places, without the quotes.
    start: usize,
    end: usize,
}

impl<M: Memory> Pen<M> {
    /// Begins a text.
    #[inline]
    pub const fn begin(&mut self) {
        (self.at, self.is_lost, self.last_text.left) = (0, false, 0);
    }

    /// Returns the text; `None` if it did not have room.
    #[inline]
    pub fn text(&self) -> Option<&[u8]> {
        self.room.get(0, self.at).filter(|_| !self.is_lost)
    }

    /// Writes what a function pushes to a vector.
    pub fn with_vec<R>(&mut self, push: impl FnOnce(&mut Vec<u8>) -> R) -> R {
        let mut pushed = std::mem::take(&mut self.pushed);
        pushed.clear();
        let result = push(&mut pushed);
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
        self.is_lost |= self.at > M::MOST;
        self.at = place;
    }

    /// Returns what was written from a place on.
    pub fn written(&self, place: usize) -> &[u8] {
        self.room.get(place, self.at).unwrap_or_default()
    }

    /// Returns the last byte; 0 if there is none.
    #[inline]
    pub fn last(&self) -> u8 {
        self.at.checked_sub(1).map_or(0, |last| self.room.byte(last))
    }

    /// Writes a block of which the first `len` bytes are text.
    #[inline]
    pub fn block<const N: usize>(&mut self, block: &[u8; N], len: usize) {
        self.room.put(self.at, *block);
        self.at += len;
    }

    /// Writes constant text.
    #[inline]
    pub fn literal<const N: usize>(&mut self, literal: &Literal<N>) {
        self.block(&literal.first, literal.len);
        if literal.len > N {
            self.others(literal);
        }
    }

    /// Writes what does not fit in the first block, which has been written.
    #[inline(never)]
    fn others<const N: usize>(&mut self, literal: &Literal<N>) {
        let end = self.at;
        self.at = end - literal.len + N;
        for block in &literal.others {
            self.block(block, N);
        }
        self.at = end;
    }

    /// Writes text of any length.
    #[inline]
    pub fn bytes(&mut self, text: &[u8]) {
        self.room.copy(self.at, text);
        self.at += text.len();
    }

    /// Writes the last text of UTF-16 again, without its first bytes, if as much of the payload was left at its
    /// beginning. Returns whether it did.
    pub(crate) fn text_again(&mut self, left: usize, without: usize) -> bool {
        let LastText { left: known, start, end } = self.last_text;
        let from = start + without;
        let is_known = left == known && from <= end && self.room.copy_within(from..end, self.at);
        if is_known {
            self.at += end - from;
        }
        is_known
    }

    /// Writes one byte.
    #[inline]
    pub fn byte(&mut self, byte: u8) {
        self.block(&[byte], 1);
    }

    /// Puts text before and after what was written from a place on.
    pub fn enclose(&mut self, place: usize, before: &[u8], after: &[u8]) {
        let (start, end) = (place + before.len(), self.at);
        if place <= end && self.room.copy_within(place..end, start) {
            self.at = place;
            self.bytes(before);
            self.at += end - place;
            self.bytes(after);
        }
    }

    /// Replaces the last byte, if it is `from`; else writes `to` after it.
    #[inline]
    pub(crate) fn replace_last(&mut self, from: u8, to: u8) {
        match self.at.checked_sub(1) {
            Some(last) if self.room.byte(last) == from => self.room.put(last, [to]),
            _ => self.byte(to),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_room_is_lost() {
        let mut pen = <Pen>::default();
        let fill = |pen: &mut Pen, len: usize| {
            pen.begin();
            (0..len / 16).for_each(|_| pen.block(b"0123456789abcdef", 16));
        };
        fill(&mut pen, Room::MOST);
        assert_eq!(pen.text().map(<[u8]>::len), Some(Room::MOST));
        pen.byte(b'x');
        assert_eq!(pen.text(), None);
        pen.rewind(10);
        assert_eq!(pen.text(), None);
        fill(&mut pen, 32);
        pen.with_vec(|out| out.resize(Room::MOST - 31, b'x'));
        assert_eq!(pen.text(), None);
        fill(&mut pen, 32);
        pen.with_vec(|out| out.resize(Room::MOST - 32, b'x'));
        assert_eq!(pen.text().map(<[u8]>::len), Some(Room::MOST));
    }

    #[test]
    fn a_growing_pen_has_room_for_all() {
        let mut pen = GrowingPen::default();
        pen.begin();
        (0..Room::MOST / 8).for_each(|_| pen.block(b"0123456789abcdef", 16));
        pen.enclose(4, b"{{", b"}}");
        pen.literal(&Literal::<32>::new(&[b'x'; 100]));
        let text = pen.text().unwrap();
        assert_eq!(text.len(), 2 * Room::MOST + 104);
        assert!(
            text.starts_with(b"0123{{456789abcdef0")
                && text.ends_with(b"ef}}".iter().chain(&[b'x'; 100]).copied().collect::<Vec<_>>().as_slice())
        );
    }
}
