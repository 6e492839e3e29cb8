//! Rows as a file of columns.

use std::collections::HashSet;
use std::io::Write;

use etwkit_columns::{Batch, Column as FileColumn};

use crate::column_file::{ColumnFile, FileKind};
use crate::failure::Failure;
use crate::rows::{Cell, Column};

use super::typed::Typed;

/// Bytes of values that are kept until the types of columns are known.
const MOST_BYTES: usize = 1 << 29;
/// Rows that are handed to the file together.
const ROWS: usize = 1 << 16;

/// Keeps all rows: only the last one decides the types of columns.
#[derive(Debug)]
pub(super) struct File {
    kind: FileKind,
    columns: Vec<Typed>,
    rows: usize,
    bytes: usize,
}

impl File {
    #[expect(single_use_lifetimes, reason = "an iterator's items cannot do without one yet")]
    pub(super) fn new<'c>(kind: FileKind, columns: impl Iterator<Item = &'c Column>) -> Self {
        Self { kind, columns: columns.map(Typed::new).collect(), rows: 0, bytes: 0 }
    }

    #[expect(single_use_lifetimes, reason = "an iterator's items cannot do without one yet")]
    pub(super) fn row<'c>(&mut self, cells: impl Iterator<Item = &'c Cell>) -> Result<(), Failure> {
        self.rows += 1;
        self.bytes += self.columns.iter_mut().zip(cells).map(|(column, cell)| column.push(cell)).sum::<usize>();
        if self.bytes > MOST_BYTES {
            let what = format!("more than {} MiB of values for a {} file", MOST_BYTES >> 20, self.kind.title());
            return Err(Failure::new(what).hint("filter for fewer rows, choose columns, or write csv"));
        }
        Ok(())
    }

    /// Writes the file.
    #[expect(single_use_lifetimes, reason = "an iterator's items cannot do without one yet")]
    pub(super) fn finish<'c, W: Write + Send>(
        self,
        columns: impl Iterator<Item = &'c Column>,
        out: W,
    ) -> Result<(), Failure> {
        // A mark of JSON is there only if a row has it.
        let is_there = |(column, typed): &(&Column, Typed)| !(column.is_for_json() && typed.is_empty());
        let shown: Vec<(&Column, Typed)> = columns.zip(self.columns).filter(is_there).collect();
        let mut names = Names::default();
        let named = shown.iter().flat_map(|(column, typed)| {
            let name = names.take(&column.name, typed.columns().len() > 1);
            typed.columns().into_iter().map(move |(end, of)| FileColumn::new(format!("{name}{end}"), of))
        });
        let named: Vec<FileColumn> = named.collect();
        let version = ("etwkit.version".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        let mut file = ColumnFile::new(self.kind, out, &named, vec![version])?;
        for start in (0..self.rows).step_by(ROWS) {
            let end = self.rows.min(start + ROWS);
            let arrays = shown.iter().flat_map(|(_, typed)| typed.arrays(start..end)).collect();
            file.write(Batch::new(end - start, arrays))?;
        }
        Ok(file.finish()?)
    }
}

/// Names that are taken, without regard to case: SQL has none.
#[derive(Debug, Default)]
struct Names(HashSet<String>);

impl Names {
    /// Returns a name that is not taken: this one, or with a number. One of a time has a second name beside it.
    fn take(&mut self, name: &str, is_time: bool) -> String {
        let mut own = if name.is_empty() { "column".to_owned() } else { name.to_owned() };
        let base = own.clone();
        for number in 2.. {
            let lower = own.to_lowercase();
            let beside = format!("{lower}_100ns");
            let is_free = !(self.0.contains(&lower) || is_time && self.0.contains(&beside));
            if is_free {
                self.0.insert(lower);
                self.0.extend(is_time.then_some(beside));
                break;
            }
            own = format!("{base}_{number}");
        }
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_without_regard_to_case() {
        let mut names = Names::default();
        let taken =
            [("pid", false), ("PID", false), ("time", true), ("TIME", true), ("time_100ns", false), ("", false)]
                .map(|(name, is_time)| names.take(name, is_time));
        assert_eq!(taken, ["pid", "PID_2", "time", "TIME_2", "time_100ns_2", "column"]);
    }
}
