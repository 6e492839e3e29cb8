//! Aligned columns.

use std::fmt::Write as _;
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
}

impl Aligned {
    pub(super) fn row<'c>(
        &mut self,
        cells: impl Iterator<Item = (&'c Column, &'c Cell)>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let is_first = self.titles.is_empty();
        let mut row = Vec::new();
        for (column, cell) in cells {
            if is_first {
                self.titles.push(title(column));
            }
            row.push(cell.shown(column.kind).into_owned());
        }
        if let Some(widths) = &self.widths {
            return line(&row, widths, out);
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
        let title = |((title, _), (width, _)): (&(String, Kind), &(usize, Kind))| {
            if *width == 0 { String::new() } else { title.clone() }
        };
        let titles: Vec<String> = self.titles.iter().zip(&widths).map(title).collect();
        line(&titles, &widths, out)?;
        self.sample.drain(..).try_for_each(|row| line(&row, &widths, out))?;
        self.widths = Some(widths);
        Ok(())
    }
}

fn title(column: &Column) -> (String, Kind) {
    (terminal::escaped(&column.name).into_owned(), column.kind)
}

fn line(cells: &[String], widths: &[(usize, Kind)], out: &mut impl Write) -> io::Result<()> {
    let mut text = String::new();
    for (cell, (width, kind)) in cells.iter().zip(widths).filter(|(cell, (width, _))| *width > 0 || !cell.is_empty()) {
        // Writing to a string cannot fail.
        let _ = match kind {
            Kind::Text => write!(text, "{cell:<width$}  "),
            Kind::Number | Kind::Count => write!(text, "{cell:>width$}  "),
        };
    }
    writeln!(out, "{}", text.trim_end())
}
