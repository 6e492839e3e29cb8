//! From rows to the table: conditions, order, first and last rows.

use std::collections::VecDeque;
use std::io::Write;

use crate::failure::Failure;

use super::cell::Cell;
use super::plan::RowPlan;
use super::print::{Printer, RowLines};
use super::watch::Outcome;

/// Rows that are kept to be sorted, or as the last ones.
const MOST: usize = 1 << 21;
/// Bytes of memory that these rows take.
const MOST_BYTES: usize = 1 << 30;

/// Takes rows and prints the table. Rows that need not be sorted are printed as they come.
pub(crate) struct RowWriter<W: Write + Send> {
    plan: RowPlan,
    printer: Printer<W>,
    kept: VecDeque<Vec<Cell>>,
    /// Bytes of these, and how many they may have.
    bytes: usize,
    most_bytes: usize,
    /// Rows that came.
    seen: u64,
    /// Rows that met the conditions.
    passed: usize,
    /// A row below all others.
    rest: Option<Vec<Cell>>,
}

impl<W: Write + Send> RowWriter<W> {
    /// Begins a table.
    pub(crate) fn new(plan: RowPlan, out: W) -> Result<Self, Failure> {
        let printer = Printer::new(&plan, out)?;
        let (kept, bytes, most_bytes) = (VecDeque::new(), 0, MOST_BYTES);
        Ok(Self { plan, printer, kept, bytes, most_bytes, seen: 0, passed: 0, rest: None })
    }

    /// Takes a row: a cell for each column; the last ones may be left out if they are blank.
    pub(crate) fn push(&mut self, mut row: Vec<Cell>) -> Result<(), Failure> {
        self.push_reused(&mut row)
    }

    /// As [`RowWriter::push`]; leaves the row with its memory, unless it is kept.
    pub(crate) fn push_reused(&mut self, row: &mut Vec<Cell>) -> Result<(), Failure> {
        self.seen += 1;
        self.plan.watch.see(row);
        if !self.plan.takes(row) {
            return Ok(());
        }
        self.passed += 1;
        if !self.plan.sorts() {
            match self.plan.last {
                _ if self.passed > self.plan.first => return Ok(()),
                None => return self.printer.row(row),
                Some(last) if self.kept.len() >= last => self.forget_first(),
                Some(_) => {}
            }
            if self.plan.last == Some(0) {
                return Ok(());
            }
        }
        self.keep(std::mem::take(row))
    }

    /// Returns what makes the lines of the next rows on other threads, for [`RowWriter::push_lines`]; `None` unless every
    /// row is printed as it comes, in a form whose lines can be made.
    pub(crate) fn lines(&mut self) -> Result<Option<RowLines>, Failure> {
        if self.plan.prints_all() { self.printer.lines() } else { Ok(None) }
    }

    /// Takes the lines of some rows.
    pub(crate) fn push_lines(&mut self, lines: &[u8], rows: usize) -> Result<(), Failure> {
        self.seen += rows as u64;
        self.passed += rows;
        self.printer.push_lines(lines)
    }

    fn keep(&mut self, row: Vec<Cell>) -> Result<(), Failure> {
        if self.kept.len() >= MOST {
            return Err(Failure::new(format!("more than {MOST} rows to sort")).hint("filter for fewer"));
        }
        self.bytes = self.bytes.saturating_add(bytes_of(&row));
        if self.bytes > self.most_bytes {
            let most = self.most_bytes >> 20;
            return Err(Failure::new(format!("the rows to sort take more than {most} MiB")).hint("filter for fewer"));
        }
        self.kept.push_back(row);
        Ok(())
    }

    fn forget_first(&mut self) {
        if let Some(row) = self.kept.pop_front() {
            self.bytes = self.bytes.saturating_sub(bytes_of(&row));
        }
    }

    /// Takes the row below all others; no condition is asked about it.
    pub(crate) fn push_rest(&mut self, row: Vec<Cell>) {
        self.rest = Some(row);
    }

    /// Prints what is left, and flushes.
    pub(crate) fn finish(mut self) -> Result<Outcome, Failure> {
        let mut kept = Vec::from(std::mem::take(&mut self.kept));
        if self.plan.sorts() {
            kept.sort_by(|a, b| self.plan.order(a, b));
            kept.truncate(self.plan.first);
            let surplus = kept.len().saturating_sub(self.plan.last.unwrap_or(usize::MAX));
            kept.drain(..surplus);
        }
        for row in kept.iter().chain(&self.rest) {
            self.printer.row(row)?;
        }
        self.printer.finish()?;
        let Self { plan, seen, passed, .. } = self;
        let none_wanted = match (plan.first, plan.last) {
            (0, _) => Some("--first"),
            (_, Some(0)) => Some("--last"),
            _ => None,
        };
        Ok(Outcome { watch: plan.watch, seen, passed: passed as u64, none_wanted })
    }
}

/// About what a row takes.
fn bytes_of(row: &[Cell]) -> usize {
    row.iter().map(Cell::bytes).sum::<usize>() + size_of::<Vec<Cell>>()
}

#[cfg(test)]
mod tests {
    use super::super::{Column, RowFormat, RowOptions};
    use super::*;

    fn table(options: &RowOptions) -> String {
        let columns = vec![Column::text("url"), Column::number("total_ms"), Column::count("events").for_people()];
        let mut out = Vec::new();
        let mut writer = RowWriter::new(RowPlan::new(columns, options).unwrap(), &mut out).unwrap();
        for (url, units, events) in [("/a", 1250, 7), ("/b", 10, 12_345), ("/\"c\"", 99_000, 1)] {
            writer.push(vec![Cell::Text(url.into()), Cell::Decimal(units, 3), Cell::Integer(events)]).unwrap();
        }
        let _ = writer.finish().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn rows_are_chosen_sorted_and_shown() {
        let all = "url   total_ms  events\n/a       1.250       7\n/b       0.010  12,345\n/\"c\"    99.000       1\n";
        assert_eq!(table(&RowOptions::default()), all);
        let csv = |options: RowOptions| table(&RowOptions { format: RowFormat::Csv, ..options });
        assert_eq!(csv(RowOptions::default()), "url,total_ms\n/a,1.250\n/b,0.010\n\"/\"\"c\"\"\",99.000\n");
        let sorted = RowOptions { sort: vec!["-total_ms".into()], first: Some(1), ..RowOptions::default() };
        assert_eq!(csv(sorted), "url,total_ms\n\"/\"\"c\"\"\",99.000\n");
        let last = RowOptions { last: Some(1), first: Some(2), fields: vec!["URL".into()], ..RowOptions::default() };
        assert_eq!(csv(last), "url\n/b\n");
        let condition = Some("total_ms > 1 and events < 5".parse().unwrap());
        let chosen = RowOptions { condition, format: RowFormat::Jsonl, ..RowOptions::default() };
        assert_eq!(table(&chosen), "{\"url\":\"/\\\"c\\\"\",\"total_ms\":99.0}\n");
    }

    #[test]
    fn rows_that_are_kept_have_no_more_than_their_bytes() {
        let columns = || vec![Column::text("url")];
        let row = || vec![Cell::Text("x".repeat(1 << 20))];
        let run = |options: RowOptions, rows: usize| {
            let mut writer = RowWriter::new(RowPlan::new(columns(), &options).unwrap(), std::io::sink()).unwrap();
            writer.most_bytes = 8 << 20;
            (0..rows).try_for_each(|_| writer.push(row())).and_then(|()| writer.finish().map(|_| ()))
        };
        let sorted = || RowOptions { sort: vec!["url".into()], ..RowOptions::default() };
        assert!(run(sorted(), 7).is_ok());
        assert_eq!(run(sorted(), 8).unwrap_err().to_string(), "the rows to sort take more than 8 MiB");
        let last = |last| RowOptions { last: Some(last), ..RowOptions::default() };
        assert!(run(last(7), 100).is_ok(), "rows that are dropped do not count");
        assert!(run(last(8), 100).is_err());
    }

    #[test]
    fn columns_that_are_not_there_are_refused() {
        let plan = RowPlan::new(
            vec![Column::number("total_ms")],
            &RowOptions { fields: vec!["totl_ms".into()], ..RowOptions::default() },
        );
        assert_eq!(plan.unwrap_err().to_string(), "--fields: there is no column `totl_ms`");
    }
}
