//! How much memory the next batch of a table will take, by the last one.

use crate::array::Array;
use crate::batch::Batch;
use crate::table::Table;

/// What the last batches of a table took.
#[derive(Debug, Default)]
pub(crate) struct Expected {
    pub(crate) rows: usize,
    /// Bytes of records.
    pub(crate) records: usize,
    /// Of columns of texts and lists that were not empty: the column, and its bytes or items.
    columns: Vec<(usize, usize)>,
}

impl Expected {
    /// Keeps what a batch took.
    pub(crate) fn note(&mut self, batch: &Batch, records: usize) {
        // Batches have more of a table and less in turn: what they take goes down slowly. Memory that is not written costs
        // less than to copy what is.
        let now = |before: usize, len: usize| len.max(before - before / 32);
        (self.rows, self.records) = (now(self.rows, batch.rows), now(self.records, records));
        let before = std::mem::take(&mut self.columns);
        let before = |place: usize| {
            let at = before.binary_search_by_key(&place, |(of, _)| *of).ok();
            at.and_then(|at| before.get(at)).map_or(0, |(_, len)| *len)
        };
        let lens =
            batch.columns.iter().enumerate().map(|(place, array)| (place, now(before(place), array.inner_len())));
        self.columns.extend(lens.filter(|(_, len)| *len > 0));
    }

    /// Returns arrays for the columns of a table, with room for as much.
    pub(crate) fn arrays(&self, table: &Table) -> Vec<Array> {
        let mut arrays: Vec<Array> = table.columns().iter().map(crate::table::Column::array).collect();
        for (place, len) in &self.columns {
            if let Some(array) = arrays.get_mut(*place) {
                // Equal slices do not have equal events.
                array.reserve(self.rows + self.rows / 8, len + len / 8);
            }
        }
        arrays
    }
}
