//! Rows as text, and as files.

mod aligned;
mod file;
mod jsonl;
mod typed;

use std::io::Write;

use etwkit::render::terminal;

use crate::failure::Failure;
use crate::output::{CsvOut, csv_to};

use super::cell::Cell;
use super::column::Column;
use super::options::RowFormat;
use super::plan::RowPlan;
use aligned::Aligned;
use file::File;

/// Prints rows as they come.
pub(super) struct Printer<W: Write> {
    /// The columns that are shown.
    columns: Vec<(usize, Column)>,
    /// Whether they are in the order of the cells.
    is_ordered: bool,
    form: Form<W>,
}

enum Form<W: Write> {
    Aligned(Aligned, W),
    Csv(Box<csv::Writer<CsvOut<W>>>),
    Jsonl(W),
    File(File, W),
}

impl<W: Write + Send> Printer<W> {
    pub(super) fn new(plan: &RowPlan, out: W) -> Result<Self, Failure> {
        let columns: Vec<(usize, Column)> =
            plan.shown.iter().filter_map(|place| Some((*place, plan.columns.get(*place)?.clone()))).collect();
        let form = match plan.format {
            RowFormat::Text => Form::Aligned(Aligned::default(), out),
            RowFormat::Jsonl => Form::Jsonl(out),
            RowFormat::File(kind) => Form::File(File::new(kind, columns.iter().map(|(_, column)| column)), out),
            RowFormat::Csv => {
                let mut csv = csv::Writer::from_writer(csv_to(out, b','));
                csv.write_record(columns.iter().map(|(_, column)| &*column.name)).map_err(std::io::Error::from)?;
                Form::Csv(Box::new(csv))
            }
        };
        let is_ordered = columns.is_sorted_by_key(|(place, _)| *place);
        Ok(Self { columns, is_ordered, form })
    }

    pub(super) fn row(&mut self, row: &[Cell]) -> Result<(), Failure> {
        let cells = self.columns.iter().map(|(place, column)| (column, row.get(*place).unwrap_or(&Cell::Blank)));
        match &mut self.form {
            // Blank cells at the end are not shown.
            Form::Aligned(aligned, out) if self.is_ordered && aligned.has_begun() => {
                let shown = self.columns.partition_point(|(place, _)| *place < row.len());
                aligned.row(cells.take(shown), out)?;
            }
            Form::Aligned(aligned, out) => aligned.row(cells, out)?,
            Form::Csv(csv) => {
                for (_, cell) in cells {
                    csv.write_field(cell.plain().as_bytes()).map_err(std::io::Error::from)?;
                }
                csv.write_record(None::<&[u8]>).map_err(std::io::Error::from)?;
            }
            Form::Jsonl(out) => {
                let mut line = Vec::new();
                jsonl::write(cells, &mut line)?;
                terminal::escape_json_from(&mut line, 0);
                out.write_all(&line)?;
            }
            Form::File(file, _) => file.row(cells.map(|(_, cell)| cell))?,
        }
        Ok(())
    }

    /// Prints what was kept back.
    pub(super) fn finish(self) -> Result<(), Failure> {
        match self.form {
            Form::Aligned(aligned, mut out) => {
                aligned.finish(self.columns.iter().map(|(_, column)| column), &mut out)?;
                out.flush()?;
            }
            Form::Csv(mut csv) => csv.flush()?,
            Form::Jsonl(mut out) => out.flush()?,
            Form::File(file, out) => file.finish(self.columns.iter().map(|(_, column)| column), out)?,
        }
        Ok(())
    }
}
