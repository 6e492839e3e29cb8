//! Whose samples are counted.

use etwkit::trace::Filter;

use super::sums::Whose;

/// The conditions of a filter on processes and threads, by which samples are counted.
///
/// They are not left to the filter of the run: that knows what an event states, and the process of a sample may be
/// stated by its stack alone.
#[derive(Clone, Debug, Default)]
pub(super) struct ChosenThreads(Filter);

impl ChosenThreads {
    /// Takes the conditions on processes and threads out of a filter.
    pub(super) fn take_from(filter: &mut Filter) -> Self {
        let Filter { pids, tids, processes, .. } = filter;
        let taken = Filter::default().pids(pids.drain(..)).tids(tids.drain(..)).processes(processes.drain(..));
        Self(taken)
    }

    /// Returns whether a thread is chosen.
    pub(super) fn has(&self, whose: &Whose<'_>) -> bool {
        self.0.has_thread(whose.pid, whose.tid, |pid| whose.system.process_name_at(pid, whose.process_when))
    }
}
