//! A sink that tells the progress bar how many events went through.

use std::ops::ControlFlow;

use etwkit::Result;
use etwkit::decode::DecodedEvent;
use etwkit::sink::{Sink, Worker};

use crate::progress::Progress;

/// Hands everything on to another sink.
#[derive(Debug)]
pub(crate) struct Counted<S> {
    inner: S,
    progress: Progress,
    done: u64,
    bytes: u64,
}

impl<S> Counted<S> {
    /// Counts what goes into `inner`.
    pub(crate) const fn new(inner: S, progress: Progress) -> Self {
        Self { inner, progress, done: 0, bytes: 0 }
    }

    /// The sink, with the bar taken away.
    pub(crate) fn into_inner(mut self) -> S {
        self.progress.finish();
        self.inner
    }
}

impl<S: Sink> Sink for Counted<S> {
    type Worker = CountedWorker<S::Worker>;

    fn worker(&self) -> Self::Worker {
        CountedWorker { inner: self.inner.worker(), events: 0, bytes: 0 }
    }

    fn accept(&mut self, (events, bytes, batch): (u64, u64, <S::Worker as Worker>::Batch)) -> Result<ControlFlow<()>> {
        self.done += events;
        self.bytes += bytes;
        self.progress.at_bytes(self.bytes);
        self.progress.at(self.done);
        self.inner.accept(batch)
    }
}

/// The worker of a [`Counted`] sink.
#[derive(Debug)]
pub(crate) struct CountedWorker<W> {
    inner: W,
    events: u64,
    bytes: u64,
}

impl<W: Worker> Worker for CountedWorker<W> {
    type Batch = (u64, u64, W::Batch);

    fn event(&mut self, event: &DecodedEvent<'_, '_>) -> Result<()> {
        self.events += 1;
        self.bytes += event.raw.bytes().len() as u64;
        self.inner.event(event)
    }

    fn take(&mut self) -> Self::Batch {
        (std::mem::take(&mut self.events), std::mem::take(&mut self.bytes), self.inner.take())
    }
}
