//! Texts of a few values.

use crate::FileId;
use crate::render::pen::Pen;

/// The last text of some values: flags, dates of builds and the like repeat.
#[derive(Clone, Debug)]
pub(super) struct Memo {
    entries: [Entry; ENTRIES],
}

const ENTRIES: usize = 8;

#[derive(Clone, Copy, Debug)]
struct Entry {
    number: u64,
    file: FileId,
    /// 0 if there is no text.
    len: u16,
    text: [u8; Memo::MOST],
}

impl Default for Memo {
    fn default() -> Self {
        Self { entries: [Entry { number: 0, file: FileId::FIRST, len: 0, text: [0; Self::MOST] }; ENTRIES] }
    }
}

impl Memo {
    /// The longest text that is remembered.
    pub(super) const MOST: usize = 64;

    /// Writes the text of a number, as `write` does if it is not known. It may depend on the file.
    #[inline]
    pub(super) fn write(&mut self, pen: &mut Pen, number: u64, file: FileId, write: impl FnOnce(&mut Pen)) {
        let mixed = number ^ number >> 16 ^ number >> 32;
        let Some(entry) = self.entries.get_mut((mixed ^ mixed >> 8 ^ mixed >> 3) as usize % ENTRIES) else { return };
        if entry.number == number && entry.file == file && entry.len > 0 {
            return pen.block(&entry.text, entry.len.into());
        }
        let place = pen.place();
        write(pen);
        entry.remember(number, file, pen.written(place));
    }
}

impl Entry {
    #[cold]
    fn remember(&mut self, number: u64, file: FileId, text: &[u8]) {
        self.len = 0;
        if let Some(room) = self.text.get_mut(..text.len()) {
            room.copy_from_slice(text);
            (self.number, self.file, self.len) = (number, file, text.len() as u16);
        }
    }
}
