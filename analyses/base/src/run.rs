//! Runs of analyses.

use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::Arc;

use etwkit::decode::{Event, Fit, PendingEvent};
use etwkit::error::Result;
use etwkit::sink::{Sink, Worker};
use etwkit::trace::{Filter, RunOptions, Trace};

use crate::choice::Choice;
use crate::{Analysis, Row, Selection, Twofold, ValueRows, Values};

/// Returns the rows of an analysis, of what the filter chooses: see [`Analysis`]. For those that need all events
/// ([`Analysis::NEEDS_ALL_EVENTS`]), conditions on single events do not apply.
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
    /// Chooses among the events of the run; all are chosen without it.
    filter: Option<Filter>,
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
        Ok(Self { trace, wanted, filter: None, analysis: A::begin(trace)? })
    }

    /// Begins an analysis of what options choose, and returns the options to run it with: those of an analysis that
    /// sees all events have no filter.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace cannot be read.
    pub fn of(trace: &'t Trace, options: &RunOptions) -> Result<(Self, RunOptions)> {
        let mut run = Self::with_filter(trace, &options.filter)?;
        if A::NEEDS_ALL_EVENTS || A::JOINS_EVENTS {
            return Ok((run, options.clone().filter(Filter::default())));
        }
        run.filter = None;
        Ok((run, options.clone()))
    }

    /// Begins an analysis of what a filter chooses of a run without filter, such as one that is for other analyses,
    /// too.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace cannot be read.
    pub fn with_filter(trace: &'t Trace, filter: &Filter) -> Result<Self> {
        let mut run = Self::new(trace)?;
        run.select(Selection::of(trace, filter).as_ref())?;
        run.analysis.choose_time(trace, &filter.time)?;
        run.filter = Some(filter.clone()).filter(|filter| !A::NEEDS_ALL_EVENTS && *filter != Filter::default());
        Ok(run)
    }

    /// Chooses what is counted, before the first event: see [`Analysis::select`].
    ///
    /// # Errors
    ///
    /// Returns an error if the trace cannot be read.
    pub fn select(&mut self, selection: Option<&Selection>) -> Result<()> {
        self.analysis.select(self.trace, selection)
    }

    /// Returns the analysis with what it received, ended, for analyses that are made of others.
    pub fn into_analysis(mut self) -> A {
        self.analysis.end(self.trace);
        self.analysis
    }

    /// Returns the rows of what it received.
    pub fn finish(self) -> Vec<A::Row> {
        self.finish_counted().0
    }

    /// Returns the rows of what it received, and how many things had no room: see [`Analysis::excess`].
    pub fn finish_counted(mut self) -> (Vec<A::Row>, u64) {
        self.analysis.end(self.trace);
        let excess = self.analysis.excess();
        (self.analysis.finish(self.trace), excess)
    }

    /// Returns the same as values.
    pub fn values(self) -> Values {
        let (rows, excess) = self.finish_counted();
        Values { rows: rows.iter().map(Row::values).collect(), excess }
    }

    /// Returns the same, row by row.
    pub(crate) fn value_rows(mut self) -> ValueRows<'t>
    where
        A: 't,
    {
        self.analysis.end(self.trace);
        let excess = self.analysis.excess();
        ValueRows::new(self.analysis.finish_by_row(self.trace), excess)
    }

    /// Returns the rows of both analyses as values, row by row.
    pub(crate) fn both_value_rows(mut self) -> [ValueRows<'t>; 2]
    where
        A: Twofold + 't,
    {
        self.analysis.end(self.trace);
        let excess = self.analysis.excess();
        let (own, other) = self.analysis.finish_both(self.trace);
        [ValueRows::new(own.into_iter(), excess), ValueRows::new(other, excess)]
    }
}

impl<'t, A: Analysis> Sink for Run<'t, A> {
    type Worker = FactWorker<'t, A>;

    fn worker(&self) -> FactWorker<'t, A> {
        let choice = self.filter.as_ref().map(|filter| Choice::new(self.trace, filter));
        FactWorker { wanted: Arc::clone(&self.wanted), choice, facts: Vec::new(), of: PhantomData }
    }

    fn accept(&mut self, facts: Vec<Found<A::Fact>>) -> Result<ControlFlow<()>> {
        for found in facts {
            match found {
                Found::Chosen(fact) => self.analysis.step(fact, self.trace),
                Found::Other(fact) => self.analysis.follow(fact, self.trace),
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The result of reading an event.
#[derive(Debug)]
pub enum Found<F> {
    /// The filter chooses the event.
    Chosen(F),
    /// It does not.
    Other(F),
}

/// Reads the events of one thread.
#[derive(Debug)]
pub struct FactWorker<'t, A: Analysis> {
    wanted: Arc<[bool]>,
    /// Which events are chosen; all are without it.
    choice: Option<Choice<'t>>,
    facts: Vec<Found<A::Fact>>,
    of: PhantomData<fn() -> A>,
}

/// Facts that are handed over at once on one thread.
const FULL: usize = 4096;
/// Facts that wait for those before them.
const OVERFULL: usize = 1 << 17;

impl<A: Analysis> FactWorker<'_, A> {
    /// Returns whether the analysis reads the events of a type, by its id.
    pub(crate) fn reads(&self, event_type: usize) -> bool {
        self.wanted.get(event_type).is_some_and(|wanted| *wanted)
    }
}

impl<A: Analysis> Worker for FactWorker<'_, A> {
    type Batch = Vec<Found<A::Fact>>;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        if let Some(mut fact) = A::fact(event) {
            let is_chosen = self.choice.as_mut().is_none_or(|choice| choice.has::<A>(event, &mut fact));
            if is_chosen {
                self.facts.push(Found::Chosen(fact));
            } else if A::JOINS_EVENTS {
                self.facts.push(Found::Other(fact));
            }
        }
        Ok(())
    }

    fn pending(&mut self, pending: &mut PendingEvent<'_>) -> Result<Option<Fit>> {
        if !pending.event_type().is_some_and(|row| self.reads(row.id().0 as usize)) {
            return Ok(None);
        }
        let event = pending.locate();
        self.event(&event)?;
        Ok(event.layout_fit())
    }

    fn is_full(&self) -> bool {
        self.facts.len() >= FULL
    }

    fn is_overfull(&self) -> bool {
        self.facts.len() >= OVERFULL
    }

    fn take(&mut self) -> Vec<Found<A::Fact>> {
        // The next batch will be about as long.
        let room = Vec::with_capacity(self.facts.len());
        std::mem::replace(&mut self.facts, room)
    }
}
