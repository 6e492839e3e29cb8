//! The compressed buffers that were unpacked last.
//!
//! Buffers of several processors overlap in time, and the slices of a run cut them: the events of a buffer are needed by
//! several slices, one after the other.

use crate::error::Result;

/// Bytes of unpacked buffers that are kept. At least one is.
const MOST: usize = 4 << 20;
/// How many are kept, whatever their size: they are searched one by one.
const MOST_BUFFERS: usize = 1024;

/// The unpacked bytes of a few buffers.
#[derive(Debug, Default)]
pub(super) struct HeldBuffers {
    buffers: Vec<Held>,
    /// Counts the lookups.
    now: u64,
    /// Bytes of the buffers that are in use.
    in_use: usize,
}

/// An unpacked buffer: memory, and how many bytes of it the buffer has.
#[derive(Debug, Default)]
pub(super) struct Unpacked {
    pub(super) bytes: Vec<u8>,
    pub(super) len: usize,
}

#[derive(Debug, Default)]
struct Held {
    /// `None` if it holds nothing.
    number: Option<u32>,
    buffer: Unpacked,
    used_at: u64,
    /// Whether it must stay.
    in_use: bool,
}

impl HeldBuffers {
    /// Returns the place of a buffer, which `unpack` writes to memory if it is not there. `len` is the number of bytes
    /// that it is about to have. The place is good for [`HeldBuffers::bytes`] until the
    /// next call, or until [`HeldBuffers::release`] after [`HeldBuffers::keep`].
    pub(super) fn get(
        &mut self,
        number: u32,
        len: usize,
        unpack: impl FnOnce(&mut Unpacked) -> Result<()>,
    ) -> Result<usize> {
        self.now += 1;
        let known = self.buffers.iter().position(|held| held.number == Some(number));
        let place = known.unwrap_or_else(|| self.room_for(len));
        let Some(held) = self.buffers.get_mut(place) else { return Ok(place) };
        held.used_at = self.now;
        if known.is_none() {
            // After an error it holds nothing.
            held.number = None;
            unpack(&mut held.buffer)?;
            held.number = Some(number);
        }
        Ok(place)
    }

    /// Returns the bytes of the buffer at a place.
    #[inline]
    pub(super) fn bytes(&self, place: usize) -> &[u8] {
        let buffer = self.buffers.get(place).map(|held| &held.buffer);
        buffer.and_then(|buffer| buffer.bytes.get(..buffer.len)).unwrap_or_default()
    }

    /// Keeps the buffer at a place until [`HeldBuffers::release`]. False if too many are kept already.
    pub(super) fn keep(&mut self, place: usize) -> bool {
        let Some(held) = self.buffers.get_mut(place) else { return false };
        if !held.in_use {
            held.in_use = self.in_use + held.buffer.bytes.len() <= MOST;
            self.in_use += if held.in_use { held.buffer.bytes.len() } else { 0 };
        }
        held.in_use
    }

    /// Keeps a buffer, if it is there, from being the next to be replaced.
    pub(super) fn touch(&mut self, number: u32) {
        self.now += 1;
        if let Some(held) = self.buffers.iter_mut().find(|held| held.number == Some(number)) {
            held.used_at = self.now;
        }
    }

    /// Ends the use of all buffers.
    pub(super) fn release(&mut self) {
        for held in &mut self.buffers {
            held.in_use = false;
        }
        self.in_use = 0;
    }

    /// Returns the place of memory for a buffer: another one, or that of the buffer that was used first.
    fn room_for(&mut self, len: usize) -> usize {
        let kept: usize = self.buffers.iter().map(|held| held.buffer.bytes.len()).sum();
        let is_full = kept + len > MOST || self.buffers.len() >= MOST_BUFFERS;
        let free = self.buffers.iter().enumerate().filter(|(_, held)| is_full && !held.in_use);
        let oldest = free.min_by_key(|(_, held)| held.used_at).map(|(place, _)| place);
        oldest.unwrap_or_else(|| {
            self.buffers.push(Held::default());
            self.buffers.len() - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gets a buffer of some bytes, and returns whether it was unpacked.
    fn get(held: &mut HeldBuffers, number: u32, len: usize) -> bool {
        let mut unpacked = false;
        let place = held.get(number, len, |buffer| {
            unpacked = true;
            buffer.bytes.resize(buffer.bytes.len().max(len), 0);
            buffer.bytes[0] = number as u8;
            buffer.len = len;
            Ok(())
        });
        let bytes = held.bytes(place.unwrap());
        assert_eq!((bytes.len(), bytes[0]), (len, number as u8));
        unpacked
    }

    #[test]
    fn the_last_ones_are_kept() {
        let mut held = HeldBuffers::default();
        let quarter = MOST / 4;
        assert!((0..4).all(|number| get(&mut held, number, quarter)));
        assert!((0..4).all(|number| !get(&mut held, number, quarter)));
        assert!(get(&mut held, 4, quarter) && !get(&mut held, 1, quarter) && get(&mut held, 0, quarter));
        assert_eq!(held.buffers.len(), 4);
    }

    #[test]
    fn a_buffer_that_cannot_be_read_is_not_kept() {
        let mut held = HeldBuffers::default();
        assert!(held.get(7, 10, |_| Err(crate::Error::limit("test", 1))).is_err());
        assert!(get(&mut held, 7, 10));
    }

    #[test]
    fn one_is_kept_whatever_its_size() {
        let mut held = HeldBuffers::default();
        assert!(get(&mut held, 1, 2 * MOST) && !get(&mut held, 1, 2 * MOST) && get(&mut held, 2, 2 * MOST));
        assert_eq!(held.buffers.len(), 1);
    }

    #[test]
    fn those_in_use_stay_and_are_limited() {
        let mut held = HeldBuffers::default();
        let quarter = MOST / 4;
        assert!((0..4).all(|number| get(&mut held, number, quarter)));
        assert!((0..4).all(|place| held.keep(place)));
        assert!(get(&mut held, 4, quarter) && !held.keep(4), "the fifth is too many");
        assert!(get(&mut held, 5, quarter) && held.buffers.len() == 5, "it takes the place of the fifth");
        assert!((0..4).all(|number| !get(&mut held, number, quarter)));
        held.release();
        assert!(get(&mut held, 6, quarter) && held.keep(4) && !get(&mut held, 6, quarter));
    }
}
