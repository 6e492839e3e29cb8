//! Reading a resource by offset.

use std::collections::HashMap;

use etwkit::bytes::{Guid, Utf16Text, u16_at, u32_at, utf16_nul};
use etwkit::error::{Error, Result};

use crate::model::Text;

/// A resource. Everything in it names its place, and many may name the same: what all of them take together is limited.
#[derive(Debug)]
pub(super) struct Blocks<'r> {
    bytes: &'r [u8],
    texts: HashMap<u32, Option<Text>>,
    left: usize,
}

/// How many times the resource what is read from it may take, and what small ones may take anyhow.
const FACTOR: usize = 16;
const LEAST: usize = 1 << 20;

impl<'r> Blocks<'r> {
    pub(super) fn new(bytes: &'r [u8]) -> Self {
        Self { bytes, texts: HashMap::new(), left: bytes.len() * FACTOR + LEAST }
    }

    /// Returns the bytes from `offset` on, at least `len` of them.
    pub(super) fn at(&self, offset: u32, len: usize, what: &'static str) -> Result<&'r [u8]> {
        let rest = self.bytes.get(offset as usize..).unwrap_or_default();
        if rest.len() < len {
            return Err(Error::truncated(what, len, rest.len()).at(offset.into()));
        }
        Ok(rest)
    }

    /// Returns the block at `offset`, which must begin with this signature.
    pub(super) fn block(&self, offset: u32, signature: [u8; 4], len: usize, what: &'static str) -> Result<&'r [u8]> {
        let block = self.at(offset, len, what)?;
        if !block.starts_with(&signature) {
            return Err(Error::invalid(what, u32_at(block, 0).into()).at(offset.into()));
        }
        Ok(block)
    }

    /// `count` elements of `size` bytes that begin at `offset`.
    pub(super) fn list(
        &self,
        offset: u32,
        count: u32,
        size: usize,
        what: &'static str,
    ) -> Result<impl Iterator<Item = (u32, &'r [u8])> + use<'r>> {
        let len = usize::try_from(count).ok().and_then(|count| count.checked_mul(size)).unwrap_or(usize::MAX);
        let bytes = self.at(offset, len, what)?.get(..len).unwrap_or_default();
        // Past the last element there may be no next place.
        let places = std::iter::successors(Some(offset), move |place| Some(place.saturating_add(size as u32)));
        Ok(places.zip(bytes.chunks_exact(size)))
    }

    /// Pays for something that is read.
    pub(super) fn charge(&mut self, bytes: usize, place: u32) -> Result<()> {
        let limit = self.bytes.len() * FACTOR + LEAST;
        let Some(left) = self.left.checked_sub(bytes) else {
            return Err(Error::limit("what a WEVT_TEMPLATE resource takes", limit).at(place.into()));
        };
        self.left = left;
        Ok(())
    }

    /// Returns the string at `offset`: its bytes with those of the number itself, then UTF-16 with a NUL. `None` for 0.
    pub(super) fn text(&mut self, offset: u32) -> Result<Option<Text>> {
        if offset == 0 {
            return Ok(None);
        }
        if let Some(known) = self.texts.get(&offset) {
            return Ok(known.clone());
        }
        let size = u32_at(self.at(offset, 4, "a string")?, 0) as usize;
        let bytes = self.at(offset, size.max(4), "a string")?.get(4..size).unwrap_or_default();
        let text = self.wide(bytes, offset)?;
        self.texts.insert(offset, text.clone());
        Ok(text)
    }

    /// Returns a string at `offset` without the number.
    pub(super) fn bare_text(&mut self, offset: u32) -> Result<Option<Text>> {
        let bytes = self.at(offset, 2, "a string")?;
        self.wide(bytes, offset)
    }

    fn wide(&mut self, bytes: &[u8], place: u32) -> Result<Option<Text>> {
        let (text, taken) = utf16_nul(bytes);
        self.charge(taken, place)?;
        let text = String::from(Utf16Text(text));
        Ok((!text.is_empty()).then(|| text.into()))
    }
}

/// Returns the GUID at `at`, or null if it is not there entirely.
pub(super) fn guid_at(bytes: &[u8], at: usize) -> Guid {
    let bytes = bytes.get(at..).and_then(|bytes| bytes.first_chunk());
    bytes.map_or(Guid::NULL, |bytes| Guid::from_bytes(*bytes))
}

/// Returns the mask at `at`.
pub(super) fn mask_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}

/// Returns a pair of `u16` at `at`.
pub(super) fn pair_at(bytes: &[u8], at: usize) -> (u16, u16) {
    (u16_at(bytes, at), u16_at(bytes, at + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_overlap_are_paid_for_one_by_one() {
        // At every even place a string of 65,537 bytes begins.
        let bytes = [1, 0].repeat(1 << 19);
        let mut blocks = Blocks::new(&bytes);
        let read = (1..1 << 19).take_while(|at| blocks.text(at * 2).is_ok()).count();
        assert_eq!(read, (bytes.len() * FACTOR + LEAST) / 65_532);
        // What was read before costs nothing.
        assert!(blocks.text(2).is_ok() && blocks.text(4).is_ok());
    }
}
