//! From events to batches.

use std::ops::ControlFlow;
use std::sync::Arc;

use etwkit::Event;
use etwkit::sink::{Sink, Worker};

use crate::batch::Batch;
use crate::header_column::HeaderState;
use crate::routes::Routes;
use crate::rows::Rows;
use crate::table::Table;

/// Rows of a batch.
const ROWS: usize = 1 << 16;
/// Bytes of values in the batches of a thread, about.
const BYTES: usize = 8 << 20;

/// Hands the rows of tables to a function, in order of the run's events.
#[derive(Debug)]
pub struct BatchSink<F> {
    tables: Arc<[Table]>,
    routes: Arc<Routes>,
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
        Self { tables, routes, take }
    }
}

impl<F> Sink for BatchSink<F>
where
    F: FnMut(usize, Batch) -> etwkit::Result<ControlFlow<()>>,
{
    type Worker = BatchWorker;

    fn worker(&self) -> BatchWorker {
        let (tables, routes) = (Arc::clone(&self.tables), Arc::clone(&self.routes));
        let open = std::iter::repeat_with(|| None).take(tables.len()).collect();
        BatchWorker { tables, routes, open, state: HeaderState::default(), rows: 0, bytes: 0 }
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
    /// The rows of each table since the last hand-over.
    open: Vec<Option<Rows>>,
    state: HeaderState,
    rows: usize,
    bytes: usize,
}

impl Worker for BatchWorker {
    type Batch = Batches;

    fn event(&mut self, event: &Event<'_>) -> etwkit::Result<()> {
        let Some(place) = self.routes.of(event.key()) else { return Ok(()) };
        let (Some(table), Some(open)) = (self.tables.get(place), self.open.get_mut(place)) else { return Ok(()) };
        self.bytes += open.get_or_insert_with(|| Rows::new(table)).push(table, event, &mut self.state);
        self.rows += 1;
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.rows >= ROWS || self.bytes + self.state.new_bytes() >= BYTES
    }

    fn is_overfull(&self) -> bool {
        self.is_full()
    }

    fn take(&mut self) -> Batches {
        (self.rows, self.bytes) = (0, 0);
        let Self { tables, open, state, .. } = self;
        let taken = open.iter_mut().map(Option::take).zip(tables.iter()).enumerate();
        let batches = taken.filter_map(|(number, (rows, table))| Some((number, rows?.into_batch(table, state))));
        let batches = batches.collect();
        self.state.end_batch();
        batches
    }
}
