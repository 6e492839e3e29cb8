//! Aligned columns.

use std::borrow::Cow;
use std::io::{self, Write};

use etwkit::render::terminal;

use crate::rows::{Cell, Column, Kind};

/// Rows by which the widths of the columns go; what is wider later pushes the rest of its line.
const SAMPLE: usize = 1000;
/// Wider cells do not move others.
const WIDEST: usize = 60;

/// Keeps the first rows until it knows how wide columns are.
#[derive(Debug, Default)]
pub(super) struct Aligned {
    sample: Vec<Vec<String>>,
    /// Width and kind of each column, once they are known.
    widths: Option<Vec<(usize, Kind)>>,
    titles: Vec<(String, Kind)>,
    /// Memory for a line.
    text: Vec<u8>,
}

impl Aligned {
    pub(super) fn row<'c>(
        &mut self,
        cells: impl Iterator<Item = (&'c Column, &'c Cell)>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        if let Some(widths) = &self.widths {
            let cells = cells.map(|(column, cell)| cell.shown(column.kind));
            return line(cells, widths, &mut self.text, out);
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
            let cells = self.sample.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count());
            let width = cells.filter(|len| *len <= WIDEST).max().unwrap_or(0);
            // A column that no row has is not there.
            let is_empty = width == 0 && !self.sample.is_empty();
            (if is_empty { 0 } else { width.max(title.chars().count()) }, *kind)
        };
        let widths: Vec<(usize, Kind)> = self.titles.iter().enumerate().map(width).collect();
        let title = |((title, _), (width, _)): (&'_ (String, Kind), &(usize, Kind))| {
            if *width == 0 { Cow::Borrowed("") } else { Cow::Owned(title.clone()) }
        };
        let text = &mut self.text;
        line(self.titles.iter().zip(&widths).map(title), &widths, text, out)?;
        self.sample.drain(..).try_for_each(|row| line(row.into_iter().map(Cow::Owned), &widths, text, out))?;
        self.widths = Some(widths);
        Ok(())
    }
}

fn title(column: &Column) -> (String, Kind) {
    (terminal::escaped(&column.name).into_owned(), column.kind)
}

/// Writes the cells of a line; `text` is memory that is used again.
#[expect(single_use_lifetimes, reason = "an elided lifetime is not stable here")]
fn line<'c>(
    cells: impl Iterator<Item = Cow<'c, str>>,
    widths: &[(usize, Kind)],
    text: &mut Vec<u8>,
    out: &mut impl Write,
) -> io::Result<()> {
    text.clear();
    for (cell, (width, kind)) in cells.zip(widths).filter(|(cell, (width, _))| *width > 0 || !cell.is_empty()) {
        let chars = if cell.is_ascii() { cell.len() } else { cell.chars().count() };
        let blanks = width.saturating_sub(chars);
        let (before, after) = if *kind == Kind::Text { (0, blanks) } else { (blanks, 0) };
        text.resize(text.len() + before, b' ');
        text.extend_from_slice(cell.as_bytes());
        text.resize(text.len() + after + 2, b' ');
    }
    writeln!(out, "{}", String::from_utf8_lossy(text).trim_end())
}
