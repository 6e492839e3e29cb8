//! The tree as rows.

use etwkit_analysis::{Time, units_to_milliseconds};

use crate::activity::activity_path;
use crate::list::SpanRow;

use super::children::{Node, Tree};

etwkit_analysis::row! {
    /// A span of a tree, or another event of the activity that was asked for. Parents come before what is within them.
    pub struct TreeRow {
        /// Time of its start, or of the event, UTC.
        start: Option<Time> as Time,
        /// How many spans it is within.
        depth: u32 as Count,
        /// Milliseconds from start to stop.
        duration_ms: Option<f64> as Milliseconds,
        /// Milliseconds of it in which no span within it ran.
        exclusive_ms: Option<f64> as Milliseconds,
        /// `complete`, `open` (no stop), `orphaned` (no start), `event` (no span).
        state: &'static str as Text,
        /// Provider.
        provider: String as Text,
        /// Task of a span; name of another event.
        task: String as Text,
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Thread of the start, or of the event.
        tid: Option<u32> as Id,
        /// Activity id.
        activity: Option<String> as Text,
        /// The path that the activity id contains: `//1/2/3`.
        path: Option<String> as Text,
    }
}

impl Tree<'_> {
    /// Calls a function with each row.
    pub fn rows(&self, mut each: impl FnMut(TreeRow)) {
        self.walk(|node, depth| each(self.row(node, u32::try_from(depth).unwrap_or(u32::MAX))));
    }

    fn row(&self, node: Node, depth: u32) -> TreeRow {
        match node {
            Node::Span(id) => {
                let row = self.spans.get(id).map(|span| self.spans.span_row(span));
                let exclusive_ms = self.exclusive(id).map(units_to_milliseconds);
                row.map_or_else(empty, |row| of_span(row, depth, exclusive_ms))
            }
            Node::Instant(place) => self.instant_row(place, depth),
        }
    }

    fn instant_row(&self, place: u32, depth: u32) -> TreeRow {
        let Some(event) = self.instant(place) else { return empty() };
        let (provider, task) = self.spans.kinds.get(event.kind.0 as usize).cloned().unwrap_or_default();
        TreeRow {
            start: Some(Time(event.time)),
            depth,
            state: "event",
            provider: provider.into(),
            task: task.into(),
            pid: event.process.pid,
            process: self.spans.names.get(event.process).map(str::to_owned),
            tid: event.tid,
            activity: event.activity.map(|id| id.to_string()),
            path: event.activity.and_then(|id| activity_path(id, event.process.pid)),
            ..empty()
        }
    }
}

fn of_span(row: SpanRow, depth: u32, exclusive_ms: Option<f64>) -> TreeRow {
    let SpanRow { start, stop, duration_ms, state, provider, task, pid, process, tid, activity, path, .. } = row;
    let start = start.or(stop);
    TreeRow { start, depth, duration_ms, exclusive_ms, state, provider, task, pid, process, tid, activity, path }
}

fn empty() -> TreeRow {
    TreeRow {
        start: None,
        depth: 0,
        duration_ms: None,
        exclusive_ms: None,
        state: "event",
        provider: String::new(),
        task: String::new(),
        pid: None,
        process: None,
        tid: None,
        activity: None,
        path: None,
    }
}
