//! Numbers of 7 bits per byte, and what is made of them.

use etwkit::bytes::Cursor;
use etwkit::error::{Error, Result};

/// Reads the parts of a provider.
#[derive(Debug)]
pub(super) struct Numbers<'b>(Cursor<'b>);

impl<'b> Numbers<'b> {
    pub(super) const fn new(bytes: &'b [u8]) -> Self {
        Self(Cursor::new(bytes))
    }

    /// Returns how many bytes have been read.
    pub(super) const fn position(&self) -> usize {
        self.0.position()
    }

    /// Returns the next number.
    pub(super) fn number(&mut self) -> Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.0.u8("number in a pack")?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Error::invalid("number in a pack", value))
    }

    /// Returns the next number, in as many bits as its place has.
    pub(super) fn small<T: TryFrom<u64>>(&mut self) -> Result<T> {
        let value = self.number()?;
        T::try_from(value).map_err(|_| Error::invalid("number in a pack", value))
    }

    /// Returns the next number, which is a place in a list of that many.
    pub(super) fn place(&mut self, len: usize) -> Result<u32> {
        let value = self.number()?;
        let place = u32::try_from(value).ok().filter(|_| value < len as u64);
        place.ok_or_else(|| Error::invalid("place in a pack", value))
    }

    /// Returns how many of something follow. Each takes at least a byte, so that no number can ask for more memory than
    /// the pack's own size allows.
    pub(super) fn count(&mut self) -> Result<usize> {
        let count = self.number()?;
        let left = self.0.rest().len();
        usize::try_from(count)
            .ok()
            .filter(|count| *count <= left)
            .ok_or_else(|| Error::invalid("count in a pack", count))
    }

    /// Returns a list with its count before it.
    pub(super) fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let count = self.count()?;
        let mut list = Vec::with_capacity(count);
        for _ in 0..count {
            list.push(one(self)?);
        }
        Ok(list)
    }

    /// As many numbers as there are rows.
    pub(super) fn column<T: TryFrom<u64>>(&mut self, rows: usize) -> Result<Vec<T>> {
        (0..rows).map(|_| self.small()).collect()
    }

    /// Bytes as they are.
    pub(super) fn bytes(&mut self, len: usize) -> Result<&'b [u8]> {
        self.0.take(len, "text in a pack")
    }

    /// Returns the next byte.
    pub(super) fn byte(&mut self) -> Result<u8> {
        self.0.u8("byte in a pack")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_seven_bits_a_byte() {
        let mut numbers = Numbers::new(&[0x05, 0xac, 0x02, 0x80, 0x80, 0x04]);
        assert_eq!([5, 300, 1 << 16], [0; 3].map(|_| numbers.number().unwrap()));
        assert!(numbers.number().is_err());
        assert!(Numbers::new(&[0xff; 11]).number().is_err());
    }

    #[test]
    fn a_count_cannot_exceed_what_is_left() {
        assert_eq!(Numbers::new(&[2, 0, 0]).count().unwrap(), 2);
        assert!(Numbers::new(&[3, 0, 0]).count().is_err());
        assert!(Numbers::new(&[0xff, 0xff, 0xff, 0xff, 0x0f]).count().is_err());
    }
}
