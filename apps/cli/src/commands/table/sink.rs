//! From rows to the table: lines are made on all threads, as soon as their form is known.

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use etwkit::decode::Event;
use etwkit::sink::{Sink, Worker};
use etwkit_windows_formats::{Aliases, ReportBatch, ReportRowsWorker};

use crate::failure::Failure;
use crate::rows::{RowLines, RowWriter};

use super::cells::Cells;

/// Prints the row of each event.
pub(super) struct TableSink<W: Write + Send> {
    aliases: Aliases,
    cells: Cells,
    writer: RowWriter<W>,
    /// What makes lines on any thread, once the widths of the columns are known.
    lines: Arc<OnceLock<RowLines>>,
    failed: Option<Failure>,
}

/// Makes the rows of one thread, or their lines.
#[derive(Debug)]
pub(super) struct TableWorker {
    reports: ReportRowsWorker,
    cells: Cells,
    lines: Arc<OnceLock<RowLines>>,
}

/// Some rows, or their lines and how many these are.
#[derive(Debug)]
pub(super) enum TableBatch {
    Rows(ReportBatch),
    Lines(Vec<u8>, usize),
}

impl<W: Write + Send> TableSink<W> {
    pub(super) fn new(cells: Cells, writer: RowWriter<W>) -> Result<Self, Failure> {
        let lines = Arc::default();
        let mut sink = Self { aliases: Aliases::kernel(), cells, writer, lines, failed: None };
        sink.find_lines()?;
        Ok(sink)
    }

    /// Returns where the rows went, or why they could not.
    pub(super) fn into_writer(self) -> Result<RowWriter<W>, Failure> {
        self.failed.map_or(Ok(self.writer), Err)
    }

    fn find_lines(&mut self) -> Result<(), Failure> {
        if self.lines.get().is_none()
            && let Some(lines) = self.writer.lines()?
        {
            // Nobody else sets it.
            let _ = self.lines.set(lines);
        }
        Ok(())
    }

    fn take(&mut self, batch: TableBatch) -> Result<(), Failure> {
        let rows = match batch {
            TableBatch::Lines(lines, rows) => return self.writer.push_lines(&lines, rows),
            TableBatch::Rows(rows) => rows,
        };
        if let Some(lines) = self.lines.get() {
            let made = self.cells.lines(&rows, lines)?;
            return self.writer.push_lines(&made, rows.len());
        }
        let mut row = Vec::new();
        for report in rows.rows() {
            self.cells.fill(&mut row, &report);
            self.writer.push_reused(&mut row)?;
        }
        self.find_lines()
    }
}

impl<W: Write + Send> Sink for TableSink<W> {
    type Worker = TableWorker;

    fn worker(&self) -> TableWorker {
        let reports = ReportRowsWorker::new(self.aliases.clone());
        TableWorker { reports, cells: self.cells.of_thread(), lines: Arc::clone(&self.lines) }
    }

    fn accept(&mut self, batch: TableBatch) -> etwkit::Result<ControlFlow<()>> {
        if let Err(failure) = self.take(batch) {
            self.failed = Some(failure);
            return Err(etwkit::Error::caller("the table could not be written"));
        }
        Ok(ControlFlow::Continue(()))
    }
}

impl Worker for TableWorker {
    type Batch = TableBatch;

    fn event(&mut self, event: &Event<'_>) -> etwkit::Result<()> {
        self.reports.event(event)
    }

    fn is_full(&self) -> bool {
        self.reports.is_full()
    }

    fn is_overfull(&self) -> bool {
        self.reports.is_overfull()
    }

    fn take(&mut self) -> TableBatch {
        let rows = self.reports.take();
        // Lines that cannot be made here fail where the rows arrive.
        match self.lines.get().map(|lines| self.cells.lines(&rows, lines)) {
            Some(Ok(lines)) => TableBatch::Lines(lines, rows.len()),
            _ => TableBatch::Rows(rows),
        }
    }
}
