//! The registry of analyses. A new one is a row here.

use etwkit::trace::{RunOptions, Trace};
use etwkit_analysis::{Analysis, Run};

use crate::failure::Failure;
use crate::rows::{Cell, Column};
use crate::session::Session;

use super::cells;

/// The rows of a table.
pub(super) type Rows = Result<Vec<Vec<Cell>>, Failure>;

/// An analysis.
pub(super) struct Entry {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// How many events of a trace it reads.
    pub(super) events: fn(&Trace) -> u64,
    /// Whether filters choose the events that rows are made of.
    pub(super) reads_events: bool,
    /// Whether a trace has what it needs.
    pub(super) is_answerable: fn(&Trace) -> bool,
    /// What to record, if it has not.
    pub(super) advice: fn() -> String,
    columns: fn() -> Vec<Column>,
    /// What `--each` lists instead: what the rows add up.
    pub(super) each: Option<&'static Entry>,
    pub(super) run: fn(&Session, &RunOptions) -> Rows,
}

impl Entry {
    const fn of<A: Analysis>(name: &'static str, about: &'static str) -> Self {
        Self {
            name,
            about,
            events: |trace| A::interest().events(trace),
            reads_events: A::READS_EVENTS,
            is_answerable: A::is_answerable,
            advice: || A::interest().need.advice(),
            columns: cells::columns::<A::Row>,
            each: None,
            run: run::<A>,
        }
    }

    const fn with_each(self, each: &'static Self) -> Self {
        Self { each: Some(each), ..self }
    }

    pub(super) fn columns(&self) -> Vec<Column> {
        (self.columns)()
    }
}

/// All analyses, in the order in which they are listed.
pub(super) static ANALYSES: [Entry; 4] = [
    Entry::of::<etwkit_kernel_analyses::Processes>(
        "processes",
        "processes: parent, command line, times, exit status, user",
    ),
    Entry::of::<etwkit_kernel_analyses::CpuSamples>("cpu", "CPU time of processes, by samples"),
    Entry::of::<etwkit_dotnet_analyses::GcByProcess>("gc", "garbage collections of .NET: pauses, allocated bytes")
        .with_each(&GC_EACH),
    Entry::of::<etwkit_dotnet_analyses::JitByProcess>("jit", "methods that .NET compiled: time, sizes")
        .with_each(&JIT_EACH),
];

static GC_EACH: Entry = Entry::of::<etwkit_dotnet_analyses::GcEach>("gc", "each garbage collection");
static JIT_EACH: Entry = Entry::of::<etwkit_dotnet_analyses::JitEach>("jit", "each compilation");

/// Runs an analysis with a progress bar.
fn run<A: Analysis>(session: &Session, options: &RunOptions) -> Rows {
    let mut run = Run::<A>::new(session.trace())?;
    session.run(options, &mut run)?;
    run.finish().iter().map(cells::cells).collect()
}
