//! Texts of integers that came before.

use std::collections::HashMap;

use etwkit::FileId;
use etwkit::bytes::PointerSize;
use etwkit::event::EventTypeId;

use crate::array::Array;

/// The memos of a thread.
#[derive(Debug, Default)]
pub(crate) struct Memos(HashMap<MemoPlace, Memo>);

/// What a memo is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MemoPlace {
    pub(crate) key: Option<EventTypeId>,
    pub(crate) column: usize,
    /// Texts of addresses depend on their size.
    pub(crate) pointer: PointerSize,
    /// The file, if texts depend on its clock.
    pub(crate) file: Option<FileId>,
}

/// Memos that are kept: each takes 2 KB, and a crafted trace has many types.
const MOST_MEMOS: usize = 1024;

impl Memos {
    /// Takes the memo of a column.
    pub(crate) fn take(&mut self, place: MemoPlace) -> Memo {
        self.0.remove(&place).unwrap_or_default()
    }

    /// Puts it back.
    pub(crate) fn put(&mut self, place: MemoPlace, memo: Memo) {
        if self.0.len() >= MOST_MEMOS {
            self.0.clear();
        }
        self.0.insert(place, memo);
    }
}

/// The texts of some integers: most columns that show integers as texts have few different ones.
#[derive(Debug)]
pub(crate) struct Memo(Box<[Known]>);

/// A text, and the integer whose it is.
#[derive(Clone, Copy, Debug)]
struct Known {
    key: u64,
    /// Bytes of the text; [`NOTHING`] if there is none.
    len: u8,
    text: [u8; MOST],
}

/// Bytes of a text that is kept.
const MOST: usize = 47;
/// Texts that are kept.
const SLOTS: usize = 32;
const NOTHING: u8 = u8::MAX;

impl Default for Memo {
    fn default() -> Self {
        Self(vec![Known { key: 0, len: NOTHING, text: [0; MOST] }; SLOTS].into())
    }
}

impl Memo {
    /// Appends the text of an integer, which `make` appends if it is not known.
    #[inline]
    pub(crate) fn push(&mut self, key: u64, array: &mut Array, make: impl FnOnce(&mut Array)) {
        let mixed = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SLOTS.trailing_zeros());
        let Some(known) = self.0.get_mut(mixed as usize) else { return make(array) };
        if known.key == key
            && let Some(text) = known.text.get(..usize::from(known.len))
        {
            array.push_bytes(text);
            return;
        }
        make(array);
        let text = array.last_text().filter(|_| array.validity().is_valid(array.len().saturating_sub(1)));
        if let Some(text) = text
            && let Some(slot) = known.text.get_mut(..text.len())
        {
            slot.copy_from_slice(text);
            (known.key, known.len) = (key, text.len() as u8);
        }
    }
}
