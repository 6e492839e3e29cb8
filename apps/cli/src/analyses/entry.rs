//! An analysis as commands run it.

use etwkit::trace::{RunOptions, Trace};
use etwkit_analysis::{Analysis, Column, Row, Run, Value};

use crate::failure::Failure;
use crate::session::Session;

/// The rows of a table.
pub(crate) type Rows = Result<Vec<Vec<Value>>, Failure>;

/// An analysis.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// How many events of a trace it reads.
    pub(crate) events: fn(&Trace) -> u64,
    /// Whether filters choose the events that rows are made of.
    pub(crate) reads_events: bool,
    /// Whether a trace has what it needs.
    pub(crate) is_answerable: fn(&Trace) -> bool,
    /// What to record, if it has not.
    pub(crate) advice: fn() -> String,
    pub(crate) columns: &'static [Column],
    /// What `--each` lists instead: what the rows add up.
    pub(crate) each: Option<&'static Entry>,
    pub(crate) run: fn(&Session, &RunOptions) -> Rows,
}

impl Entry {
    /// The entry of an analysis.
    pub(super) const fn of<A: Analysis>(name: &'static str, about: &'static str) -> Self {
        Self {
            name,
            about,
            events: |trace| A::interest().events(trace),
            reads_events: A::READS_EVENTS,
            is_answerable: A::is_answerable,
            advice: || A::interest().need.advice(),
            columns: A::Row::COLUMNS,
            each: None,
            run: run::<A>,
        }
    }

    /// With the analysis that lists what the rows add up.
    pub(super) const fn with_each(self, each: &'static Self) -> Self {
        Self { each: Some(each), ..self }
    }
}

/// Runs an analysis with a progress bar.
fn run<A: Analysis>(session: &Session, options: &RunOptions) -> Rows {
    let mut run = Run::<A>::new(session.trace())?;
    session.run(options, &mut run)?;
    Ok(run.finish().iter().map(Row::values).collect())
}
