//! Bytes of a file as text, and places in it.

use std::borrow::Cow;

use etwkit::bytes::file_text;
use etwkit::error::{Error, Result};

use crate::limits;

/// Returns the text, whatever its coding.
pub(crate) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>> {
    if bytes.len() > limits::MAX_FILE {
        return Err(Error::limit("bytes of a MOF file", limits::MAX_FILE));
    }
    Ok(file_text(bytes))
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
    fn a_file_that_is_too_large_is_not_read() {
        assert_eq!(decode(b"\xFF\xFE#\0").unwrap(), "#");
        assert!(decode(&vec![b' '; limits::MAX_FILE + 1]).is_err());
    }

    #[test]
    fn places_count_lines_and_characters() {
        let lines = Lines::of("ab\n\u{e9}c\n");
        let place = |at| (lines.place(at).line, lines.place(at).column);
        assert_eq!([place(0), place(2), place(3), place(5), place(7)], [(1, 1), (1, 3), (2, 1), (2, 2), (3, 1)]);
    }
}
