//! The list of spans.

use etwkit_analysis::{Time, units_to_milliseconds};

use crate::activity::activity_path;
use crate::span::Span;
use crate::spans::Spans;

etwkit_analysis::row! {
    /// A span.
    pub struct SpanRow {
        /// Time of its start, UTC.
        start: Option<Time> as Time,
        /// Time of its stop, UTC.
        stop: Option<Time> as Time,
        /// Milliseconds between them.
        duration_ms: Option<f64> as Milliseconds,
        /// `complete`, `open` (no stop), `orphaned` (no start).
        state: &'static str as Text,
        /// Provider.
        provider: String as Text,
        /// Task, or what the names of start and stop have in common, or the pair that was asked for.
        task: String as Text,
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Thread of the start; of an orphaned one, of the stop.
        tid: Option<u32> as Id,
        /// Thread of the stop.
        stop_tid: Option<u32> as Id,
        /// Activity id.
        activity: Option<String> as Text,
        /// The path that the activity id contains: `//1/2/3`.
        path: Option<String> as Text,
        /// Activity id that the start names as related.
        related: Option<String> as Text,
    }
}

impl Spans {
    /// Returns the list, in order of the time at which they were first seen.
    pub fn rows(&self) -> impl Iterator<Item = SpanRow> {
        self.list.iter().map(|span| self.span_row(span))
    }

    /// Returns the row of a span, one of [`Spans::list`].
    pub fn span_row(&self, span: &Span) -> SpanRow {
        let (provider, task) = self.names(span);
        SpanRow {
            start: span.start.map(Time),
            stop: span.stop.map(Time),
            duration_ms: span.duration().map(units_to_milliseconds),
            state: span.state().name(),
            provider: provider.to_owned(),
            task: task.to_owned(),
            pid: span.process.pid,
            process: self.process_name(span).map(str::to_owned),
            tid: span.tid,
            stop_tid: span.stop_tid,
            activity: span.activity.map(|id| id.to_string()),
            path: span.activity.and_then(|id| activity_path(id, span.process.pid)),
            related: span.related.map(|id| id.to_string()),
        }
    }
}
