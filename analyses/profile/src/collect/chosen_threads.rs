//! Whose samples are counted.

use etwkit::trace::{Filter, Glob};

use super::sums::Whose;

/// The processes and threads whose samples are counted; all, where a list is empty.
///
/// They are not left to the filter of the run: that knows what an event states, and the process of a sample may be
/// stated by its stack alone.
#[derive(Clone, Debug, Default)]
pub(super) struct ChosenThreads {
    pids: Vec<u32>,
    tids: Vec<u32>,
    processes: Vec<Glob>,
}

impl ChosenThreads {
    /// Takes the conditions on processes and threads out of a filter.
    pub(super) fn take_from(filter: &mut Filter) -> Self {
        Self {
            pids: std::mem::take(&mut filter.pids),
            tids: std::mem::take(&mut filter.tids),
            processes: std::mem::take(&mut filter.processes),
        }
    }

    /// Returns whether a thread is chosen. One whose id or process is not known is not, if that is a condition.
    pub(super) fn has(&self, whose: &Whose<'_>) -> bool {
        let among = |list: &[u32], id: Option<u32>| list.is_empty() || id.is_some_and(|id| list.contains(&id));
        among(&self.pids, whose.pid) && among(&self.tids, whose.tid) && self.has_name(whose)
    }

    fn has_name(&self, whose: &Whose<'_>) -> bool {
        let name = || whose.system.process_name_at(whose.pid?, whose.process_when);
        self.processes.is_empty() || name().is_some_and(|name| self.processes.iter().any(|glob| glob.matches(name)))
    }
}
