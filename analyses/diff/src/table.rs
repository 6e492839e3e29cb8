//! The table of one trace.

use etwkit_analysis::{Column, ColumnKind, Value};

/// The rows of an analysis of one trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    name: &'static str,
    columns: &'static [Column],
    rows: Vec<Vec<Value>>,
}

impl Table {
    /// Makes a table. Each row has a value for each column.
    pub const fn new(name: &'static str, columns: &'static [Column], rows: Vec<Vec<Value>>) -> Self {
        Self { name, columns, rows }
    }

    /// Returns its name: that of the analysis.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the columns.
    pub const fn columns(&self) -> &'static [Column] {
        self.columns
    }

    /// Returns the rows.
    pub fn rows(&self) -> &[Vec<Value>] {
        &self.rows
    }

    /// Returns the places of the columns that identify a row in both traces: those of text before the first number that
    /// is added up, or the first one of text if there is no such number. Ids of processes and threads differ from run to
    /// run and identify nothing.
    pub fn key_columns(&self) -> Vec<usize> {
        let is = |column: &Column, kinds: &[ColumnKind]| kinds.contains(&column.kind);
        let texts = |(place, column): (usize, &Column)| is(column, &[ColumnKind::Text]).then_some(place);
        let first_number = self.columns.iter().position(|column| column.kind.is_measure());
        let all = self.columns.iter().enumerate();
        match first_number {
            Some(end) => all.take(end).filter_map(texts).collect(),
            None => all.filter_map(texts).take(1).collect(),
        }
    }

    /// Returns the places of the columns with numbers.
    pub(crate) fn number_columns(&self) -> impl Iterator<Item = usize> {
        let is_number = |column: &Column| column.kind.is_measure();
        (0..).zip(self.columns).filter(move |(_, column)| is_number(column)).map(|(place, _)| place)
    }
}
