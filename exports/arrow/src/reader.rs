//! The events of a trace as batches that are asked for.

use std::any::Any;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::task::Poll;
use std::thread::JoinHandle;
use std::time::Duration;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use etwkit::trace::{RunOptions, Trace};
use etwkit_columns::{BatchSink, Table};

use crate::batch::record_batch;
use crate::schema::schema;

/// Batches that wait to be asked for.
const WAITING: usize = 2;

/// Reads the rows of a table, in the order of the run. The engine works on threads of its own, and waits while nobody
/// asks for the batches that it has made. Dropping the reader ends the run.
pub struct EventReader {
    schema: SchemaRef,
    batches: Receiver<Result<RecordBatch, ArrowError>>,
    is_dropped: Arc<AtomicBool>,
    run: Option<JoinHandle<()>>,
}

impl EventReader {
    /// Starts a run. The table is one of this trace.
    ///
    /// # Errors
    ///
    /// If no thread can be started.
    pub fn new(trace: Arc<Trace>, table: Table, options: RunOptions) -> etwkit::Result<Self> {
        let schema = Arc::new(schema(table.columns()));
        let (batches, receiver) = sync_channel(WAITING);
        let is_dropped = Arc::new(AtomicBool::new(false));
        let job = Job { schema: Arc::clone(&schema), batches, is_dropped: Arc::clone(&is_dropped) };
        let thread = std::thread::Builder::new().name("etwkit-arrow".to_owned());
        let run = thread.spawn(move || job.run(&trace, table, &options))?;
        Ok(Self { schema, batches: receiver, is_dropped, run: Some(run) })
    }

    /// Returns the next batch as [`Iterator::next`] does, or [`Poll::Pending`] if none comes in time, for callers that
    /// must look after something else meanwhile.
    pub fn next_within(&mut self, time: Duration) -> Poll<Option<Result<RecordBatch, ArrowError>>> {
        match self.batches.recv_timeout(time) {
            Ok(batch) => Poll::Ready(Some(batch)),
            Err(RecvTimeoutError::Timeout) => Poll::Pending,
            Err(RecvTimeoutError::Disconnected) => Poll::Ready(self.end()),
        }
    }

    /// The run is over: fine, or by a panic, which must not look like the end of the trace.
    fn end(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        let panic = self.run.take()?.join().err()?;
        Some(Err(ArrowError::ExternalError(format!("the engine failed: {}", text_of(&*panic)).into())))
    }
}

impl Iterator for EventReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batches.recv().ok().or_else(|| self.end())
    }
}

impl RecordBatchReader for EventReader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

impl Drop for EventReader {
    fn drop(&mut self) {
        self.is_dropped.store(true, Ordering::Relaxed);
    }
}

impl fmt::Debug for EventReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventReader").field("schema", &self.schema).finish_non_exhaustive()
    }
}

/// What the thread does.
struct Job {
    schema: SchemaRef,
    batches: SyncSender<Result<RecordBatch, ArrowError>>,
    is_dropped: Arc<AtomicBool>,
}

impl Job {
    fn run(&self, trace: &Trace, table: Table, options: &RunOptions) {
        let mut sink = BatchSink::new([table], |_, batch| {
            let batch = record_batch(&self.schema, batch).map_err(etwkit::Error::caller)?;
            // Nobody asks any more.
            let is_taken = self.batches.send(Ok(batch)).is_ok();
            Ok(if is_taken { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        });
        let mut progress = |_, _| {
            let is_dropped = self.is_dropped.load(Ordering::Relaxed);
            if is_dropped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        if let Err(error) = trace.run_with(options, &mut sink, &mut progress) {
            let _: Result<(), _> = self.batches.send(Err(ArrowError::ExternalError(Box::new(error))));
        }
    }
}

fn text_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic")
}
