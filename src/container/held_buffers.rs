//! The compressed buffers that were unpacked last.
//!
//! Buffers of several processors overlap in time, and the slices of a run cut them: the events of a buffer are needed by
//! several slices, one after the other.

use crate::error::Result;

/// Bytes of unpacked buffers that are kept. At least one is.
const MOST: usize = 4 << 20;

/// The unpacked bytes of a few buffers.
#[derive(Debug, Default)]
pub(super) struct HeldBuffers {
    buffers: Vec<Held>,
    /// Counts the lookups.
    now: u64,
}

#[derive(Debug, Default)]
struct Held {
    /// `None` if it holds nothing.
    number: Option<u32>,
    /// Memory; `len` bytes of it are the buffer.
    bytes: Vec<u8>,
    len: usize,
    used_at: u64,
}

impl HeldBuffers {
    /// Returns a buffer, which `unpack` writes to memory if it is not there. `len` is the number of bytes that it is
    /// about to have; `unpack` returns the real one.
    pub(super) fn get(
        &mut self,
        number: u32,
        len: usize,
        unpack: impl FnOnce(&mut Vec<u8>) -> Result<usize>,
    ) -> Result<&[u8]> {
        self.now += 1;
        let known = self.buffers.iter().position(|held| held.number == Some(number));
        let place = known.unwrap_or_else(|| self.room_for(len));
        let Some(held) = self.buffers.get_mut(place) else { return Ok(&[]) };
        held.used_at = self.now;
        if known.is_none() {
            // After an error it holds nothing.
            held.number = None;
            held.len = unpack(&mut held.bytes)?;
            held.number = Some(number);
        }
        Ok(held.bytes.get(..held.len).unwrap_or_default())
    }

    /// Returns the place of memory for a buffer: another one, or that of the buffer that was used first.
    fn room_for(&mut self, len: usize) -> usize {
        let kept: usize = self.buffers.iter().map(|held| held.bytes.len()).sum();
        let oldest = self.buffers.iter().enumerate().min_by_key(|(_, held)| held.used_at).map(|(place, _)| place);
        oldest.filter(|_| kept + len > MOST).unwrap_or_else(|| {
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
        let bytes = held.get(number, len, |bytes| {
            unpacked = true;
            bytes.resize(bytes.len().max(len), 0);
            bytes[0] = number as u8;
            Ok(len)
        });
        assert_eq!((bytes.as_ref().unwrap().len(), bytes.unwrap()[0]), (len, number as u8));
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
}
