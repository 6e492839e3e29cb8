//! Rows of a table that come together.

use etwkit::Event;
use etwkit::decode::{Fit, PendingEvent};

use crate::array::Array;
use crate::batch::Batch;
use crate::field_value;
use crate::header_column::HeaderState;
use crate::payload_op::{PayloadOp, PayloadSource};
use crate::plan::Plan;
use crate::table::{Column, Source, Table};

/// The rows of a table since its last batch. What most rows do not have is not appended: an array catches up when a row
/// has a value.
#[derive(Debug)]
pub(crate) struct Rows {
    batch: Batch,
    /// The number of the shape of each row.
    shapes: Vec<u32>,
}

/// A table, and how its columns are made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout<'t> {
    pub(crate) table: &'t Table,
    pub(crate) plan: &'t Plan,
    /// The fields of the event's type in columns.
    pub(crate) ops: &'t [PayloadOp],
}

impl Rows {
    /// Makes room for as many rows as there were before.
    pub(crate) fn new(table: &Table, expected: usize) -> Self {
        let columns = table.columns().iter().map(Column::array).collect();
        Self { batch: Batch { rows: 0, columns }, shapes: Vec::with_capacity(expected) }
    }

    /// Appends the row of an event whose fields have not been located, if the type of the event can be compiled and its
    /// payload is as the type's schema says. Returns about how many bytes its texts and values take.
    pub(crate) fn push_pending(
        &mut self,
        Layout { plan, ops, .. }: Layout<'_>,
        pending: &mut PendingEvent<'_>,
        state: &mut HeaderState,
    ) -> Option<usize> {
        let prepared = state.prepared(pending).filter(|prepared| plan.is_quick(prepared))?;
        let Self { batch: Batch { rows, columns }, shapes } = self;
        let row = *rows;
        let found = pending.attribution()?;
        let (mut bytes, is_whole) = plan.push_fields(&mut state.fields, pending, (columns, row))?;
        if plan.has_payload {
            bytes += push_payload(ops, pending, (columns, row))?;
        } else if !is_whole && plan.needs_fit(&prepared) {
            pending.placed()?;
        }
        bytes += plan.push_header(pending, found, &mut state.coders, (columns, row));
        if prepared.has_message && plan.has_message() {
            bytes += plan.push_message(&pending.locate(), (columns, row));
        }
        shapes.push(prepared.shape);
        *rows += 1;
        Some(bytes + plan.row_bytes)
    }

    /// Appends the row of an event, and returns about how many bytes its texts and values take.
    pub(crate) fn push(&mut self, layout: Layout<'_>, event: &Event<'_>, state: &mut HeaderState) -> usize {
        let Layout { table, plan, .. } = layout;
        let fields = table.layouts.get(&event.layout());
        let (row, mut bytes) = (self.batch.rows, plan.row_bytes);
        state.begin();
        for (column, array) in table.columns().iter().zip(&mut self.batch.columns) {
            if column.is_constant() {
                continue;
            }
            array.pad(row);
            let before = array.size();
            match column.source {
                Source::Header(header) => header.push(event, state, array),
                Source::Payload(place) => {
                    let found = fields.and_then(|fields| fields.get(place).copied().flatten());
                    match found.and_then(|found| Some((found.is_number, event.field_at(found.place)?))) {
                        None => {}
                        Some((true, view)) => field_value::push_number(&view, array),
                        Some((false, view)) => field_value::push(event, &view, &column.data_type, array),
                    }
                }
            }
            bytes += array.size() - before;
        }
        self.shapes.push(state.shape(event));
        self.batch.rows += 1;
        bytes
    }

    /// Returns the rows, with the texts of their codes.
    pub(crate) fn into_batch(mut self, table: &Table, plan: &Plan, state: &HeaderState) -> Batch {
        let Batch { rows, columns } = &mut self.batch;
        for (place, constant) in &plan.constants {
            if let Some(array) = columns.get_mut(*place) {
                array.fill(&self.shapes, state.shapes.list(), *constant);
            }
        }
        for (column, array) in table.columns().iter().zip(columns) {
            array.pad(*rows);
            if let Some(place) = column.coder() {
                array.set_texts(state.coders.texts(place));
            }
        }
        self.batch
    }

    /// Returns how many there are.
    pub(crate) const fn len(&self) -> usize {
        self.batch.rows
    }
}

/// Appends the fields of an event; `None`, and nothing, unless the payload fits exactly.
fn push_payload(
    ops: &[PayloadOp],
    pending: &mut PendingEvent<'_>,
    (columns, row): (&mut [Array], usize),
) -> Option<usize> {
    let source = PayloadSource { schema: pending.schema()?, clock: pending.clock() };
    let fields = pending.placed()?;
    Some(ops.iter().map(|op| op.push(&fields, source, (&mut *columns, row))).sum())
}

/// How an event fits that has been taken without being located.
pub(crate) const fn exact(has_schema: bool) -> Option<Fit> {
    if has_schema { Some(Fit::Exact) } else { None }
}
