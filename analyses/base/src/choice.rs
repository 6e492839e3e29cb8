//! Which events a filter chooses for an analysis.

use etwkit::decode::Event;
use etwkit::trace::{Filter, FilterCheck, Glob, Trace};

use crate::Analysis;

/// A filter made ready for an analysis. Its conditions on processes and threads are about [`Analysis::owner`].
#[derive(Debug)]
pub(crate) struct Choice<'t> {
    /// All other conditions.
    check: FilterCheck<'t>,
    pids: Vec<u32>,
    processes: Vec<Glob>,
    tids: Vec<u32>,
}

impl<'t> Choice<'t> {
    pub(crate) fn new(trace: &'t Trace, filter: &Filter) -> Self {
        let mut rest = filter.clone();
        let (pids, tids) = (std::mem::take(&mut rest.pids), std::mem::take(&mut rest.tids));
        let processes = std::mem::take(&mut rest.processes);
        Self { check: FilterCheck::new(trace, &rest), pids, processes, tids }
    }

    /// Returns whether the filter chooses an event.
    pub(crate) fn has<A: Analysis>(&mut self, event: &Event<'_>) -> bool {
        self.check.passes(event.raw()) && self.has_owner::<A>(event)
    }

    fn has_owner<A: Analysis>(&self, event: &Event<'_>) -> bool {
        if self.pids.is_empty() && self.processes.is_empty() && self.tids.is_empty() {
            return true;
        }
        let (pid, tid) = A::owner(event);
        let among = |list: &[u32], id: Option<u32>| list.is_empty() || id.is_some_and(|id| list.contains(&id));
        let name = || pid.and_then(|pid| event.system().process_name_at(pid, event.raw()));
        let has_name = || {
            self.processes.is_empty() || name().is_some_and(|name| self.processes.iter().any(|glob| glob.matches(name)))
        };
        among(&self.pids, pid) && among(&self.tids, tid) && has_name()
    }
}
