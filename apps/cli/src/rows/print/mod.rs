//! Rows as text, and as files.

mod aligned;
mod file;
mod jsonl;
mod lines;
mod record;
mod shown;
mod typed;

use std::io::Write;

use crate::failure::Failure;
use crate::output::{CsvOut, csv_error, csv_to};

use super::cell::Cell;
use super::options::RowFormat;
use super::plan::RowPlan;
use aligned::Aligned;
use file::File;
use lines::{LineForm, LinesOut};
use shown::ShownColumns;

pub(crate) use lines::{RowLines, TextCell};

/// Prints rows as they come.
pub(super) struct Printer<W: Write> {
    columns: ShownColumns,
    form: Form<W>,
}

enum Form<W: Write> {
    Aligned(Aligned, W),
    Csv(Box<csv::Writer<CsvOut<W>>>),
    Jsonl(W),
    File(File, W),
    /// Other threads make lines, too.
    Lines(RowLines, LinesOut<W>),
    /// While one form becomes another.
    None,
}

impl<W: Write + Send> Printer<W> {
    pub(super) fn new(plan: &RowPlan, out: W) -> Result<Self, Failure> {
        let columns = ShownColumns::new(plan);
        let form = match plan.format {
            RowFormat::Text => Form::Aligned(Aligned::default(), out),
            RowFormat::Jsonl => Form::Jsonl(out),
            RowFormat::File(kind) => Form::File(File::new(kind, columns.iter()), out),
            RowFormat::Csv => {
                let mut csv = csv::Writer::from_writer(csv_to(out, b','));
                csv.write_record(columns.iter().map(|column| &*column.name)).map_err(csv_error)?;
                Form::Csv(Box::new(csv))
            }
        };
        Ok(Self { columns, form })
    }

    pub(super) fn row(&mut self, row: &[Cell]) -> Result<(), Failure> {
        match &mut self.form {
            // Blank cells at the end are not shown.
            Form::Aligned(aligned, out) if aligned.has_begun() => aligned.row(self.columns.cells_there(row), out)?,
            Form::Aligned(aligned, out) => aligned.row(self.columns.cells(row), out)?,
            Form::Csv(csv) => record::write(self.columns.cells(row), csv)?,
            Form::Jsonl(out) => {
                let mut line = Vec::new();
                jsonl::push(self.columns.cells(row), &mut line)?;
                out.write_all(&line)?;
            }
            Form::File(file, _) => file.row(self.columns.cells(row).map(|(_, cell)| cell))?,
            Form::Lines(lines, out) => {
                let mut made = lines.begin(0);
                made.push(row)?;
                out.write_all(&made.finish()?)?;
            }
            Form::None => {}
        }
        Ok(())
    }

    /// Returns what makes the lines of the next rows on other threads, for [`Printer::push_lines`]; `None` if this form has
    /// no lines, or they cannot be made yet.
    pub(super) fn lines(&mut self) -> Result<Option<RowLines>, Failure> {
        let form = match &self.form {
            Form::Aligned(aligned, _) => aligned.widths().map(LineForm::Aligned),
            Form::Csv(_) => Some(LineForm::Csv),
            Form::Jsonl(_) => Some(LineForm::Jsonl),
            Form::File(..) | Form::None => None,
            Form::Lines(lines, _) => return Ok(Some(lines.clone())),
        };
        let Some(form) = form else { return Ok(None) };
        let out = match std::mem::replace(&mut self.form, Form::None) {
            Form::Aligned(_, out) | Form::Jsonl(out) | Form::File(_, out) => LinesOut::Plain(out),
            Form::Csv(csv) => LinesOut::Csv(csv.into_inner().map_err(csv::IntoInnerError::into_error)?),
            Form::Lines(_, out) => out,
            Form::None => return Ok(None),
        };
        let lines = RowLines::new(self.columns.clone(), form);
        self.form = Form::Lines(lines.clone(), out);
        Ok(Some(lines))
    }

    /// Prints lines that [`Printer::lines`] made.
    pub(super) fn push_lines(&mut self, lines: &[u8]) -> Result<(), Failure> {
        if let Form::Lines(_, out) = &mut self.form {
            out.write_all(lines)?;
        }
        Ok(())
    }

    /// Prints what was kept back.
    pub(super) fn finish(self) -> Result<(), Failure> {
        match self.form {
            Form::Aligned(aligned, mut out) => {
                aligned.finish(self.columns.iter(), &mut out)?;
                out.flush()?;
            }
            Form::Csv(mut csv) => csv.flush()?,
            Form::Jsonl(mut out) => out.flush()?,
            Form::File(file, out) => file.finish(self.columns.iter(), out)?,
            Form::Lines(_, mut out) => out.flush()?,
            Form::None => {}
        }
        Ok(())
    }
}
