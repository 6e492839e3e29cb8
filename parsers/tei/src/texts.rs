//! Texts of a blob, by offset.

use etwkit::bytes::{Utf16Text, utf16_nul};
use etwkit::error::{Error, Result};

/// Reads NUL-terminated UTF-16 texts at offsets of a blob.
///
/// Many offsets may refer to the same place, so a blob of 64 KiB could expand to gigabytes of text. What all texts take
/// together is limited to a few times the blob, which real blobs never exceed.
#[derive(Debug)]
pub(crate) struct Texts<'b> {
    blob: &'b [u8],
    left: usize,
    /// The offset of the blob in the payload, for errors.
    origin: u32,
}

/// How much longer than the blob all its texts may be.
const FACTOR: usize = 4;

impl<'b> Texts<'b> {
    pub(crate) const fn new(blob: &'b [u8]) -> Self {
        Self::with_origin(blob, 0)
    }

    pub(crate) const fn with_origin(blob: &'b [u8], origin: u32) -> Self {
        Self { blob, left: blob.len() * FACTOR, origin }
    }

    /// Returns the text at `offset`, without the blanks and line ends that TDH leaves at the end of texts from message
    /// tables. `None` for offset 0 or an empty text. A text whose NUL is missing ends with the blob.
    pub(crate) fn get(&mut self, offset: u32, what: &'static str) -> Result<Option<Box<str>>> {
        if offset == 0 {
            return Ok(None);
        }
        let (text, _) = self.raw(offset, what)?;
        let text = text.trim_end();
        Ok((!text.is_empty()).then(|| text.into()))
    }

    /// As [`Texts::get`] for a name of a value, which keeps one blank that is at its end in the blob.
    pub(crate) fn get_with_blank(&mut self, offset: u32, what: &'static str) -> Result<Option<Box<str>>> {
        if offset == 0 {
            return Ok(None);
        }
        let (text, _) = self.raw(offset, what)?;
        let name = text.trim_end();
        let has_blank = text.get(name.len()..).is_some_and(|rest| rest.starts_with(' '));
        let kept = text.get(..name.len() + usize::from(has_blank));
        Ok(kept.filter(|_| !name.is_empty()).map(Box::from))
    }

    /// Returns the texts at `offset`, one after the other up to an empty one.
    pub(crate) fn list(&mut self, offset: u32, what: &'static str) -> Result<Vec<Box<str>>> {
        let mut all = Vec::new();
        let mut at = offset;
        while at != 0 && (at as usize) < self.blob.len() {
            let (text, taken) = self.raw(at, what)?;
            if text.is_empty() {
                break;
            }
            all.push(text.trim_end().into());
            at = at.saturating_add(taken);
        }
        Ok(all)
    }

    fn raw(&mut self, offset: u32, what: &'static str) -> Result<(String, u32)> {
        let place = u64::from(self.origin) + u64::from(offset);
        let Some(rest) = self.blob.get(offset as usize..) else {
            return Err(Error::invalid(what, offset.into()).at(place));
        };
        let (text, taken) = utf16_nul(rest);
        let Some(left) = self.left.checked_sub(taken) else {
            return Err(Error::limit("texts of a blob", self.blob.len() * FACTOR).at(place));
        };
        self.left = left;
        Ok((String::from(Utf16Text(text)), u32::try_from(taken).unwrap_or(u32::MAX)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_lose_the_blank_that_message_tables_leave() {
        // offset 2: "Go ", NUL; offset 10: "a", NUL, "b", NUL, NUL
        let blob = b"\xFF\xFFG\0o\0 \0\0\0a\0\0\0b\0\0\0\0\0";
        let mut texts = Texts::new(blob);
        assert_eq!(texts.get(2, "text").unwrap().as_deref(), Some("Go"));
        assert_eq!(texts.get_with_blank(2, "text").unwrap().as_deref(), Some("Go "));
        assert_eq!(texts.get_with_blank(10, "text").unwrap().as_deref(), Some("a"));
        assert_eq!(texts.get_with_blank(0, "text").unwrap(), None);
        assert_eq!(texts.get(0, "text").unwrap(), None);
        assert_eq!(texts.list(10, "list").unwrap(), ["a".into(), "b".into()] as [Box<str>; 2]);
        assert_eq!(texts.get(18, "text").unwrap(), None);
        assert_eq!(texts.get(99, "text").unwrap_err().offset(), Some(99));
    }

    #[test]
    fn one_long_text_cannot_be_used_without_end() {
        let blob = b"x\0".repeat(100);
        let mut texts = Texts::new(&blob);
        let good = (0..1000).take_while(|_| texts.get(2, "text").is_ok()).count();
        assert_eq!(good, FACTOR);
    }
}
