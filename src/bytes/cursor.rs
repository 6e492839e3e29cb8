//! A reader of structures whose size depends on their content.

use super::{Guid, PointerSize, utf16_nul};
use crate::error::{Error, Result};

/// Reads forward through a slice; every read names what it reads, and errors carry the offset.
#[derive(Clone, Debug)]
pub struct Cursor<'d> {
    bytes: &'d [u8],
    at: usize,
    origin: u64,
}

impl<'d> Cursor<'d> {
    /// Reads `bytes` from the start; offsets in errors count from 0.
    pub const fn new(bytes: &'d [u8]) -> Self {
        Self { bytes, at: 0, origin: 0 }
    }

    /// Reads `bytes`, which begin at `origin` of something larger, so that errors report the place there.
    pub const fn with_origin(bytes: &'d [u8], origin: u64) -> Self {
        Self { bytes, at: 0, origin }
    }

    /// Returns where the next read begins, from the start of the slice.
    pub const fn position(&self) -> usize {
        self.at
    }

    /// Returns the bytes that have not been read.
    pub fn rest(&self) -> &'d [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Returns whether all has been read.
    pub fn is_empty(&self) -> bool {
        self.rest().is_empty()
    }

    /// Takes `len` bytes.
    pub fn take(&mut self, len: usize, what: &'static str) -> Result<&'d [u8]> {
        let Some(bytes) = self.rest().get(..len) else { return Err(self.missing(len, what)) };
        self.at += len;
        Ok(bytes)
    }

    /// Takes a fixed number of bytes.
    pub fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N]> {
        let Some(bytes) = self.rest().first_chunk::<N>() else { return Err(self.missing(N, what)) };
        self.at += N;
        Ok(*bytes)
    }

    /// Takes a `u8`.
    pub fn u8(&mut self, what: &'static str) -> Result<u8> {
        self.array::<1>(what).map(|[b]| b)
    }

    /// Takes a little-endian `u16`.
    pub fn u16(&mut self, what: &'static str) -> Result<u16> {
        self.array(what).map(u16::from_le_bytes)
    }

    /// Takes a little-endian `u32`.
    pub fn u32(&mut self, what: &'static str) -> Result<u32> {
        self.array(what).map(u32::from_le_bytes)
    }

    /// Takes a little-endian `u64`.
    pub fn u64(&mut self, what: &'static str) -> Result<u64> {
        self.array(what).map(u64::from_le_bytes)
    }

    /// Takes a little-endian `i64`.
    pub fn i64(&mut self, what: &'static str) -> Result<i64> {
        self.array(what).map(i64::from_le_bytes)
    }

    /// Takes a pointer of the given size.
    pub fn pointer(&mut self, size: PointerSize, what: &'static str) -> Result<u64> {
        match size {
            PointerSize::Four => self.u32(what).map(u64::from),
            PointerSize::Eight => self.u64(what),
        }
    }

    /// Takes a GUID.
    pub fn guid(&mut self, what: &'static str) -> Result<Guid> {
        self.array(what).map(Guid::from_bytes)
    }

    /// Takes 8-bit text and its NUL, returns the text.
    pub fn nul_terminated(&mut self, what: &'static str) -> Result<&'d [u8]> {
        let Some(len) = self.rest().iter().position(|&b| b == 0) else {
            return Err(self.missing(self.rest().len() + 1, what));
        };
        let text = self.take(len, what)?;
        self.at += 1;
        Ok(text)
    }

    /// Takes UTF-16 text and its NUL; if the NUL is missing, all complete units to the end.
    pub fn utf16_to_nul(&mut self) -> &'d [u8] {
        let (text, consumed) = utf16_nul(self.rest());
        self.at += consumed;
        text
    }

    #[cold]
    fn missing(&self, need: usize, what: &'static str) -> Error {
        Error::truncated(what, need, self.rest().len()).at(self.origin + self.at as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_tells_the_place_in_the_larger_thing() {
        let mut cursor = Cursor::with_origin(&[1, 0, 2], 0x100);
        assert_eq!(cursor.u16("size").unwrap(), 1);
        let error = cursor.u32("offset").unwrap_err();
        assert_eq!(error.offset(), Some(0x102));
        assert_eq!(error.to_string(), "at offset 0x102: offset needs 4 bytes, 1 are left");
    }

    #[test]
    fn a_failed_read_takes_nothing() {
        let mut cursor = Cursor::new(b"ab\0c");
        assert!(cursor.u64("x").is_err());
        assert_eq!(cursor.nul_terminated("name").unwrap(), b"ab");
        assert!(cursor.nul_terminated("name").is_err());
        assert_eq!(cursor.rest(), b"c");
    }
}
