//! Memory of constant size, which is written to without checks of bounds.

use std::fmt;
use std::ops::Range;

/// Memory for a text. Places in it are masked, so that the compiler knows that a block fits: the places of a text that is
/// longer than [`Room::MOST`] begin at the start again.
pub(super) struct Room(Box<[u8; Room::MOST + SLACK]>);

/// Bytes that a single write may touch beyond its text.
const SLACK: usize = 256;

impl Room {
    /// Most bytes of a text: a power of two. A payload has at most 64 KB, and a byte of it becomes nine at most.
    pub(super) const MOST: usize = 1 << 20;

    /// Writes a block at a place.
    #[inline]
    pub(super) fn put<const N: usize>(&mut self, at: usize, block: [u8; N]) {
        const { assert!(N <= SLACK, "a block at the last place has room") };
        if let Some(slot) = self.0.get_mut(at % Self::MOST..).and_then(|rest| rest.first_chunk_mut()) {
            *slot = block;
        }
    }

    /// Returns the byte at a place.
    #[inline]
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.0.get(at % Self::MOST).copied().unwrap_or(0)
    }

    /// Returns the text from a place to another one; `None` if it has no room.
    #[inline]
    pub(super) fn get(&self, start: usize, end: usize) -> Option<&[u8]> {
        self.0.get(start..end).filter(|_| end <= Self::MOST)
    }

    /// Writes text of any length at a place, if there is room.
    #[inline]
    pub(super) fn copy(&mut self, at: usize, text: &[u8]) {
        if let Some(slot) = self.0.get_mut(at..).and_then(|rest| rest.get_mut(..text.len())) {
            slot.copy_from_slice(text);
        }
    }

    /// Copies text to a place behind it. Returns false if there is no room.
    pub(super) fn copy_within(&mut self, text: Range<usize>, at: usize) -> bool {
        let Some((before, after)) = self.0.split_at_mut_checked(at) else { return false };
        let (Some(text), Some(slot)) = (before.get(text.clone()), after.get_mut(..text.len())) else { return false };
        slot.copy_from_slice(text);
        true
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
