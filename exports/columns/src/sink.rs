//! From events to batches.

use std::ops::ControlFlow;
use std::sync::Arc;

use etwkit::container::BufferInfo;
use etwkit::decode::{Fit, PendingEvent};
use etwkit::sink::{Sink, Worker};
use etwkit::{Event, EventType};

use crate::batch::Batch;
use crate::buffer_offsets::BufferOffsets;
use crate::expected::Expected;
use crate::header_column::HeaderState;
use crate::quick::{Quick, Quicks};
use crate::routes::Routes;
use crate::rows::{Layout, Rows, exact};
use crate::table::Table;

/// Rows of a batch.
const ROWS: usize = 1 << 16;
/// Bytes of values in the batches of a thread, about.
const BYTES: usize = 8 << 20;

/// Hands the rows of tables to a function, in order of the run's events.
///
/// Fields that no column shows are not located, unless columns of the header depend on them. The
/// [`Summary`](etwkit::trace::Summary) of a run counts such events as fitting, but for [`BatchSink::with_fits`].
#[derive(Debug)]
pub struct BatchSink<F> {
    tables: Arc<[Table]>,
    routes: Arc<Routes>,
    offsets: BufferOffsets,
    take: F,
}

/// Batches, and the number of the table that each is of.
pub type Batches = Vec<(usize, Batch)>;

impl<F> BatchSink<F>
where
    F: FnMut(usize, Batch) -> etwkit::Result<ControlFlow<()>>,
{
    /// Hands batches, with the number of their table, to `take`, which may end the run. An event goes to the first
    /// table that is made for its type, else to the first that takes all events, else nowhere.
    pub fn new(tables: impl Into<Arc<[Table]>>, take: F) -> Self {
        let tables = tables.into();
        let routes = Arc::new(Routes::new(&tables));
        Self { tables, routes, offsets: BufferOffsets::default(), take }
    }

    /// Finds out of each event whether its payload fits its schema, although no column shows it: the
    /// [`Summary`](etwkit::trace::Summary) of a run counts those that do not.
    #[must_use]
    pub fn with_fits(mut self) -> Self {
        self.routes = Arc::new(Routes::new(&self.tables).with_fits());
        self
    }
}

impl<F> Sink for BatchSink<F>
where
    F: FnMut(usize, Batch) -> etwkit::Result<ControlFlow<()>>,
{
    type Worker = BatchWorker;

    fn begin(&mut self, buffers: &mut dyn Iterator<Item = BufferInfo>) {
        if self.tables.iter().any(Table::has_offsets) {
            self.offsets = BufferOffsets::of(buffers);
        }
    }

    fn worker(&self) -> BatchWorker {
        let (tables, routes) = (Arc::clone(&self.tables), Arc::clone(&self.routes));
        let open = std::iter::repeat_with(Open::default).take(tables.len()).collect();
        let (mut state, quicks) = (HeaderState::default(), Quicks::default());
        state.files.offsets = self.offsets.clone();
        BatchWorker { tables, routes, open, state, quicks, rows: 0, bytes: 0 }
    }

    fn accept(&mut self, batches: Batches) -> etwkit::Result<ControlFlow<()>> {
        for (table, batch) in batches {
            if (self.take)(table, batch)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The work of one thread.
#[derive(Debug)]
pub struct BatchWorker {
    tables: Arc<[Table]>,
    routes: Arc<Routes>,
    open: Vec<Open>,
    state: HeaderState,
    quicks: Quicks,
    rows: usize,
    bytes: usize,
}

/// The rows of a table since the last hand-over.
#[derive(Debug, Default)]
struct Open {
    rows: Option<Rows>,
    /// What its last batch took.
    expected: Expected,
}

impl BatchWorker {
    /// Appends an event by `push`, if a table takes the events of its type; returns what that returns for it.
    #[inline]
    fn row<R>(
        &mut self,
        row: Option<&EventType>,
        push: impl FnOnce(&mut Rows, Layout<'_>, &mut HeaderState) -> (usize, R),
    ) -> Option<R> {
        let Self { tables, routes, open, state, .. } = self;
        let route = routes.of(row.map(EventType::id))?;
        let (plan, open) = (routes.plans.get(route.table)?, open.get_mut(route.table)?);
        let rows = match &mut open.rows {
            Some(rows) => rows,
            none => none.insert(Rows::new(tables.get(route.table)?, &open.expected)),
        };
        let (bytes, result) = push(rows, Layout { tables, plan, routes, route }, state);
        if bytes > 0 {
            self.bytes += bytes;
            self.rows += 1;
        }
        Some(result)
    }

    /// Appends an event of whose type and header there has been one before; `None`, and nothing, if there has not.
    #[inline]
    fn quick_row(&mut self, pending: &PendingEvent<'_>) -> Option<usize> {
        let Self { routes, open, state, quicks, .. } = self;
        let quick = quicks.of(pending)?;
        let differing = quick.words.differing(pending.raw())?;
        let plan = routes.plans.get(quick.table)?;
        let rows = open.get_mut(quick.table)?.rows.as_mut()?;
        rows.push_quick((quick, differing), (plan, routes), pending, state)
    }

    /// Keeps what the next event of a type and header like those of this one needs.
    #[inline(never)]
    fn learn(&mut self, pending: &mut PendingEvent<'_>) {
        let Self { routes, state: HeaderState { shapes, coders, .. }, quicks, .. } = self;
        let Some(route) = routes.of(pending.event_type().map(EventType::id)) else { return };
        let Some(plan) = routes.plans.get(route.table) else { return };
        let prepared = shapes.of_pending(pending, coders).map(|(prepared, _)| prepared.clone());
        let quick = prepared.and_then(|prepared| Quick::new(pending, (plan, route), &prepared));
        quicks.put(pending, quick);
    }
}

impl Worker for BatchWorker {
    type Batch = Batches;

    fn event(&mut self, event: &Event<'_>) -> etwkit::Result<()> {
        self.row(event.event_type(), |rows, layout, state| (rows.push(layout, event, state), ()));
        Ok(())
    }

    #[inline]
    fn pending(&mut self, pending: &mut PendingEvent<'_>) -> etwkit::Result<Option<Fit>> {
        if let Some(bytes) = self.quick_row(pending) {
            self.bytes += bytes;
            self.rows += 1;
            return Ok(Some(Fit::Exact));
        }
        let is_taken = self.row(pending.event_type(), |rows, layout, state| {
            let bytes = rows.push_pending(layout, pending, state);
            (bytes.unwrap_or(0), bytes.is_some())
        });
        if is_taken != Some(false) {
            if !self.quicks.are_single(pending) {
                self.learn(pending);
            }
            return Ok(exact(pending.has_layout()));
        }
        let event = pending.locate();
        self.event(&event)?;
        Ok(event.layout_fit())
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.rows >= ROWS || self.bytes + self.state.coders.new_bytes() >= BYTES
    }

    #[inline]
    fn is_overfull(&self) -> bool {
        self.is_full()
    }

    fn take(&mut self) -> Batches {
        (self.rows, self.bytes) = (0, 0);
        let Self { tables, routes, open, state, quicks, .. } = self;
        let mut batches = Vec::new();
        for (number, ((open, table), plan)) in open.iter_mut().zip(tables.iter()).zip(&routes.plans).enumerate() {
            if let Some(rows) = open.rows.take().filter(|rows| rows.len() > 0) {
                let records = rows.records();
                let batch = rows.into_batch(table, (plan, routes), state);
                open.expected.note(&batch, records);
                batches.push((number, batch));
            }
        }
        if state.end_batch() {
            quicks.clear();
        }
        batches
    }
}
