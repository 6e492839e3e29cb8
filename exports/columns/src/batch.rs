//! Batches of rows.

use crate::array::Array;

/// Some rows of a table.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Batch {
    /// How many rows: a table may have no columns.
    pub rows: usize,
    /// An array per column, each of as many values.
    pub columns: Vec<Array>,
}

impl Batch {
    /// Returns rows that are not events: an array per column, each of as many values.
    pub const fn new(rows: usize, columns: Vec<Array>) -> Self {
        Self { rows, columns }
    }

    /// Returns the same rows with a value for each in every column: without
    /// [`Values::Repeated`](crate::Values::Repeated).
    #[must_use]
    pub fn expanded(self) -> Self {
        Self { rows: self.rows, columns: self.columns.into_iter().map(Array::expanded).collect() }
    }

    /// Returns about how many bytes its values take.
    pub fn size(&self) -> usize {
        self.columns.iter().map(Array::size).sum()
    }
}
