//! What filters choose for analyses that need all events.

use etwkit::FileTime;
use etwkit::trace::{Filter, TimeRange, Trace};

/// What is counted by an analysis that needs all events, such as one that follows each processor from one context switch
/// to the next: a window of time, processes and threads.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Selection {
    /// Begin of the window.
    pub since: FileTime,
    /// End of the window.
    pub until: FileTime,
    /// Process ids; empty for all.
    pub pids: Vec<u32>,
    /// Thread ids; empty for all.
    pub tids: Vec<u32>,
}

impl Default for Selection {
    fn default() -> Self {
        let (since, until) = (FileTime(i64::MIN), FileTime(i64::MAX));
        Self { since, until, pids: Vec::new(), tids: Vec::new() }
    }
}

impl Selection {
    /// Returns what a filter chooses; `None` if it has conditions on single events.
    pub fn of(trace: &Trace, filter: &Filter) -> Option<Self> {
        let selectable =
            Filter::default().time(filter.time).pids(filter.pids.iter().copied()).tids(filter.tids.iter().copied());
        if *filter != selectable {
            return None;
        }
        let (since, until) = window(trace, &filter.time);
        let Filter { pids, tids, .. } = selectable;
        Some(Self { since, until, pids, tids })
    }

    /// Returns the part of a span that is in the window; `None` if it is outside.
    pub fn clip(&self, start: FileTime, end: FileTime) -> Option<(FileTime, FileTime)> {
        let is_in = if start == end {
            self.since <= start && end <= self.until
        } else {
            start < self.until && self.since < end
        };
        is_in.then(|| (start.max(self.since), end.min(self.until)))
    }

    /// Returns whether a thread of a process is chosen.
    pub fn has_thread(&self, pid: Option<u32>, tid: u32) -> bool {
        let has_pid = self.pids.is_empty() || pid.is_some_and(|pid| self.pids.contains(&pid));
        has_pid && (self.tids.is_empty() || self.tids.contains(&tid))
    }
}

fn window(trace: &Trace, range: &TimeRange) -> (FileTime, FileTime) {
    let after = |span: std::time::Duration| {
        let units = i64::try_from(span.as_nanos() / 100).unwrap_or(i64::MAX);
        trace.start().map(|start| FileTime(start.0.saturating_add(units)))
    };
    let since = [range.since, range.from_start.and_then(after)].into_iter().flatten().max();
    let until = [range.until, range.to_start.and_then(after)].into_iter().flatten().min();
    (since.unwrap_or(FileTime(i64::MIN)), until.unwrap_or(FileTime(i64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_clipped_to_the_window() {
        let window = Selection { since: FileTime(10), until: FileTime(20), ..Selection::default() };
        let clip = |start, end| window.clip(FileTime(start), FileTime(end)).map(|(start, end)| (start.0, end.0));
        assert_eq!(clip(0, 15), Some((10, 15)));
        assert_eq!(clip(15, 30), Some((15, 20)));
        assert_eq!((clip(0, 10), clip(20, 30)), (None, None));
        assert_eq!((clip(10, 10), clip(9, 9)), (Some((10, 10)), None));
    }
}
