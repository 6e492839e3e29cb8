//! What filters choose for analyses that need all events.

use std::collections::BTreeMap;

use etwkit::FileTime;
use etwkit::trace::{Filter, Glob, TimeRange, Trace};

/// The selection that is counted by an analysis that needs all events, such as one that follows each processor from one
/// context switch to the next: a window of time, processes and threads.
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
    /// Which processes have a name that is chosen; `None` for all.
    named: Option<Named>,
}

/// The processes of each machine and id, in order of their starts: when they started, and whether they are chosen.
type Named = BTreeMap<(u16, u32), Vec<(FileTime, bool)>>;

/// A thread as events name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadAt {
    /// Number of the machine and boot.
    pub machine: u16,
    /// Its process; `None` if no event states it.
    pub pid: Option<u32>,
    /// Thread id.
    pub tid: u32,
    /// When an event names it with its process.
    pub time: FileTime,
}

impl Default for Selection {
    fn default() -> Self {
        let (since, until) = (FileTime(i64::MIN), FileTime(i64::MAX));
        Self { since, until, pids: Vec::new(), tids: Vec::new(), named: None }
    }
}

impl Selection {
    /// Returns what a filter chooses; `None` if it has conditions on single events.
    pub fn of(trace: &Trace, filter: &Filter) -> Option<Self> {
        let Filter { time, pids, tids, processes, .. } = filter.clone();
        let selectable =
            Filter::default().time(time).pids(pids.clone()).tids(tids.clone()).processes(processes.clone());
        if *filter != selectable {
            return None;
        }
        let (since, until) = window(trace, &time);
        let named = (!processes.is_empty()).then(|| named(trace, &processes));
        Some(Self { since, until, pids, tids, named })
    }

    /// Returns the part of a span that is in the window, whose ends belong to it; `None` if it is outside. One that begins
    /// at the end of the window has a part without duration: its first event is in the window.
    pub fn clip(&self, start: FileTime, end: FileTime) -> Option<(FileTime, FileTime)> {
        let is_after_begin = if start == end { self.since <= end } else { self.since < end };
        (is_after_begin && start <= self.until).then(|| (start.max(self.since), end.min(self.until)))
    }

    /// Returns whether a thread is chosen, by its id and by the id and the name of its process.
    pub fn has_thread(&self, thread: ThreadAt) -> bool {
        let ThreadAt { machine, pid, tid, time } = thread;
        let has_pid = self.pids.is_empty() || pid.is_some_and(|pid| self.pids.contains(&pid));
        let has_name = |named: &Named| {
            let list = pid.and_then(|pid| named.get(&(machine, pid))).map_or(&[][..], |list| list);
            let started = list.partition_point(|(start, _)| *start <= time);
            started.checked_sub(1).and_then(|last| list.get(last)).is_some_and(|(_, is_chosen)| *is_chosen)
        };
        let has_tid = self.tids.is_empty() || self.tids.contains(&tid);
        has_pid && has_tid && self.named.as_ref().is_none_or(has_name)
    }
}

/// Looks up the processes of a trace with one of these names.
fn named(trace: &Trace, names: &[Glob]) -> Named {
    let mut named = Named::new();
    for system in trace.systems().iter() {
        for (_, process) in system.processes.list() {
            let key = (system.machine.number, process.facts.pid);
            let name = process.file_name();
            let is_chosen = !name.is_empty() && names.iter().any(|glob| glob.matches(name));
            named.entry(key).or_default().push((process.start.unwrap_or(FileTime(i64::MIN)), is_chosen));
        }
    }
    for list in named.values_mut() {
        list.sort_by_key(|(start, _)| *start);
    }
    named
}

fn window(trace: &Trace, range: &TimeRange) -> (FileTime, FileTime) {
    let (since, until) = range.bounds(trace.start());
    (since.unwrap_or(FileTime(i64::MIN)), until.unwrap_or(FileTime(i64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_process_that_has_started_last_is_that_of_a_thread() {
        let lives = vec![(FileTime(i64::MIN), false), (FileTime(10), true), (FileTime(20), false)];
        let chosen = Selection { named: Some(Named::from([((0, 4), lives)])), ..Selection::default() };
        let has = |machine, pid, time| chosen.has_thread(ThreadAt { machine, pid, tid: 8, time: FileTime(time) });
        assert_eq!([9, 10, 19, 20].map(|time| has(0, Some(4), time)), [false, true, true, false]);
        assert!(!has(1, Some(4), 15) && !has(0, Some(5), 15) && !has(0, None, 15));
    }

    #[test]
    fn spans_are_clipped_to_the_window() {
        let window = Selection { since: FileTime(10), until: FileTime(20), ..Selection::default() };
        let clip = |start, end| window.clip(FileTime(start), FileTime(end)).map(|(start, end)| (start.0, end.0));
        assert_eq!(clip(0, 15), Some((10, 15)));
        assert_eq!(clip(15, 30), Some((15, 20)));
        assert_eq!((clip(0, 10), clip(20, 30), clip(21, 30)), (None, Some((20, 20)), None));
        assert_eq!((clip(10, 10), clip(9, 9)), (Some((10, 10)), None));
    }
}
