//! Rows of any analysis.

use std::fmt;

use crate::{Row, Value};

/// The rows of an analysis as values, for programs that treat all analyses alike.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// The values of each row, in the order of the columns.
    pub rows: Vec<Vec<Value>>,
    /// How many things had no room: see [`Analysis::excess`](crate::Analysis::excess).
    pub excess: u64,
}

/// The same, made row by row: of a list of many rows, only the one that is looked at is there as values.
pub struct ValueRows<'r> {
    rows: Box<dyn Iterator<Item = Vec<Value>> + 'r>,
    excess: u64,
}

impl<'r> ValueRows<'r> {
    pub(crate) fn new<R: Row>(rows: impl Iterator<Item = R> + 'r, excess: u64) -> Self {
        Self { rows: Box::new(rows.map(|row| row.values())), excess }
    }

    /// Returns how many things had no room: see [`Analysis::excess`](crate::Analysis::excess).
    pub const fn excess(&self) -> u64 {
        self.excess
    }
}

impl Iterator for ValueRows<'_> {
    type Item = Vec<Value>;

    fn next(&mut self) -> Option<Vec<Value>> {
        self.rows.next()
    }
}

impl fmt::Debug for ValueRows<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValueRows").field("excess", &self.excess).finish_non_exhaustive()
    }
}

impl From<ValueRows<'_>> for Values {
    fn from(rows: ValueRows<'_>) -> Self {
        Self { excess: rows.excess, rows: rows.collect() }
    }
}
