//! `RT_MESSAGETABLE` resources: texts by number.

use std::collections::HashMap;

use etwkit::bytes::{AnsiText, Utf16Text, u16_at, u32_at, utf16_nul};
use etwkit::error::{Error, Result};

use crate::model::{Text, message_text};

/// Texts of one or several message tables. The first table that has a number gives its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Messages {
    texts: HashMap<u32, Text>,
}

/// How many times its bytes the texts of a table may take: blocks may overlap in a crafted one.
const FACTOR: usize = 2;

impl Messages {
    /// No texts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the text with this number, without the line break at its end.
    pub fn get(&self, id: u32) -> Option<Text> {
        self.texts.get(&id).cloned()
    }

    /// Returns how many texts there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Adds a table: a number of blocks, then for each its first and last message and the place of its texts
    /// (`MESSAGE_RESOURCE_DATA` of `winnt.h`).
    pub fn add(&mut self, table: &[u8]) -> Result<()> {
        let count = u32_at(table, 0) as usize;
        let have = table.len().saturating_sub(4) / 12;
        if table.len() < 4 || count > have {
            return Err(Error::truncated("blocks of a message table", count, have).at(0));
        }
        let mut left = table.len() * FACTOR;
        let blocks = table.get(4..4 + count * 12).unwrap_or_default();
        for block in blocks.chunks_exact(12) {
            self.block(table, block, &mut left)?;
        }
        Ok(())
    }

    /// Takes texts whose numbers it lacks from another.
    pub(crate) fn fill(&mut self, other: Self) {
        self.texts = other.texts.into_iter().chain(std::mem::take(&mut self.texts)).collect();
    }

    fn block(&mut self, table: &[u8], block: &[u8], left: &mut usize) -> Result<()> {
        let (low, high, mut at) = (u32_at(block, 0), u32_at(block, 4), u32_at(block, 8) as usize);
        for id in low..=high {
            let entry = table.get(at..).unwrap_or_default();
            let (size, is_wide) = (usize::from(u16_at(entry, 0)), u16_at(entry, 2) & 1 != 0);
            let Some(bytes) = entry.get(4..size.max(4)).filter(|_| size >= 4) else {
                return Err(Error::truncated("a message", size.max(4), entry.len()).at(at as u64));
            };
            *left = left
                .checked_sub(size)
                .ok_or_else(|| Error::limit("texts of a message table", table.len() * FACTOR).at(at as u64))?;
            if let Some(text) = message_text(&text(bytes, is_wide)) {
                self.texts.entry(id).or_insert(text);
            }
            at += size;
        }
        Ok(())
    }
}

/// `MESSAGE_RESOURCE_ENTRY`: UTF-16 or 8-bit, NULs at the end.
fn text(bytes: &[u8], is_wide: bool) -> String {
    if is_wide {
        return String::from(Utf16Text(utf16_nul(bytes).0));
    }
    let len = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    AnsiText(bytes.get(..len).unwrap_or_default()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One block: message 7 is `Hi`, 8 is `8-bit`.
    fn table() -> Vec<u8> {
        let mut table = vec![1, 0, 0, 0]; // one block
        table.extend([7, 0, 0, 0, 8, 0, 0, 0, 16, 0, 0, 0]); // messages 7 to 8, texts at 16
        table.extend([16, 0, 1, 0]); // 16 bytes, UTF-16
        table.extend(b"H\0i\0\r\0\n\0\0\0\0\0");
        table.extend([12, 0, 0, 0]); // 12 bytes, 8-bit
        table.extend(b"8-bit\0\0\0");
        table
    }

    #[test]
    fn texts_lose_their_line_break() {
        let mut messages = Messages::new();
        messages.add(&table()).unwrap();
        assert_eq!((messages.get(7).as_deref(), messages.get(8).as_deref()), (Some("Hi"), Some("8-bit")));
        assert_eq!((messages.get(9), messages.len()), (None, 2));
        // A later table does not change what is there.
        messages.add(&table()).unwrap();
        assert_eq!(messages.len(), 2);
    }

    #[test]
    fn what_cannot_be_is_an_error_with_its_place() {
        let offset = |table: &[u8]| Messages::new().add(table).unwrap_err().offset();
        assert_eq!(offset(&[]), Some(0));
        assert_eq!(offset(&[2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), Some(0));
        assert_eq!(offset(&table()[..40]), Some(32));
        let mut endless = table();
        endless[8..12].copy_from_slice(&u32::MAX.to_le_bytes()); // messages 7 to 0xffffffff
        assert_eq!(offset(&endless), Some(44));
        let mut empty = table();
        empty[16] = 0; // an entry that takes nothing
        assert_eq!(offset(&empty), Some(16));
    }
}
