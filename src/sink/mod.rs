//! Where events go.
//!
//! A [`Sink`] has one [`Worker`] a thread: workers turn events into batches (text, rows, counts), the sink takes the
//! batches in order. Nothing `dyn` is called per event. The engine's own sinks: [`JsonLines`],
//! [`TextLines`], counts ([`Tally`]), tables ([`Rows`], [`SplitRows`]), what Windows' tracerpt writes ([`XmlEvents`], [`TracerptCsv`]),
//! and TWAPI's lines ([`TwapiLines`]).

mod csv;
mod headed;
mod jsonl;
mod lines;
mod prepared;
mod table;
mod tally;
mod text;
mod tracerpt;
mod twapi;

pub use jsonl::JsonLines;
pub use table::{Column, Form, Rows, RowsWorker, SplitRows, SplitWorker, TableInfo, Tables};
pub use tally::{Group, Groups, Tally};
pub use text::TextLines;
pub use tracerpt::{
    Alias, Aliases, Look, PickWorker, PickedCells, TracerptCsv, TracerptCsvWorker, XmlEvents, XmlWorker,
};
pub use twapi::{TwapiField, TwapiLines, TwapiWorker, twapi_logfile, twapi_session};

use std::ops::ControlFlow;

use crate::decode::DecodedEvent;
use crate::error::Result;

/// Takes batches in order.
pub trait Sink {
    /// What works on one thread.
    type Worker: Worker;

    /// Makes a worker; called once a thread, before the first event.
    fn worker(&self) -> Self::Worker;

    /// Takes the next batch; may end the run.
    fn accept(&mut self, batch: <Self::Worker as Worker>::Batch) -> Result<ControlFlow<()>>;
}

/// Turns events into a batch.
pub trait Worker: Send {
    /// What is handed over: bytes, rows, counts.
    type Batch: Send;

    /// Takes an event.
    fn event(&mut self, event: &DecodedEvent<'_, '_>) -> Result<()>;

    /// Hands over what has come together since the last call.
    fn take(&mut self) -> Self::Batch;
}
