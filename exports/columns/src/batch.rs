//! Batches of rows.

use crate::array::Array;

/// Some rows of a table.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Batch {
    /// How many rows: a table may have no columns.
    pub rows: usize,
    /// An array a column, each of as many values.
    pub columns: Vec<Array>,
}

impl Batch {
    /// Returns rows that are not events: an array a column, each of as many values.
    pub const fn new(rows: usize, columns: Vec<Array>) -> Self {
        Self { rows, columns }
    }

    /// Returns about how many bytes its values take.
    pub fn size(&self) -> usize {
        self.columns.iter().map(Array::size).sum()
    }
}
