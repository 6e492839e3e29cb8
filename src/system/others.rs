//! Facts of sources other than the kernel's own events, which count where those state nothing.

use super::{Images, Processes, StateBudget};

/// What such sources state, until the first pass is over.
#[derive(Clone, Debug, Default)]
pub(super) struct Others {
    pub(super) processes: Processes,
    pub(super) images: Images,
}

impl Others {
    /// Completes names that an event of an end cut off, by the images of the process.
    pub(super) fn complete_names(&mut self, images: &Images, budget: &mut StateBudget) {
        for process in self.processes.list_mut().filter(|process| process.is_name_cut()) {
            let (pid, start) = (process.facts.pid, process.file_name());
            let whole = self.images.called(pid, start).or_else(|| images.called(pid, start));
            if let Some(whole) = whole.filter(|whole| budget.take(0, whole.len())) {
                process.facts.image = whole.into();
            }
        }
    }
}
