//! Rows of a table that come together.

use etwkit::Event;

use crate::batch::Batch;
use crate::field_value;
use crate::header_column::HeaderState;
use crate::layout::FieldPlace;
use crate::table::{Column, Source, Table};

/// The rows of a table since its last batch.
#[derive(Debug)]
pub(crate) struct Rows {
    batch: Batch,
    /// Bytes of the batch.
    size: usize,
}

impl Rows {
    pub(crate) fn new(table: &Table) -> Self {
        let columns = table.columns().iter().map(Column::array).collect();
        Self { batch: Batch { rows: 0, columns }, size: 0 }
    }

    /// Appends the row of an event, and returns about how many bytes its texts and values take.
    pub(crate) fn push(&mut self, table: &Table, event: &Event<'_>, state: &mut HeaderState) -> usize {
        let fields: &[Option<FieldPlace>] = table.layouts.get(&event.layout()).map_or(&[], |fields| fields);
        state.begin();
        for (column, array) in table.columns().iter().zip(&mut self.batch.columns) {
            match column.source {
                Source::Header(header) => header.push(event, state, array),
                Source::Payload(place) => {
                    let found = fields.get(place).copied().flatten();
                    match found.and_then(|found| Some((found.is_number, event.field_at(found.place)?))) {
                        None => array.push_null(),
                        Some((true, view)) => field_value::push_number(&view, array),
                        Some((false, view)) => field_value::push(event, &view, &column.data_type, array),
                    }
                }
            }
        }
        self.batch.rows += 1;
        let size = self.batch.size();
        size - std::mem::replace(&mut self.size, size)
    }

    /// Returns the rows, with the texts of their codes.
    pub(crate) fn into_batch(mut self, table: &Table, state: &HeaderState) -> Batch {
        for (column, array) in table.columns().iter().zip(&mut self.batch.columns) {
            if let Some(place) = column.coder() {
                array.set_texts(state.texts(place));
            }
        }
        self.batch
    }
}
