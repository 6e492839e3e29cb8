//! Aligned columns.

use std::io::{self, Write};
use std::sync::Arc;

use etwkit::render::terminal;

use crate::rows::{Cell, Column, Kind};

/// Rows by which the widths of the columns go; what is wider later pushes the rest of its line.
const SAMPLE: usize = 1000;
/// Wider cells do not move others.
const WIDEST: usize = 60;
/// Columns are no wider than this for the sake of their titles: longer ones push the rest of their line.
const MAX_TITLE: usize = 200;
/// Blanks in place of cells that are not there, at most: a line has few cells of thousands of columns.
const MAX_BLANKS: usize = 4096;

/// Keeps the first rows until it knows how wide columns are.
#[derive(Debug, Default)]
pub(super) struct Aligned {
    sample: Vec<Vec<String>>,
    /// Width and kind of each column, once they are known.
    widths: Option<Arc<[(usize, Kind)]>>,
    titles: Vec<(String, Kind)>,
    /// Memory for a line.
    text: Vec<u8>,
}

impl Aligned {
    /// Returns whether the columns are known.
    pub(super) const fn has_begun(&self) -> bool {
        self.widths.is_some()
    }

    /// Returns width and kind of each column, once they are known.
    pub(super) fn widths(&self) -> Option<Arc<[(usize, Kind)]>> {
        self.widths.clone()
    }

    pub(super) fn row<'c>(
        &mut self,
        cells: impl Iterator<Item = (&'c Column, &'c Cell)>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        if let Some(widths) = &self.widths {
            return row(cells, widths, &mut self.text, out);
        }
        let is_first = self.titles.is_empty();
        let mut row = Vec::new();
        for (column, cell) in cells {
            if is_first {
                self.titles.push(title(column));
            }
            row.push(cell.shown(column.kind).into_owned());
        }
        self.sample.push(row);
        if self.sample.len() < SAMPLE { Ok(()) } else { self.print_sample(out) }
    }

    #[expect(single_use_lifetimes, reason = "an iterator's items cannot do without one yet")]
    pub(super) fn finish<'c>(
        mut self,
        columns: impl Iterator<Item = &'c Column>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        if self.titles.is_empty() {
            self.titles = columns.map(title).collect();
        }
        if self.widths.is_none() { self.print_sample(out) } else { Ok(()) }
    }

    fn print_sample(&mut self, out: &mut impl Write) -> io::Result<()> {
        let width = |(at, (title, kind)): (usize, &(String, Kind))| {
            let cells = || self.sample.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count());
            let width = cells().filter(|len| *len <= WIDEST).max().unwrap_or(0);
            // A column that no row has is not there.
            let is_empty = cells().all(|len| len == 0) && !self.sample.is_empty();
            (if is_empty { 0 } else { width.max(title.chars().count().min(MAX_TITLE)) }, *kind)
        };
        let widths: Arc<[(usize, Kind)]> = self.titles.iter().enumerate().map(width).collect();
        let title = |((title, _), (width, _)): (&'_ (String, Kind), &(usize, Kind))| {
            pushed(if *width == 0 { String::new() } else { title.clone() })
        };
        let text = &mut self.text;
        line(self.titles.iter().zip(&*widths).map(title), &widths, text, out)?;
        self.sample.drain(..).try_for_each(|row| line(row.into_iter().map(pushed), &widths, text, out))?;
        self.widths = Some(widths);
        Ok(())
    }
}

fn title(column: &Column) -> (String, Kind) {
    (terminal::escaped(&column.name).into_owned(), column.kind)
}

/// Returns what appends a text.
fn pushed(text: String) -> impl FnOnce(&mut Vec<u8>) {
    move |out| out.extend_from_slice(text.as_bytes())
}

/// Writes the line of a row; `text` is memory that is used again.
pub(super) fn row<'c>(
    cells: impl Iterator<Item = (&'c Column, &'c Cell)>,
    widths: &[(usize, Kind)],
    text: &mut Vec<u8>,
    out: &mut impl Write,
) -> io::Result<()> {
    line(cells.map(|(column, cell)| move |text: &mut Vec<u8>| cell.push_shown(text, column.kind)), widths, text, out)
}

/// Writes a line of cells, which are given by what appends them; `text` is memory that is used again.
pub(super) fn line(
    cells: impl Iterator<Item = impl FnOnce(&mut Vec<u8>)>,
    widths: &[(usize, Kind)],
    text: &mut Vec<u8>,
    out: &mut impl Write,
) -> io::Result<()> {
    text.clear();
    // Blanks that are written when something follows them.
    let mut blanks = 0;
    for (cell, (width, kind)) in cells.zip(widths) {
        let start = text.len();
        text.resize(start + blanks, b' ');
        let begin = text.len();
        cell(text);
        let chars = text.get(begin..).map_or(0, count_chars);
        if chars == 0 {
            text.truncate(start);
            blanks = (blanks + if *width > 0 { width + 2 } else { 0 }).min(MAX_BLANKS);
            continue;
        }
        let missing = width.saturating_sub(chars);
        let is_left = matches!(kind, Kind::Text | Kind::Time);
        if !is_left {
            text.resize(text.len() + missing, b' ');
            text.get_mut(begin..).unwrap_or_default().rotate_right(missing);
        }
        blanks = 2 + if is_left { missing } else { 0 };
    }
    trim_end(text);
    text.push(b'\n');
    out.write_all(text)
}

/// Returns the number of characters of UTF-8.
fn count_chars(text: &[u8]) -> usize {
    if text.is_ascii() { text.len() } else { text.iter().filter(|byte| !is_continued(**byte)).count() }
}

/// Returns whether a byte of UTF-8 continues a character.
const fn is_continued(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// Removes white space at the end.
fn trim_end(text: &mut Vec<u8>) {
    if text.last().is_some_and(|last| *last <= b' ' || !last.is_ascii()) {
        let len = std::str::from_utf8(text).map_or(text.len(), |text| text.trim_end().len());
        text.truncate(len);
    }
}
