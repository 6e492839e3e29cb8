//! Rows of any analysis.

use crate::Value;

/// The rows of an analysis as values, for programs that treat all analyses alike.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// The values of each row, in the order of the columns.
    pub rows: Vec<Vec<Value>>,
    /// How many things had no room: see [`Analysis::excess`](crate::Analysis::excess).
    pub excess: u64,
}
