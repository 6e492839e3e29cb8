//! An analysis as the command runs it.

use etwkit::trace::{RunOptions, Trace};
use etwkit_analysis::{Analysis, Run};

use crate::failure::Failure;
use crate::rows::{Cell, Column};
use crate::session::Session;

use super::super::cells;
use super::super::times::Times;

/// The rows of a table.
pub(crate) type Rows = Result<Vec<Vec<Cell>>, Failure>;

/// How rows are made and printed: what an analysis needs besides its events.
pub(crate) struct Print<'p> {
    pub(crate) session: &'p Session,
    pub(crate) options: &'p RunOptions,
    pub(crate) times: &'p mut Times,
}

/// An analysis.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// How many events of a trace it reads.
    pub(crate) events: fn(&Trace) -> u64,
    /// Whether filters choose the events that rows are made of.
    pub(crate) reads_events: bool,
    /// Whether parsers must keep stacks.
    pub(crate) needs_stacks: bool,
    /// Whether a trace has what it needs.
    pub(crate) is_answerable: fn(&Trace) -> bool,
    /// What to record, if it has not.
    pub(crate) advice: fn() -> String,
    columns: fn() -> Vec<Column>,
    /// What `--each` lists instead: what the rows add up.
    pub(crate) each: Option<&'static Entry>,
    pub(crate) run: fn(Print<'_>) -> Rows,
}

impl Entry {
    /// The entry of an analysis.
    pub(super) const fn of<A: Analysis>(name: &'static str, about: &'static str) -> Self {
        Self {
            name,
            about,
            events: A::events,
            reads_events: A::READS_EVENTS,
            needs_stacks: A::NEEDS_STACKS,
            is_answerable: A::is_answerable,
            advice: || A::interest().need.advice(),
            columns: cells::columns::<A::Row>,
            each: None,
            run: run::<A>,
        }
    }

    /// With the analysis that lists what the rows add up.
    pub(super) const fn with_each(self, each: &'static Self) -> Self {
        Self { each: Some(each), ..self }
    }

    pub(crate) fn columns(&self) -> Vec<Column> {
        (self.columns)()
    }
}

/// Runs an analysis with a progress bar.
fn run<A: Analysis>(Print { session, options, times }: Print<'_>) -> Rows {
    let mut run = Run::<A>::new(session.trace())?;
    session.run(options, &mut run)?;
    Ok(run.finish().iter().map(|row| cells::cells(row, times)).collect())
}
