//! The samples of all logs as rows of one table, in their order in time.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::iter::Peekable;

use etwkit::FileId;
use etwkit::FileTime;
use etwkit::render::time::TimeCache;
use etwkit::trace::Trace;
use etwkit_parsers::pdh::Table;

use crate::rows::{Cell, Column, Files};

/// A log, and the file that it is in.
pub(super) type Log = (FileId, Table);

/// Rows of one log, which are to be merged with those of others.
type Rows<'t> = Peekable<Box<dyn Iterator<Item = (FileTime, Vec<Option<f64>>)> + 't>>;

/// The columns of all logs: a counter that several logs have is one column.
pub(super) struct Samples<'t> {
    files: Files,
    columns: Vec<Column>,
    logs: Vec<Source<'t>>,
    /// The time of the next row of each log that has one, and the log's place.
    next: BinaryHeap<Reverse<(FileTime, usize)>>,
}

/// A log, and the columns of its values.
struct Source<'t> {
    file: FileId,
    rows: Rows<'t>,
    places: Vec<usize>,
}

impl Source<'_> {
    /// Returns the time of the next row.
    fn next_time(&mut self) -> Option<FileTime> {
        self.rows.peek().map(|(time, _)| *time)
    }
}

impl<'t> Samples<'t> {
    /// Finds the columns.
    pub(super) fn new(trace: &Trace, logs: &'t [Log]) -> Self {
        let files = Files::of(trace);
        let mut columns = vec![Column::text("time"), files.column()];
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
        let first = |(at, log): (usize, &mut Source<'_>)| Some(Reverse((log.next_time()?, at)));
        let next = sources.iter_mut().enumerate().filter_map(first).collect();
        Self { files, columns, logs: sources, next }
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
            let Reverse((_, at)) = self.next.pop()?;
            let log = self.logs.get_mut(at)?;
            let (sampled, values) = log.rows.next()?;
            self.next.extend(log.next_time().map(|time| Reverse((time, at))));
            let Source { file, places, .. } = log;
            if (first..=last).contains(&sampled) {
                let mut row = vec![Cell::Absent; self.columns.len()];
                let time = Cell::time(sampled, true, time, String::new());
                let fixed = [time, self.files.cell(&[*file])];
                row.iter_mut().zip(fixed).for_each(|(cell, value)| *cell = value);
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
