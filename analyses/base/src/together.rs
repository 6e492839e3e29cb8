//! Several analyses over one pass of a trace.

use std::any::Any;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use etwkit::decode::{Event, Fit, PendingEvent};
use etwkit::error::Result;
use etwkit::sink::{Sink, Worker};
use etwkit::trace::{Filter, Trace};

use crate::{Analysis, FactWorker, Run, Twofold, ValueRows, Values};

/// Several analyses as one sink. Each event is decoded once, and handed to the analyses that read its type. The run must
/// have no filter: that of the analyses is given when they are added.
pub struct Together<'t> {
    trace: &'t Trace,
    runs: Vec<Box<dyn AnyRun<'t> + 't>>,
}

impl<'t> Together<'t> {
    /// Begins without analyses.
    pub fn new(trace: &'t Trace) -> Self {
        Self { trace, runs: Vec::new() }
    }

    /// Begins an analysis of what a filter chooses: the rows are those of [`rows`](crate::rows) with this filter.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace cannot be read.
    pub fn add<A: Analysis<Fact: 'static> + 't>(&mut self, filter: &Filter) -> Result<()> {
        self.runs.push(Box::new(Run::<A>::with_filter(self.trace, filter)?));
        Ok(())
    }

    /// Begins an analysis that makes the rows of another one, too: [`Together::finish`] returns those of the other one
    /// after its own. Whatever has no room in it is stated of both.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace cannot be read.
    pub fn add_both<A: Twofold<Fact: 'static> + 't>(&mut self, filter: &Filter) -> Result<()> {
        self.runs.push(Box::new(Both(Run::<A>::with_filter(self.trace, filter)?)));
        Ok(())
    }

    /// Returns whether there is no analysis: a run would be in vain.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Returns the rows of each analysis, in the order in which they were added.
    pub fn finish(self) -> Vec<Values> {
        self.into_rows().map(Values::from).collect()
    }

    /// Returns the same row by row. The rows of an analysis are made when the iterator comes to it, so that only what the
    /// caller keeps of them is there at once.
    pub fn into_rows(self) -> impl Iterator<Item = ValueRows<'t>> {
        self.runs.into_iter().flat_map(AnyRun::value_rows)
    }
}

impl fmt::Debug for Together<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Together").field("runs", &self.runs.len()).finish_non_exhaustive()
    }
}

/// A run of some analysis.
trait AnyRun<'t> {
    fn any_worker(&self) -> Box<dyn AnyWorker + 't>;

    fn take(&mut self, batch: Box<dyn Any + Send>) -> Result<()>;

    /// The rows of each analysis of the run.
    fn value_rows(self: Box<Self>) -> Vec<ValueRows<'t>>;
}

/// A worker of some run.
trait AnyWorker: Send {
    fn wants(&self, event_type: usize) -> bool;

    fn read(&mut self, event: &Event<'_>) -> Result<()>;

    /// Whether its batch is full, and whether it must not grow.
    fn fullness(&self) -> (bool, bool);

    fn batch(&mut self) -> Box<dyn Any + Send>;
}

impl<'t, A: Analysis<Fact: 'static> + 't> AnyRun<'t> for Run<'t, A> {
    fn any_worker(&self) -> Box<dyn AnyWorker + 't> {
        Box::new(self.worker())
    }

    fn take(&mut self, batch: Box<dyn Any + Send>) -> Result<()> {
        // Batches come back to the run whose worker made them.
        if let Ok(facts) = batch.downcast() {
            let _ = self.accept(*facts)?;
        }
        Ok(())
    }

    fn value_rows(self: Box<Self>) -> Vec<ValueRows<'t>> {
        vec![Self::value_rows(*self)]
    }
}

/// A run for the rows of two analyses.
struct Both<'t, A>(Run<'t, A>);

impl<'t, A: Twofold<Fact: 'static> + 't> AnyRun<'t> for Both<'t, A> {
    fn any_worker(&self) -> Box<dyn AnyWorker + 't> {
        self.0.any_worker()
    }

    fn take(&mut self, batch: Box<dyn Any + Send>) -> Result<()> {
        self.0.take(batch)
    }

    fn value_rows(self: Box<Self>) -> Vec<ValueRows<'t>> {
        let Self(run) = *self;
        run.both_value_rows().into()
    }
}

impl<A: Analysis<Fact: 'static>> AnyWorker for FactWorker<'_, A> {
    fn wants(&self, event_type: usize) -> bool {
        self.reads(event_type)
    }

    fn read(&mut self, event: &Event<'_>) -> Result<()> {
        self.event(event)
    }

    fn fullness(&self) -> (bool, bool) {
        (self.is_full(), self.is_overfull())
    }

    fn batch(&mut self) -> Box<dyn Any + Send> {
        Box::new(self.take())
    }
}

impl<'t> Sink for Together<'t> {
    type Worker = TogetherWorker<'t>;

    fn worker(&self) -> TogetherWorker<'t> {
        let workers: Vec<_> = self.runs.iter().map(|run| run.any_worker()).collect();
        let readers = |event_type| {
            let all = workers.iter().enumerate();
            all.filter(|(_, worker)| worker.wants(event_type)).map(|(place, _)| place).collect()
        };
        let readers = (0..self.trace.types().len()).map(readers).collect();
        TogetherWorker { workers, readers, is_full: false, is_overfull: false }
    }

    fn accept(&mut self, batches: Vec<Box<dyn Any + Send>>) -> Result<ControlFlow<()>> {
        self.runs.iter_mut().zip(batches).try_for_each(|(run, batch)| run.take(batch))?;
        Ok(ControlFlow::Continue(()))
    }
}

/// Reads the events of one thread for several analyses.
pub struct TogetherWorker<'t> {
    workers: Vec<Box<dyn AnyWorker + 't>>,
    /// By the id of a type: which workers read its events.
    readers: Arc<[Box<[usize]>]>,
    is_full: bool,
    is_overfull: bool,
}

impl fmt::Debug for TogetherWorker<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TogetherWorker").field("workers", &self.workers.len()).finish_non_exhaustive()
    }
}

impl Worker for TogetherWorker<'_> {
    type Batch = Vec<Box<dyn Any + Send>>;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        let readers = event.event_type().and_then(|row| self.readers.get(row.id().0 as usize));
        for place in readers.into_iter().flatten() {
            if let Some(worker) = self.workers.get_mut(*place) {
                worker.read(event)?;
                let (is_full, is_overfull) = worker.fullness();
                self.is_full |= is_full;
                self.is_overfull |= is_overfull;
            }
        }
        Ok(())
    }

    fn pending(&mut self, pending: &mut PendingEvent<'_>) -> Result<Option<Fit>> {
        let readers = pending.event_type().and_then(|row| self.readers.get(row.id().0 as usize));
        if readers.is_none_or(|readers| readers.is_empty()) {
            return Ok(None);
        }
        let event = pending.locate();
        self.event(&event)?;
        Ok(event.layout_fit())
    }

    fn is_full(&self) -> bool {
        self.is_full
    }

    fn is_overfull(&self) -> bool {
        self.is_overfull
    }

    fn take(&mut self) -> Self::Batch {
        (self.is_full, self.is_overfull) = (false, false);
        self.workers.iter_mut().map(|worker| worker.batch()).collect()
    }
}
