//! One table of all events.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::decode::Event;
use crate::error::Result;
use crate::output::csv::{csv_line, csv_writer, finished};
use crate::output::headed::Headed;
use crate::sink::{Sink, Worker};
use crate::trace::Trace;

use super::super::lines::push_clean;
use super::Column;
use super::cell::{Cell, Cells};
use crate::render::escape;
use crate::render::json::{push_integer, push_key, quoted};
use crate::render::time::TimeCache;
use crate::render::zone::Zone;

/// The form of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RowFormat {
    /// RFC 4180, with a header line; lines end with a line feed.
    Csv,
    /// A JSON object; what an event does not have is left out.
    Json,
    /// Values with tabs between; control characters are made visible.
    Text,
}

/// Writes each event as a row of these columns. [`TableRows::finish`] ends it.
#[derive(Debug)]
pub struct TableRows<'c, W> {
    trace: &'c Trace,
    columns: Arc<[Column]>,
    form: RowFormat,
    zone: Zone,
    writer: Headed<W>,
}

impl<'c, W: Write> TableRows<'c, W> {
    /// Writes to `writer`, which should not buffer: rows come in large batches.
    pub fn new(trace: &'c Trace, columns: Vec<Column>, form: RowFormat, writer: W) -> Self {
        let head = match form {
            // Writing to memory cannot fail.
            RowFormat::Csv => csv_line(columns.iter().map(Column::name)).unwrap_or_default(),
            RowFormat::Json | RowFormat::Text => Vec::new(),
        };
        Self { trace, columns: columns.into(), form, zone: Zone::default(), writer: Headed::new(writer, head) }
    }

    /// With times of events in a zone.
    #[must_use]
    pub fn zone(mut self, zone: Zone) -> Self {
        self.zone = zone;
        self
    }

    /// Hands over the writer; the header line is there even if no event came.
    pub fn finish(self) -> Result<W> {
        self.writer.finish()
    }
}

impl<'c, W: Write> Sink for TableRows<'c, W> {
    type Worker = TableRowsWorker<'c>;

    fn worker(&self) -> TableRowsWorker<'c> {
        let cells = Cells::new(self.trace, TimeCache::new(self.zone.clone()), self.form == RowFormat::Json);
        let columns = Arc::clone(&self.columns);
        TableRowsWorker { columns, form: self.form, cells, out: Vec::new(), csv: csv_writer(), cell: Vec::new() }
    }

    fn accept(&mut self, batch: Result<Vec<u8>>) -> Result<ControlFlow<()>> {
        self.writer.write(&batch?)?;
        Ok(ControlFlow::Continue(()))
    }
}

/// Makes the rows of one thread.
#[derive(Debug)]
pub struct TableRowsWorker<'c> {
    columns: Arc<[Column]>,
    form: RowFormat,
    cells: Cells<'c>,
    out: Vec<u8>,
    csv: csv::Writer<Vec<u8>>,
    cell: Vec<u8>,
}

impl Worker for TableRowsWorker<'_> {
    type Batch = Result<Vec<u8>>;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        match self.form {
            RowFormat::Csv => push_csv(&mut self.csv, &mut self.cells, &self.columns, &mut self.cell, event)?,
            RowFormat::Json => self.json(event),
            RowFormat::Text => self.text(event),
        }
        Ok(())
    }

    fn take(&mut self) -> Result<Vec<u8>> {
        if self.form == RowFormat::Csv {
            return finished(std::mem::replace(&mut self.csv, csv_writer()));
        }
        Ok(std::mem::take(&mut self.out))
    }
}

/// Writes a row of CSV.
pub(super) fn push_csv(
    csv: &mut csv::Writer<Vec<u8>>,
    cells: &mut Cells<'_>,
    columns: &[Column],
    cell: &mut Vec<u8>,
    event: &Event<'_>,
) -> Result<()> {
    for column in columns {
        cell.clear();
        cells.push(cell, column, event);
        csv.write_field(&*cell).map_err(io::Error::from)?;
    }
    csv.write_record(None::<&[u8]>).map_err(io::Error::from)?;
    Ok(())
}

impl TableRowsWorker<'_> {
    fn json(&mut self, event: &Event<'_>) {
        self.out.push(b'{');
        let start = self.out.len();
        for column in &*self.columns {
            self.cell.clear();
            let written = self.cells.push(&mut self.cell, column, event);
            if written == Cell::Absent {
                continue;
            }
            if self.out.len() > start {
                self.out.push(b',');
            }
            push_key(&mut self.out, &column.name());
            match written {
                Cell::Text => quoted(&mut self.out, |out| escape::push_utf8(out, &self.cell)),
                Cell::Number => push_number(&mut self.out, &self.cell),
                Cell::Json | Cell::Absent => self.out.extend_from_slice(&self.cell),
            }
        }
        self.out.extend_from_slice(b"}\n");
    }

    fn text(&mut self, event: &Event<'_>) {
        for (at, column) in self.columns.iter().enumerate() {
            if at > 0 {
                self.out.push(b'\t');
            }
            self.cell.clear();
            self.cells.push(&mut self.cell, column, event);
            push_clean(&mut self.out, &String::from_utf8_lossy(&self.cell));
        }
        self.out.push(b'\n');
    }
}

/// Digits as a JSON number, or as a string where readers would change it.
fn push_number(out: &mut Vec<u8>, digits: &[u8]) {
    match std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()) {
        Some(number) => push_integer(out, number),
        None => quoted(out, |out| out.extend_from_slice(digits)),
    }
}
