//! An analysis as commands run it.

use etwkit::Parsers;
use etwkit::trace::{Filter, RunOptions, Trace};
use etwkit_analysis::{Analysis, Column, Row, Run, Selection, Together, Values};

use crate::failure::Failure;
use crate::session::Session;

/// An analysis.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// How many events of a trace it reads.
    pub(crate) events: fn(&Trace) -> u64,
    /// Whether filters choose the events that rows are made of.
    pub(crate) reads_events: bool,
    /// Whether the filter can choose what is counted.
    pub(crate) takes: fn(&Trace, &Filter) -> bool,
    /// Adds the parsers that it needs to others.
    pub(crate) parsers: fn(Parsers) -> Parsers,
    /// Whether its rows are compared with those of another trace: not if they are steps in time.
    pub(crate) is_comparable: bool,
    /// Whether a trace has what it needs.
    pub(crate) is_answerable: fn(&Trace) -> bool,
    /// What to record, if it has not.
    pub(crate) advice: fn() -> String,
    pub(crate) columns: &'static [Column],
    /// The columns that people see unless they ask for others; all if there are none here.
    pub(crate) for_people: &'static [&'static str],
    /// What `--each` lists instead: what the rows add up.
    pub(crate) each: Option<&'static Entry>,
    pub(crate) run: fn(&Session, &RunOptions) -> Result<Values, Failure>,
    /// Adds it to others that one pass of a trace is for.
    pub(crate) add: for<'t> fn(&mut Together<'t>, &'t Trace, &Filter) -> Result<(), Failure>,
}

impl Entry {
    /// The entry of an analysis.
    pub(super) const fn of<A: Analysis<Fact: 'static> + 'static>(name: &'static str, about: &'static str) -> Self {
        Self {
            name,
            about,
            events: A::events,
            reads_events: A::READS_EVENTS,
            takes: takes::<A>,
            parsers: parsers::<A>,
            is_comparable: true,
            is_answerable: A::is_answerable,
            advice: || A::interest().need.advice(),
            columns: A::Row::COLUMNS,
            for_people: &[],
            each: None,
            run: run::<A>,
            add: add::<A>,
        }
    }

    /// With the analysis that lists what the rows add up.
    pub(super) const fn with_each(self, each: &'static Self) -> Self {
        Self { each: Some(each), ..self }
    }

    /// With the columns that people see unless they ask for others, of a table that is too wide for them.
    pub(super) const fn for_people(self, columns: &'static [&'static str]) -> Self {
        Self { for_people: columns, ..self }
    }

    /// Not compared with another trace: steps in time have no counterpart there.
    pub(super) const fn not_compared(self) -> Self {
        Self { is_comparable: false, ..self }
    }
}

/// Whether the filter can choose what an analysis counts.
fn takes<A: Analysis>(trace: &Trace, filter: &Filter) -> bool {
    !A::NEEDS_ALL_EVENTS || Selection::of(trace, filter).is_some()
}

/// Adds the parsers that an analysis needs.
fn parsers<A: Analysis>(parsers: Parsers) -> Parsers {
    if A::NEEDS_STACKS {
        etwkit_parsers::with_stacks(parsers)
    } else if A::NEEDS_IMAGE_IDENTITIES {
        etwkit_parsers::with_image_identities(parsers)
    } else {
        parsers
    }
}

/// Runs an analysis with a progress bar.
fn run<A: Analysis>(session: &Session, options: &RunOptions) -> Result<Values, Failure> {
    check::<A>(session.trace(), &options.filter)?;
    let (mut run, options) = Run::<A>::of(session.trace(), options)?;
    session.run(&options, &mut run)?;
    Ok(run.values())
}

fn add<'t, A: Analysis<Fact: 'static> + 'static>(
    together: &mut Together<'t>,
    trace: &'t Trace,
    filter: &Filter,
) -> Result<(), Failure> {
    check::<A>(trace, filter)?;
    Ok(together.add::<A>(filter)?)
}

fn check<A: Analysis>(trace: &Trace, filter: &Filter) -> Result<(), Failure> {
    if takes::<A>(trace, filter) {
        return Ok(());
    }
    Err(Failure::new("this analysis needs all events: no condition on single events applies")
        .hint("--since, --until, --pid, --process and --tid choose what is counted, --where with its columns rows"))
}
