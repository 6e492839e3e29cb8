//! A span.

use etwkit::FileTime;
use etwkit::bytes::Guid;
use etwkit_kernel_analyses::ProcessKey;

use crate::family::FamilyId;

/// A span, by its place among those of a trace: in order of the time at which they were first seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpanId(pub u32);

/// A span: a start and a stop, or one of them.
#[derive(Clone, Debug)]
pub struct Span {
    pub(crate) family: FamilyId,
    /// When it began; `None` if its start is not in the trace.
    pub start: Option<FileTime>,
    /// When it ended; `None` if its stop is not in the trace.
    pub stop: Option<FileTime>,
    /// Process of the start; of an orphaned one, of the stop.
    pub process: ProcessKey,
    /// Thread of the start; of an orphaned one, of the stop.
    pub tid: Option<u32>,
    /// Thread of the stop.
    pub stop_tid: Option<u32>,
    /// Activity id of the start; of an orphaned one, of the stop.
    pub activity: Option<Guid>,
    /// Activity id that the start names as related: that which caused it.
    pub related: Option<Guid>,
    /// The span within which it ran. Only trees have it.
    pub parent: Option<SpanId>,
    /// How many spans it is within.
    pub depth: u16,
    /// Whether it happened within the activity that is asked for.
    pub(crate) is_within: bool,
}

/// The parts of a span that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Start and stop.
    Complete,
    /// Only the start.
    Open,
    /// Only the stop.
    Orphaned,
}

impl Span {
    /// Returns what is known of it.
    pub const fn state(&self) -> State {
        match (self.start, self.stop) {
            (Some(_), Some(_)) => State::Complete,
            (Some(_), None) => State::Open,
            _ => State::Orphaned,
        }
    }

    /// Returns its duration in units of 100 ns; `None` if an end of it is not in the trace.
    pub fn duration(&self) -> Option<u64> {
        Some(between(self.start?, self.stop?))
    }
}

impl State {
    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Open => "open",
            Self::Orphaned => "orphaned",
        }
    }
}

/// Returns the units of 100 ns from one time to another; 0 if the clock went back.
pub(crate) fn between(from: FileTime, to: FileTime) -> u64 {
    u64::try_from(i128::from(to.0) - i128::from(from.0)).unwrap_or(0)
}
