//! Rows of a table that come together.

use etwkit::Event;
use etwkit::decode::{Fit, PendingEvent};

use crate::array::Array;
use crate::batch::Batch;
use crate::expected::Expected;
use crate::field_value;
use crate::files::Files;
use crate::header_column::HeaderState;
use crate::header_words::Differing;
use crate::heads::Heads;
use crate::memo::Memos;
use crate::payload_op::{PayloadOp, PayloadSource};
use crate::payloads::Payloads;
use crate::plan::Plan;
use crate::quick::Quick;
use crate::routes::{Route, Routes};
use crate::table::{Source, Table};

/// The rows of a table since its last batch. What most rows do not have is not appended: an array catches up when a row
/// has a value. What all rows of a type have waits until there are many.
#[derive(Debug)]
pub(crate) struct Rows {
    batch: Batch,
    /// The number of the shape of each row.
    shapes: Vec<u32>,
    heads: Heads,
    payloads: Payloads,
}

/// A table, and how its columns are made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout<'t> {
    pub(crate) tables: &'t [Table],
    pub(crate) plan: &'t Plan,
    pub(crate) routes: &'t Routes,
    /// Where the events of the type go.
    pub(crate) route: &'t Route,
}

impl Rows {
    /// Makes room for as many rows as there were before.
    pub(crate) fn new(table: &Table, expected: &Expected) -> Self {
        // Slices do not have equally many.
        let rows = expected.rows + expected.rows / 4;
        Self {
            batch: Batch { rows: 0, columns: expected.arrays(table) },
            shapes: Vec::with_capacity(rows),
            heads: Heads::with_capacity(rows),
            payloads: Payloads::with_capacity(expected.records),
        }
    }

    /// Appends the row of an event whose fields have not been located, if the type of the event can be compiled and its
    /// payload is as the type's schema states. Returns about how many bytes its texts and values take.
    #[inline]
    pub(crate) fn push_pending(
        &mut self,
        layout: Layout<'_>,
        pending: &mut PendingEvent<'_>,
        state: &mut HeaderState,
    ) -> Option<usize> {
        let Layout { plan, .. } = layout;
        let HeaderState { shapes, coders, files, memos, fields, .. } = state;
        let (prepared, facts) = shapes.of_pending(pending, coders).filter(|(prepared, _)| plan.is_quick(prepared))?;
        let found = plan.attribution(pending, facts.ids)?;
        let row = self.batch.rows;
        let (mut bytes, is_whole) = plan.push_fields(fields, pending, (&mut self.batch.columns, row))?;
        if plan.has_payload {
            bytes += self.push_payload(layout, pending, memos)?;
        } else if !is_whole && plan.needs_fit(prepared) {
            pending.placed()?;
        }
        let Self { batch: Batch { rows, columns }, shapes, heads, .. } = self;
        if plan.has_heads() {
            plan.push_head(heads, pending, (found, prepared.parts()), (coders, files));
        }
        if facts.activity.is_some() || facts.has_extended {
            bytes += plan.push_activities(pending, (facts.activity, facts.has_extended), (columns, row));
        }
        if prepared.has_message && plan.has_message() {
            bytes += plan.push_message(&pending.locate(), (columns, row));
        }
        shapes.push(prepared.shape);
        *rows += 1;
        Some(bytes + plan.row_bytes)
    }

    /// The same of an event of which all is known but what it differs in from an earlier one.
    #[inline]
    pub(crate) fn push_quick(
        &mut self,
        (quick, differing): (&Quick, Differing),
        (plan, routes): (&Plan, &Routes),
        pending: &PendingEvent<'_>,
        state: &mut HeaderState,
    ) -> Option<usize> {
        let HeaderState { coders, files, memos, .. } = state;
        let Self { batch: Batch { rows, columns }, shapes, heads, payloads } = self;
        let writer = differing.writer();
        let is_known = quick.is_of_writer && writer.pid.is_some();
        let found = if is_known { writer } else { plan.attribution(pending, writer)? };
        let mut bytes = plan.row_bytes;
        if let Some(program) = &quick.program {
            bytes += payloads.push((quick.key, program), pending, (routes, memos), (columns, *rows))?;
        }
        if plan.has_heads() {
            plan.push_head(heads, pending, (found, quick.parts), (coders, files));
        }
        let activity = differing.activity();
        if plan.has_activities() && (activity.is_some() || quick.has_extended) {
            bytes += plan.push_activities(pending, (activity, quick.has_extended), (columns, *rows));
        }
        shapes.push(quick.shape);
        *rows += 1;
        Some(bytes)
    }

    /// Appends the fields of an event; `None`, and nothing, unless the payload fits exactly.
    #[inline]
    fn push_payload(
        &mut self,
        Layout { routes, route, .. }: Layout<'_>,
        pending: &mut PendingEvent<'_>,
        memos: &mut Memos,
    ) -> Option<usize> {
        let Self { batch: Batch { rows, columns }, payloads, .. } = self;
        let arrays = (columns.as_mut_slice(), *rows);
        // Messages, which state themselves how wide addresses are, are not compiled.
        if let Some(program) = route.program(pending.raw().header_type().pointer_size()) {
            payloads.push((route.key, program), pending, (routes, memos), arrays)
        } else {
            payloads.settle(routes, memos, columns);
            push_payload(&route.ops, pending, (columns, *rows))
        }
    }

    /// Moves what waits into columns. Nothing follows the last rows.
    fn settle(&mut self, plan: &Plan, routes: &Routes, (files, memos): (&Files, &mut Memos), is_last: bool) {
        let Self { batch: Batch { rows, columns }, heads, payloads, .. } = self;
        if !heads.is_empty() {
            heads.settle(&plan.heads, files, (columns, *rows), is_last);
        }
        payloads.settle(routes, memos, columns);
    }

    /// Appends the row of an event, and returns about how many bytes its texts and values take.
    pub(crate) fn push(&mut self, layout: Layout<'_>, event: &Event<'_>, state: &mut HeaderState) -> usize {
        let Layout { tables, plan, routes, route } = layout;
        self.settle(plan, routes, (&state.files, &mut state.memos), false);
        let Some(table) = tables.get(route.table) else { return 0 };
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
                        Some((true, view)) => field_value::push_number(&view, &column.data_type, array),
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
    pub(crate) fn into_batch(
        mut self,
        table: &Table,
        (plan, routes): (&Plan, &Routes),
        state: &mut HeaderState,
    ) -> Batch {
        self.settle(plan, routes, (&state.files, &mut state.memos), true);
        let Batch { rows, columns } = &mut self.batch;
        let used = used(&self.shapes);
        for (place, constant) in &plan.constants {
            if let Some(array) = columns.get_mut(*place) {
                array.fill(&self.shapes, (&used, state.shapes.list()), *constant);
            }
        }
        for (column, array) in table.columns().iter().zip(columns) {
            if array.is_empty() {
                array.repeat(None, *rows);
            }
            array.pad(*rows);
            if let Some(place) = column.coder() {
                array.set_texts(state.coders.texts(place));
            }
        }
        self.batch
    }

    /// Returns the bytes of records that wait.
    pub(crate) const fn records(&self) -> usize {
        self.payloads.len()
    }

    /// Returns how many there are.
    pub(crate) const fn len(&self) -> usize {
        self.batch.rows
    }
}

/// Returns which numbers are among some: few of them with repetitions, if there are many.
fn used(shapes: &[u32]) -> Vec<u32> {
    let mut used: Vec<u32> = Vec::new();
    for shape in shapes {
        let is_known =
            used.last() == Some(shape) || used.get(..FEW.min(used.len())).is_some_and(|few| few.contains(shape));
        if !is_known {
            used.push(*shape);
        }
    }
    used
}

/// Different shapes of the rows of a table up to which each is found once.
const FEW: usize = 8;

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
