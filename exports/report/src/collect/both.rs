//! Several sinks over one pass. The fields of each event are located once; each worker decides by the event's type
//! whether it reads it.

use std::ops::ControlFlow;

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::sink::{Sink, Worker};

/// Two sinks as one.
#[derive(Debug)]
pub(crate) struct Both<A, B>(pub(crate) A, pub(crate) B);

/// A sink that may not be needed.
#[derive(Debug)]
pub(crate) struct Maybe<S>(pub(crate) Option<S>);

impl<A: Sink, B: Sink> Sink for Both<A, B> {
    type Worker = BothWorker<A::Worker, B::Worker>;

    fn worker(&self) -> Self::Worker {
        BothWorker(self.0.worker(), self.1.worker())
    }

    fn accept(&mut self, (a, b): <Self::Worker as Worker>::Batch) -> Result<ControlFlow<()>> {
        // Neither ends the run of the other.
        let _ = self.0.accept(a)?;
        let _ = self.1.accept(b)?;
        Ok(ControlFlow::Continue(()))
    }
}

impl<S: Sink> Sink for Maybe<S> {
    type Worker = MaybeWorker<S::Worker>;

    fn worker(&self) -> Self::Worker {
        MaybeWorker(self.0.as_ref().map(S::worker))
    }

    fn accept(&mut self, batch: <Self::Worker as Worker>::Batch) -> Result<ControlFlow<()>> {
        if let (Some(sink), Some(batch)) = (&mut self.0, batch) {
            let _ = sink.accept(batch)?;
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Works for both.
#[derive(Debug)]
pub(crate) struct BothWorker<A, B>(A, B);

/// Works if it is needed.
#[derive(Debug)]
pub(crate) struct MaybeWorker<W>(Option<W>);

impl<A: Worker, B: Worker> Worker for BothWorker<A, B> {
    type Batch = (A::Batch, B::Batch);

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        self.0.event(event)?;
        self.1.event(event)
    }

    fn is_full(&self) -> bool {
        self.0.is_full() || self.1.is_full()
    }

    fn is_overfull(&self) -> bool {
        self.0.is_overfull() || self.1.is_overfull()
    }

    fn take(&mut self) -> Self::Batch {
        (self.0.take(), self.1.take())
    }
}

impl<W: Worker> Worker for MaybeWorker<W> {
    type Batch = Option<W::Batch>;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        self.0.as_mut().map_or(Ok(()), |worker| worker.event(event))
    }

    fn is_full(&self) -> bool {
        self.0.as_ref().is_some_and(W::is_full)
    }

    fn is_overfull(&self) -> bool {
        self.0.as_ref().is_some_and(W::is_overfull)
    }

    fn take(&mut self) -> Self::Batch {
        self.0.as_mut().map(W::take)
    }
}
