//! Looking through a file, a window at a time.

use std::ops::{Range, RangeInclusive};

use crate::error::Result;
use crate::input::Input;

/// Bytes of a window: few at first, since damaged places may be close together, then more.
const WINDOW: RangeInclusive<usize> = 4 << 10..=1 << 20;

/// Hands out windows of `range`, in order, until `look` finds something; it gets the offset of a window in the file,
/// the window, and how many of its bytes are new. Up to `overlap` bytes of what follows come with each window.
pub(super) fn scan<T>(
    source: &Input,
    range: Range<u64>,
    overlap: usize,
    mut look: impl FnMut(u64, &[u8], usize) -> Result<Option<T>>,
) -> Result<Option<T>> {
    let (mut at, mut len, mut scratch) = (range.start, *WINDOW.start(), Vec::new());
    let end = range.end.min(source.len());
    while at < end {
        len = len.min(usize::try_from(end - at).unwrap_or(len));
        // A header may begin at the end of a window, so the window includes the bytes after it.
        let bytes = source.window(at, len + overlap, &mut scratch)?;
        if bytes.is_empty() {
            break;
        }
        if let Some(found) = look(at, bytes, bytes.len().min(len))? {
            return Ok(Some(found));
        }
        at += len as u64;
        len = (len * 2).min(*WINDOW.end());
    }
    Ok(None)
}
