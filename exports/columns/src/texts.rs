//! Texts that batches share.

use std::collections::HashMap;
use std::sync::Arc;

/// Texts by their codes: what [`Values::Codes`](crate::Values::Codes) refer to. Code 0 is the empty text, which nulls
/// have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texts {
    ends: Vec<u32>,
    bytes: Vec<u8>,
}

impl Default for Texts {
    fn default() -> Self {
        Self { ends: vec![0, 0], bytes: Vec::new() }
    }
}

impl Texts {
    /// Returns how many texts there are, at least one. All codes are below.
    pub const fn count(&self) -> usize {
        self.ends.len() - 1
    }

    /// Returns a text, UTF-8; `None` if no text has the code.
    pub fn get(&self, code: u32) -> Option<&[u8]> {
        let code = code as usize;
        let (start, end) = (*self.ends.get(code)?, *self.ends.get(code + 1)?);
        self.bytes.get(start as usize..end as usize)
    }

    /// Returns the places in [`Texts::bytes`] where texts end, after a first 0: as
    /// [`Values::Text`](crate::Values::Text) has them.
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// Returns the UTF-8 of all texts, one after the other.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Appends a text and returns its code; `None` if it has no room.
    fn push(&mut self, text: &[u8]) -> Option<u32> {
        let code = u32::try_from(self.count()).ok()?;
        let end = u32::try_from(self.bytes.len() + text.len()).ok()?;
        self.bytes.extend_from_slice(text);
        self.ends.push(end);
        Some(code)
    }
}

/// Finds the codes of texts. One that is new gets the next code: batches that were handed over keep their texts.
#[derive(Debug, Default)]
pub(crate) struct Coder {
    codes: HashMap<Box<[u8]>, u32>,
    texts: Arc<Texts>,
}

/// Texts with which another batch may begin. Beyond that all are forgotten: a crafted trace has a provider an event.
const MOST: usize = 1 << 16;
/// Their bytes.
const MOST_BYTES: usize = 4 << 20;

impl Coder {
    /// Returns the code of a text, and whether it is new; `None` if there is no room.
    pub(crate) fn code(&mut self, text: &[u8]) -> Option<(u32, bool)> {
        if text.is_empty() {
            return Some((0, false));
        }
        if let Some(code) = self.codes.get(text) {
            return Some((*code, false));
        }
        let code = Arc::make_mut(&mut self.texts).push(text)?;
        self.codes.insert(text.into(), code);
        Some((code, true))
    }

    /// Returns the texts of all codes so far.
    pub(crate) fn texts(&self) -> Arc<Texts> {
        Arc::clone(&self.texts)
    }

    /// Returns whether there are so many texts that another batch should begin without them.
    pub(crate) fn is_large(&self) -> bool {
        self.texts.count() > MOST || self.texts.bytes.len() > MOST_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_stay_and_texts_of_batches_too() {
        let mut coder = Coder::default();
        let codes: Vec<_> = [&b""[..], b"a", b"", b"bc", b"a"].map(|text| coder.code(text).unwrap()).into();
        assert_eq!(codes, [(0, false), (1, true), (0, false), (2, true), (1, false)]);
        let first = coder.texts();
        assert!(!coder.is_large() && Arc::ptr_eq(&first, &coder.texts()));
        assert_eq!(coder.code(b"d"), Some((3, true)));
        assert_eq!((first.count(), coder.texts().count()), (3, 4));
        let texts: Vec<_> = (0..5).map(|code| coder.texts().get(code).map(<[u8]>::to_vec)).collect();
        assert_eq!(texts, [Some(vec![]), Some(b"a".into()), Some(b"bc".into()), Some(b"d".into()), None]);
    }

    #[test]
    fn many_texts_are_noticed() {
        let mut coder = Coder::default();
        for number in 0..=MOST {
            coder.code(number.to_string().as_bytes()).unwrap();
        }
        assert!(coder.is_large());
    }
}
