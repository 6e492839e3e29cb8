//! The second pass with a progress bar.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use etwkit::container::BufferInfo;
use etwkit::decode::{Event, Fit, PendingEvent};
use etwkit::sink::{Sink, Worker};
use etwkit::trace::{RunOptions, Summary, Trace};

use crate::failure::Failure;
use crate::printer::Printer;
use crate::progress::{Counts, Progress};

/// Hands all events that pass the filter to a sink, and shows how far it has come.
pub(super) fn run<S: Sink>(
    trace: &Trace,
    options: &RunOptions,
    inner: &mut S,
    printer: Printer,
) -> Result<Summary, Failure> {
    let counts = Arc::<Counts>::default();
    let mut progress = Progress::decoding(Arc::clone(&counts), printer);
    let summary = trace.run_with(options, &mut ProgressSink { inner, counts }, &mut |done, total| {
        progress.at(done, total);
        ControlFlow::Continue(())
    })?;
    progress.finish();
    Ok(summary)
}

/// Counts what goes into a sink.
#[derive(Debug)]
struct ProgressSink<'s, S> {
    inner: &'s mut S,
    counts: Arc<Counts>,
}

impl<S: Sink> Sink for ProgressSink<'_, S> {
    type Worker = ProgressWorker<S::Worker>;

    fn begin(&mut self, buffers: &mut dyn Iterator<Item = BufferInfo>) {
        self.inner.begin(buffers);
    }

    fn worker(&self) -> Self::Worker {
        ProgressWorker { inner: self.inner.worker(), events: 0, bytes: 0 }
    }

    fn accept(
        &mut self,
        (events, bytes, batch): (u64, u64, <S::Worker as Worker>::Batch),
    ) -> etwkit::Result<ControlFlow<()>> {
        self.counts.events.fetch_add(events, Ordering::Relaxed);
        self.counts.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.inner.accept(batch)
    }
}

/// The worker of a [`ProgressSink`].
#[derive(Debug)]
struct ProgressWorker<W> {
    inner: W,
    events: u64,
    bytes: u64,
}

impl<W: Worker> Worker for ProgressWorker<W> {
    type Batch = (u64, u64, W::Batch);

    fn event(&mut self, event: &Event<'_>) -> etwkit::Result<()> {
        self.events += 1;
        self.bytes += event.raw().bytes().len() as u64;
        self.inner.event(event)
    }

    fn pending(&mut self, pending: &mut PendingEvent<'_>) -> etwkit::Result<Option<Fit>> {
        self.events += 1;
        self.bytes += pending.raw().bytes().len() as u64;
        self.inner.pending(pending)
    }

    fn is_full(&self) -> bool {
        self.inner.is_full()
    }

    fn is_overfull(&self) -> bool {
        self.inner.is_overfull()
    }

    fn take(&mut self) -> Self::Batch {
        (std::mem::take(&mut self.events), std::mem::take(&mut self.bytes), self.inner.take())
    }
}
