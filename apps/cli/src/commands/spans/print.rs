//! Prints spans.

use std::io::{BufWriter, Write};

use etwkit_analysis::Row;
use etwkit_spans::{Spans, TreeRow};

use crate::args::ZoneArgs;
use crate::commands::analyze::cells;
use crate::commands::analyze::times::Times;
use crate::failure::Failure;
use crate::output::Output;
use crate::printer::Printer;
use crate::rows::{Cell, RowFormat, RowOptions, RowPlan, RowWriter};
use crate::session::Session;

use super::form::{Form, What};

/// Spans, and where they are printed.
pub(super) struct Print<'p> {
    pub(super) spans: &'p Spans,
    pub(super) session: &'p Session,
    pub(super) zone: &'p ZoneArgs,
    pub(super) out: &'p Output,
    pub(super) printer: Printer,
}

impl Print<'_> {
    /// Prints rows; returns whether there are none.
    pub(super) fn rows(&self, what: What, options: &RowOptions) -> Result<bool, Failure> {
        let plan = RowPlan::new(what.columns(), options)?;
        let mut writer = RowWriter::new(plan, BufWriter::new(self.out.open(self.session.trace())?))?;
        let mut times = Times::new(self.zone, self.session.trace());
        let mut is_empty = true;
        let mut push = |row: Vec<Cell>| {
            is_empty = false;
            writer.push(row)
        };
        match what {
            What::Table => {
                self.spans.table().iter().try_for_each(|row| push(cells::cells(row.values(), &mut times)))?;
            }
            What::List => self.spans.rows().try_for_each(|row| push(cells::cells(row.values(), &mut times)))?,
            What::Tree => {
                let is_for_people = options.format == RowFormat::Text;
                let mut result = Ok(());
                self.spans.tree().rows(|row| {
                    if result.is_ok() {
                        result = push(cells::cells(indented(row, is_for_people).values(), &mut times));
                    }
                });
                result?;
            }
        }
        writer.finish()?.say(self.printer);
        Ok(is_empty)
    }

    /// Writes a file of a viewer; returns whether there is no span.
    pub(super) fn file(&self, form: Form) -> Result<bool, Failure> {
        let mut out = BufWriter::new(self.out.open(self.session.trace())?);
        let tree = self.spans.tree();
        match form {
            Form::Folded => out.write_all(tree.folded().as_bytes())?,
            _ => tree.chrome(&mut out)?,
        }
        out.flush()?;
        Ok(self.spans.list().is_empty())
    }
}

/// The row with the name below that of the span in which it is.
fn indented(mut row: TreeRow, is_for_people: bool) -> TreeRow {
    if is_for_people {
        row.task.insert_str(0, &"  ".repeat(row.depth.min(64) as usize));
    }
    row
}
