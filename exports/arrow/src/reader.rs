//! The events of a trace as batches that are asked for.

use std::fmt;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use etwkit::sink::{Feed, Outlet, Panicked};
use etwkit::trace::{RunOptions, Trace};
use etwkit_columns::{BatchSink, Table};

use crate::batch::record_batch;
use crate::schema::schema;

/// Batches that wait to be asked for.
const WAITING: usize = 2;

/// A batch, or why there is none.
type Outcome = Result<RecordBatch, ArrowError>;

/// Reads the rows of a table, in the order of the run. The engine works on threads of its own, and waits while nobody
/// asks for the batches that it has made. Dropping the reader ends the run.
pub struct EventReader {
    schema: SchemaRef,
    batches: Feed<Outcome>,
}

impl EventReader {
    /// Starts a run. The table is one of this trace.
    ///
    /// # Errors
    ///
    /// If no thread can be started.
    pub fn new(trace: Arc<Trace>, table: Table, options: RunOptions) -> etwkit::Result<Self> {
        let schema = Arc::new(schema(table.columns()));
        let of_run = Arc::clone(&schema);
        let batches =
            Feed::start("etwkit-arrow", WAITING, move |outlet| run(&trace, table, &options, &of_run, outlet))?;
        Ok(Self { schema, batches })
    }

    /// Returns the next batch as [`Iterator::next`] does, or [`Poll::Pending`] if none comes in time, for callers that
    /// must look after something else meanwhile.
    pub fn next_within(&mut self, time: Duration) -> Poll<Option<Outcome>> {
        self.batches.next_within(time).map(outcome)
    }
}

/// A panic must not look like the end of the trace.
fn outcome(next: Result<Option<Outcome>, Panicked>) -> Option<Outcome> {
    next.unwrap_or_else(|panicked| Some(Err(ArrowError::ExternalError(Box::new(panicked)))))
}

impl Iterator for EventReader {
    type Item = Outcome;

    fn next(&mut self) -> Option<Outcome> {
        outcome(self.batches.next())
    }
}

impl RecordBatchReader for EventReader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

impl fmt::Debug for EventReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventReader").field("schema", &self.schema).finish_non_exhaustive()
    }
}

fn run(trace: &Trace, table: Table, options: &RunOptions, schema: &SchemaRef, outlet: &Outlet<Outcome>) {
    let mut sink = BatchSink::new([table], |_, batch| {
        let batch = record_batch(schema, batch).map_err(etwkit::Error::caller)?;
        Ok(outlet.send(Ok(batch)))
    });
    if let Err(error) = trace.run_with(options, &mut sink, &mut |_, _| outlet.is_wanted()) {
        // Nobody hears it if the reader is gone.
        let _ = outlet.send(Err(ArrowError::ExternalError(Box::new(error))));
    }
}
