//! Memory that texts are written into.

use std::fmt;
use std::ops::Range;

/// Memory that a [`Pen`](super::Pen) writes into.
pub trait Memory: Default + private::Sealed {
    /// Maximum number of bytes of a text.
    #[doc(hidden)]
    const MOST: usize;

    /// Writes a block at a place.
    #[doc(hidden)]
    #[inline]
    fn put<const N: usize>(&mut self, at: usize, block: [u8; N]) {
        if let Some(slot) = self.window(at) {
            *slot = block;
        }
    }

    /// Returns the bytes from a place on, to be written to.
    #[doc(hidden)]
    fn window<const N: usize>(&mut self, at: usize) -> Option<&mut [u8; N]>;

    /// Returns the byte at a place.
    #[doc(hidden)]
    fn byte(&self, at: usize) -> u8;

    /// Returns the text from a place to another one; `None` if it has no room.
    #[doc(hidden)]
    fn get(&self, start: usize, end: usize) -> Option<&[u8]>;

    /// Writes text of any length at a place, if there is room.
    #[doc(hidden)]
    fn copy(&mut self, at: usize, text: &[u8]);

    /// Copies text to another place. Returns false if there is no room.
    #[doc(hidden)]
    fn copy_within(&mut self, text: Range<usize>, at: usize) -> bool;
}

mod private {
    /// Not for other crates.
    pub trait Sealed {}
    impl Sealed for super::Room {}
    impl Sealed for super::Growing {}
}

/// Memory of constant size. Places in it are masked, so that the compiler knows that a block fits: the places of a text
/// that is longer than [`Room::MOST`] begin at the start again, and the text is lost.
pub struct Room(Box<[u8; Room::MOST + SLACK]>);

/// Memory that grows, for texts of any length.
#[derive(Debug, Default)]
pub struct Growing(Vec<u8>);

/// Bytes that a single write may touch beyond its text.
const SLACK: usize = 256;

impl Memory for Room {
    /// A power of two. A payload has at most 64 KB, and a byte of it becomes nine at most.
    const MOST: usize = 1 << 20;

    #[inline]
    fn window<const N: usize>(&mut self, at: usize) -> Option<&mut [u8; N]> {
        const { assert!(N <= SLACK, "a window at the last place has room") };
        self.0.get_mut(at % Self::MOST..).and_then(|rest| rest.first_chunk_mut())
    }

    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.0.get(at % Self::MOST).copied().unwrap_or(0)
    }

    #[inline]
    fn get(&self, start: usize, end: usize) -> Option<&[u8]> {
        self.0.get(start..end).filter(|_| end <= Self::MOST)
    }

    #[inline]
    fn copy(&mut self, at: usize, text: &[u8]) {
        if let Some(slot) = self.0.get_mut(at..).and_then(|rest| rest.get_mut(..text.len())) {
            slot.copy_from_slice(text);
        }
    }

    fn copy_within(&mut self, text: Range<usize>, at: usize) -> bool {
        let has_room = text.start <= text.end && text.end <= self.0.len() && at + text.len() <= self.0.len();
        if has_room {
            self.0.copy_within(text, at);
        }
        has_room
    }
}

impl Memory for Growing {
    const MOST: usize = usize::MAX;

    #[inline]
    fn window<const N: usize>(&mut self, at: usize) -> Option<&mut [u8; N]> {
        self.reserve(at + N);
        self.0.get_mut(at..).and_then(|rest| rest.first_chunk_mut())
    }

    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or(0)
    }

    #[inline]
    fn get(&self, start: usize, end: usize) -> Option<&[u8]> {
        self.0.get(start..end)
    }

    #[inline]
    fn copy(&mut self, at: usize, text: &[u8]) {
        self.reserve(at + text.len());
        if let Some(slot) = self.0.get_mut(at..).and_then(|rest| rest.get_mut(..text.len())) {
            slot.copy_from_slice(text);
        }
    }

    fn copy_within(&mut self, text: Range<usize>, at: usize) -> bool {
        self.reserve(at + text.len());
        let has_text = text.start <= text.end && text.end <= self.0.len();
        if has_text {
            self.0.copy_within(text, at);
        }
        has_text
    }
}

impl Growing {
    #[inline]
    fn reserve(&mut self, end: usize) {
        if self.0.len() < end {
            self.grow(end);
        }
    }

    #[cold]
    fn grow(&mut self, end: usize) {
        self.0.resize(2 * end + SLACK, 0);
    }
}

impl Default for Room {
    #[expect(clippy::large_stack_arrays, reason = "never made: the slice has the length of the array")]
    fn default() -> Self {
        // The system hands out the pages when they are written to.
        let room = vec![0; Self::MOST + SLACK].into_boxed_slice();
        Self(room.try_into().unwrap_or_else(|_| Box::new([0; Self::MOST + SLACK])))
    }
}

impl fmt::Debug for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Room").finish_non_exhaustive()
    }
}
