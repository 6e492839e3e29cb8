//! All spans of a trace.

use crate::family::Families;
use crate::instant::Instant;
use crate::names::ProcessNames;
use crate::span::{Span, SpanId};
use crate::total::Total;

/// All spans of a trace.
#[derive(Clone, Debug, Default)]
pub struct Spans {
    pub(crate) families: Families,
    pub(crate) totals: Vec<Total>,
    pub(crate) names: ProcessNames,
    pub(crate) list: Vec<Span>,
    pub(crate) shorter: u64,
    pub(crate) instants: Vec<Instant>,
    /// Provider and name of events by type, if events that are not spans are kept.
    pub(crate) kinds: Vec<(Box<str>, Box<str>)>,
    /// Whether spans that are not within the activity that is asked for are left out of trees.
    pub(crate) has_query: bool,
    /// What was left out.
    pub excess: Excess,
}

/// Counts of what was left out, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excess {
    /// Starts and stops without a time.
    pub without_time: u64,
    /// Starts, and their stops, of keys with more open spans than are kept.
    pub unmatched: u64,
    /// Spans that are not listed because there are more than are kept.
    pub unlisted: u64,
    /// Durations that no percentile considers because there are more than are kept.
    pub without_percentile: u64,
    /// Other events of the activity that are not listed because there are more than are kept.
    pub instants: u64,
    /// Tasks that are not below the span in which they were scheduled because more are scheduled than are kept.
    pub without_parent: u64,
}

impl Spans {
    /// Returns the spans that are kept, in order of their ids; the longest first, if only those are kept.
    pub fn list(&self) -> &[Span] {
        &self.list
    }

    /// Returns how many complete spans the list has not because only the longest ones are kept.
    pub const fn shorter(&self) -> u64 {
        self.shorter
    }

    /// Returns a span.
    pub fn get(&self, id: SpanId) -> Option<&Span> {
        self.list.get(id.0 as usize)
    }

    /// Returns the names of a span's provider and task.
    pub fn names(&self, span: &Span) -> (&str, &str) {
        self.families.names(span.family)
    }

    /// Returns the file name of the image of a span's process.
    pub fn process_name(&self, span: &Span) -> Option<&str> {
        self.names.get(span.process)
    }
}
