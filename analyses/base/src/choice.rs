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

    /// Returns whether the filter chooses an event, or some of what its fact states.
    pub(crate) fn has<A: Analysis>(&mut self, event: &Event<'_>, fact: &mut A::Fact) -> bool {
        if !self.check.passes(event.raw()) {
            return false;
        }
        let has_any = self.pids.is_empty() && self.processes.is_empty() && self.tids.is_empty();
        has_any || A::choose(fact, event, &|owner| self.has_owner(event, owner))
    }

    fn has_owner(&self, event: &Event<'_>, (pid, tid): (Option<u32>, Option<u32>)) -> bool {
        let among = |list: &[u32], id: Option<u32>| list.is_empty() || id.is_some_and(|id| list.contains(&id));
        let name = || pid.and_then(|pid| event.system().process_name_at(pid, event.raw()));
        let has_name = || {
            self.processes.is_empty() || name().is_some_and(|name| self.processes.iter().any(|glob| glob.matches(name)))
        };
        among(&self.pids, pid) && among(&self.tids, tid) && has_name()
    }
}
