//! Where events go.
//!
//! A [`Sink`] has one [`Worker`] per thread: workers turn events into batches (text, rows, counts), and the sink takes
//! the batches in order. Nothing `dyn` is called per event. The engine's own sinks are in [`crate::output`]. A [`Feed`]
//! is for callers that ask for batches one at a time.

mod feed;

pub use feed::{Feed, Outlet, Panicked};

use std::ops::ControlFlow;

use crate::container::BufferInfo;
use crate::decode::{Event, Fit, PendingEvent};
use crate::error::Result;

/// Takes batches in order.
pub trait Sink {
    /// What works on one thread.
    type Worker: Worker;

    /// Begins a run over a trace with these buffers, which [`Place::buffer`](crate::event::Place) numbers; called once,
    /// before workers are made. A sink that contains others lets them begin, too.
    fn begin(&mut self, _buffers: &mut dyn Iterator<Item = BufferInfo>) {}

    /// Makes a worker; called once per thread, before the first event.
    fn worker(&self) -> Self::Worker;

    /// Takes the next batch; may end the run.
    fn accept(&mut self, batch: <Self::Worker as Worker>::Batch) -> Result<ControlFlow<()>>;
}

/// Turns events into a batch.
pub trait Worker: Send {
    /// What is handed over: bytes, rows, counts.
    type Batch: Send;

    /// Takes an event.
    fn event(&mut self, event: &Event<'_>) -> Result<()>;

    /// Takes an event of a run before its fields are located, and returns how its payload and its schema fit together;
    /// `None` without a layout. By default it locates them and calls [`Worker::event`].
    #[inline]
    fn pending(&mut self, pending: &mut PendingEvent<'_>) -> Result<Option<Fit>> {
        let event = pending.locate();
        self.event(&event)?;
        Ok(event.layout_fit())
    }

    /// Returns whether a batch is as large as it should become. A run hands it over then. One on several threads does
    /// so if it need not wait for the batches before it, and else lets it grow, but see [`Worker::is_overfull`].
    #[inline]
    fn is_full(&self) -> bool {
        false
    }

    /// Returns whether a batch is so large that it must not grow. A run on several threads hands it over then, too, and
    /// waits for those before it, so that memory does not grow with what an event or a slice prints.
    #[inline]
    fn is_overfull(&self) -> bool {
        false
    }

    /// Hands over what has come together since the last call.
    fn take(&mut self) -> Self::Batch;
}
