//! Runs of analyses.

use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::Arc;

use etwkit::decode::{Event, Fit, PendingEvent};
use etwkit::error::Result;
use etwkit::sink::{Sink, Worker};
use etwkit::trace::{Filter, RunOptions, Trace};

use crate::{Analysis, Selection};

/// Returns the rows of an analysis, of the events that pass the filter. Of those that need all events
/// ([`Analysis::NEEDS_ALL_EVENTS`]), the filter chooses what is counted; conditions on single events do not apply.
///
/// # Errors
///
/// Returns an error if the trace cannot be read.
pub fn rows<A: Analysis>(trace: &Trace, options: &RunOptions) -> Result<Vec<A::Row>> {
    let (mut run, options) = Run::<A>::of(trace, options)?;
    trace.run(&options, &mut run)?;
    Ok(run.finish())
}

/// An analysis as a sink, for programs that drive runs themselves, for instance to show progress.
#[derive(Debug)]
pub struct Run<'t, A> {
    trace: &'t Trace,
    /// Whether the analysis reads the events of a type, by its id.
    wanted: Arc<[bool]>,
    analysis: A,
}

impl<'t, A: Analysis> Run<'t, A> {
    /// Begins an analysis.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace cannot be read.
    pub fn new(trace: &'t Trace) -> Result<Self> {
        let wanted = trace.types().iter().map(|row| A::reads(row.key())).collect();
        Ok(Self { trace, wanted, analysis: A::begin(trace)? })
    }

    /// Begins an analysis of what options choose, and returns the options to run it with: those of an analysis that needs
    /// all events have no filter.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace cannot be read.
    pub fn of(trace: &'t Trace, options: &RunOptions) -> Result<(Self, RunOptions)> {
        let mut run = Self::new(trace)?;
        run.select(Selection::of(trace, &options.filter).as_ref())?;
        let options = options.clone();
        Ok((run, if A::NEEDS_ALL_EVENTS { options.filter(Filter::default()) } else { options }))
    }

    /// Chooses what is counted, before the first event: see [`Analysis::select`].
    ///
    /// # Errors
    ///
    /// Returns an error if the trace cannot be read.
    pub fn select(&mut self, selection: Option<&Selection>) -> Result<()> {
        self.analysis.select(self.trace, selection)
    }

    /// Returns the analysis with what it received, for analyses that are made of others.
    pub fn into_analysis(self) -> A {
        self.analysis
    }

    /// Returns the rows of what it received.
    pub fn finish(self) -> Vec<A::Row> {
        self.analysis.finish(self.trace)
    }
}

impl<A: Analysis> Sink for Run<'_, A> {
    type Worker = FactWorker<A>;

    fn worker(&self) -> FactWorker<A> {
        FactWorker { wanted: Arc::clone(&self.wanted), facts: Vec::new(), of: PhantomData }
    }

    fn accept(&mut self, facts: Vec<A::Fact>) -> Result<ControlFlow<()>> {
        for fact in facts {
            self.analysis.step(fact, self.trace);
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Reads the events of one thread.
#[derive(Debug)]
pub struct FactWorker<A: Analysis> {
    wanted: Arc<[bool]>,
    facts: Vec<A::Fact>,
    of: PhantomData<fn() -> A>,
}

/// Facts that are handed over at once on one thread.
const FULL: usize = 4096;

impl<A: Analysis> Worker for FactWorker<A> {
    type Batch = Vec<A::Fact>;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        self.facts.extend(A::fact(event));
        Ok(())
    }

    fn pending(&mut self, pending: &mut PendingEvent<'_>) -> Result<Option<Fit>> {
        let id = pending.event_type().map(|row| row.id().0 as usize);
        if !id.and_then(|id| self.wanted.get(id)).is_some_and(|wanted| *wanted) {
            return Ok(None);
        }
        let event = pending.locate();
        self.event(&event)?;
        Ok(event.schema().map(|_| event.fit()))
    }

    fn is_full(&self) -> bool {
        self.facts.len() >= FULL
    }

    fn take(&mut self) -> Vec<A::Fact> {
        std::mem::take(&mut self.facts)
    }
}
