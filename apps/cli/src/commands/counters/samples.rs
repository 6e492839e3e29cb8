//! The samples of all logs as rows of one table, in their order in time.

use std::collections::HashMap;
use std::iter::Peekable;

use etwkit::FileTime;
use etwkit::render::time::TimeCache;
use etwkit::trace::Trace;
use etwkit_parsers::pdh::Table;

use crate::rows::{Cell, Column};

/// A log, and the number of the file that it is in.
pub(super) type Log = (usize, Table);

/// Rows of one log, which are to be merged with those of others.
type Rows<'t> = Peekable<Box<dyn Iterator<Item = (FileTime, Vec<Option<f64>>)> + 't>>;

/// The columns of all logs: a counter that several logs have is one column.
pub(super) struct Samples<'t> {
    trace: &'t Trace,
    columns: Vec<Column>,
    logs: Vec<Source<'t>>,
}

/// A log, and the columns of its values.
struct Source<'t> {
    file: usize,
    rows: Rows<'t>,
    places: Vec<usize>,
}

impl<'t> Samples<'t> {
    /// Finds the columns. The file has one if there are several.
    pub(super) fn new(trace: &'t Trace, logs: &'t [Log]) -> Self {
        let mut columns = vec![Column::text("time")];
        columns.extend((trace.files().len() > 1).then(|| Column::text("file")));
        let mut known: HashMap<(String, usize), usize> = HashMap::new();
        let mut sources = Vec::new();
        for (file, table) in logs {
            // A log may have a path twice.
            let mut seen: HashMap<String, usize> = HashMap::new();
            let place = |path: String| {
                let times = seen.entry(path.clone()).or_default();
                *times += 1;
                *known.entry((path, *times)).or_insert_with_key(|(path, _)| {
                    columns.push(Column::number(path.clone()));
                    columns.len() - 1
                })
            };
            let places = table.paths().map(place).collect();
            let rows: Box<dyn Iterator<Item = _>> = Box::new(table.rows());
            sources.push(Source { file: *file, rows: rows.peekable(), places });
        }
        Self { trace, columns, logs: sources }
    }

    /// Returns the columns.
    pub(super) fn columns(&self) -> Vec<Column> {
        self.columns.clone()
    }

    /// Returns the next row whose time is in a window, both ends inclusive.
    pub(super) fn next_within(
        &mut self,
        (first, last): (FileTime, FileTime),
        time: &mut TimeCache,
    ) -> Option<Vec<Cell>> {
        loop {
            let next = |log: &mut Source<'_>| log.rows.peek().map(|(time, _)| *time);
            let times = self.logs.iter_mut().enumerate().filter_map(|(at, log)| Some((next(log)?, at)));
            let (_, at) = times.min()?;
            let Source { file, rows, places } = self.logs.get_mut(at)?;
            let (sampled, values) = rows.next()?;
            if (first..=last).contains(&sampled) {
                let mut row = vec![Cell::Absent; self.columns.len()];
                let mut text = Vec::new();
                time.push_of(&mut text, sampled, true);
                let name = self.trace.files().get(*file).map(|file| file.source.name().to_owned());
                let fixed = [Cell::Text(String::from_utf8_lossy(&text).into_owned()), Cell::optional(name)];
                let is_named = self.trace.files().len() > 1;
                row.iter_mut().zip(fixed).take(1 + usize::from(is_named)).for_each(|(cell, value)| *cell = value);
                for (place, value) in places.iter().zip(values) {
                    if let (Some(cell), Some(value)) = (row.get_mut(*place), value) {
                        *cell = Cell::Real(value);
                    }
                }
                return Some(row);
            }
        }
    }
}
