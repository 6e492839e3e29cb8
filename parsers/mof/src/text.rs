//! Bytes of a file as text, and places in it.

use std::borrow::Cow;

use etwkit::bytes::Utf16Text;
use etwkit::error::{Error, Result};
use etwkit::limits;

/// UTF-16 if the first two bytes say so, as a byte order mark or as a character of ASCII with a zero; else UTF-8, in
/// which what is not valid is replaced: a comment in another code page is no reason to lose a provider.
pub(crate) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>> {
    if bytes.len() > limits::MAX_MOF {
        return Err(Error::limit("bytes of a MOF file", limits::MAX_MOF));
    }
    Ok(match bytes {
        [0xFF, 0xFE, rest @ ..] => wide(rest).into(),
        [1..=0x7F, 0, ..] => wide(bytes).into(),
        [0xFE, 0xFF, rest @ ..] => wide_swapped(rest).into(),
        [0, 1..=0x7F, ..] => wide_swapped(bytes).into(),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest),
        _ => String::from_utf8_lossy(bytes),
    })
}

fn wide(bytes: &[u8]) -> String {
    Utf16Text(bytes).to_string()
}

fn wide_swapped(bytes: &[u8]) -> String {
    let (pairs, _) = bytes.as_chunks::<2>();
    wide(&pairs.iter().flat_map(|[high, low]| [*low, *high]).collect::<Vec<_>>())
}

/// Where the lines of a text begin.
#[derive(Debug)]
pub(crate) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, starts }
    }

    /// Line and column of a byte, from 1. Columns count characters.
    pub(crate) fn place(&self, at: usize) -> Place {
        let line = self.starts.partition_point(|start| *start <= at);
        let start = line.checked_sub(1).and_then(|before| self.starts.get(before)).copied().unwrap_or(0);
        let column = 1 + self.text.get(start..at).map_or(0, |before| before.chars().count());
        Place { line: narrow(line), column: narrow(column) }
    }
}

/// A line and a column, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_tell_the_coding() {
        for bytes in [&b"#a"[..], b"\xEF\xBB\xBF#a", b"\xFF\xFE#\0a\0", b"#\0a\0", b"\xFE\xFF\0#\0a", b"\0#\0a"] {
            assert_eq!(decode(bytes).unwrap(), "#a", "{bytes:?}");
        }
        assert_eq!(decode(b"//\xFF").unwrap(), "//\u{FFFD}");
        assert!(decode(&vec![b' '; limits::MAX_MOF + 1]).is_err());
    }

    #[test]
    fn places_count_lines_and_characters() {
        let lines = Lines::of("ab\n\u{e9}c\n");
        let place = |at| (lines.place(at).line, lines.place(at).column);
        assert_eq!([place(0), place(2), place(3), place(5), place(7)], [(1, 1), (1, 3), (2, 1), (2, 2), (3, 1)]);
    }
}
