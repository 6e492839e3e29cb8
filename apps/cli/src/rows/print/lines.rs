//! Lines of rows, made on any thread.

use std::io::{self, Write};
use std::sync::Arc;

use etwkit::render::terminal;

use crate::output::CsvOut;
use crate::rows::{Cell, Kind};

use super::shown::ShownColumns;
use super::{aligned, jsonl, record};

/// Makes the lines of rows as the table has them.
#[derive(Clone, Debug)]
pub(crate) struct RowLines {
    columns: ShownColumns,
    form: LineForm,
}

#[derive(Clone, Debug)]
pub(super) enum LineForm {
    /// Widths and kinds of the columns.
    Aligned(Arc<[(usize, Kind)]>),
    Csv,
    Jsonl,
}

/// Where lines go.
pub(super) enum LinesOut<W: Write> {
    Plain(W),
    /// Makes them safe for spreadsheets, if that is wanted.
    Csv(CsvOut<W>),
}

/// A text of a row for people, where all columns have text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TextCell<'t> {
    /// The row has no such column.
    Blank,
    /// There is none.
    Absent,
    /// Text.
    Text(&'t str),
}

/// Lines that are being made.
pub(crate) struct MadeLines<'l> {
    lines: &'l RowLines,
    made: Made,
    /// Memory of a line.
    line: Vec<u8>,
}

enum Made {
    Text(Vec<u8>),
    Csv(Box<csv::Writer<Vec<u8>>>),
}

impl RowLines {
    pub(super) const fn new(columns: ShownColumns, form: LineForm) -> Self {
        Self { columns, form }
    }

    /// Begins lines of about so many bytes.
    pub(crate) fn begin(&self, bytes: usize) -> MadeLines<'_> {
        let text = Vec::with_capacity(bytes);
        let made = match self.form {
            LineForm::Csv => Made::Csv(Box::new(csv::Writer::from_writer(text))),
            LineForm::Aligned(_) | LineForm::Jsonl => Made::Text(text),
        };
        MadeLines { lines: self, made, line: Vec::new() }
    }

    /// Returns whether lines can be made of [`TextCell`]s.
    pub(crate) const fn are_text(&self) -> bool {
        matches!(self.form, LineForm::Aligned(_))
    }
}

impl MadeLines<'_> {
    /// Adds the line of a row.
    pub(crate) fn push(&mut self, row: &[Cell]) -> io::Result<()> {
        let RowLines { columns, form } = self.lines;
        match (&mut self.made, form) {
            (Made::Csv(csv), _) => record::write(columns.cells(row), csv),
            (Made::Text(text), LineForm::Aligned(widths)) => {
                aligned::row(columns.cells_there(row), widths, &mut self.line, text)
            }
            (Made::Text(text), _) => jsonl::push(columns.cells(row), text),
        }
    }

    /// Adds the line of a row of so many cells, which are given by their places, if [`RowLines::are_text`].
    pub(crate) fn push_texts<'t>(&mut self, cells: usize, cell: impl Fn(usize) -> TextCell<'t>) -> io::Result<()> {
        let RowLines { columns, form: LineForm::Aligned(widths) } = self.lines else { return Ok(()) };
        let Made::Text(text) = &mut self.made else { return Ok(()) };
        let cells = columns.places(cells).map(|place| {
            let cell = cell(place);
            move |out: &mut Vec<u8>| cell.push(out)
        });
        aligned::line(cells, widths, &mut self.line, text)
    }

    /// Returns the lines.
    pub(crate) fn finish(self) -> io::Result<Vec<u8>> {
        match self.made {
            Made::Text(text) => Ok(text),
            Made::Csv(csv) => csv.into_inner().map_err(csv::IntoInnerError::into_error),
        }
    }
}

impl TextCell<'_> {
    /// Appends what a [`Cell`] shows.
    fn push(self, out: &mut Vec<u8>) {
        match self {
            Self::Blank => {}
            Self::Absent => out.push(b'-'),
            Self::Text("") => out.extend_from_slice(b"\"\""),
            Self::Text(text) => terminal::push(out, text),
        }
    }
}

impl<W: Write> Write for LinesOut<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(out) => out.write(bytes),
            Self::Csv(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(out) => out.flush(),
            Self::Csv(out) => out.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_shown_as_its_cell() {
        let texts = ["", "plain", "12", "a\nb", "\u{202E}x"];
        let cells = texts.map(|text| (TextCell::Text(text), Cell::Text(text.to_owned())));
        for (text, cell) in cells.into_iter().chain([(TextCell::Blank, Cell::Blank), (TextCell::Absent, Cell::Absent)])
        {
            let (mut out, mut shown) = (Vec::new(), Vec::new());
            text.push(&mut out);
            cell.push_shown(&mut shown, Kind::Text);
            assert_eq!(out, shown, "{cell:?}");
        }
    }
}
