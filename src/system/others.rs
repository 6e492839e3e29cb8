//! Facts of sources other than the kernel's own events, which count where those say nothing.

use crate::event::RawEvent;

use super::{Image, Images, ProcessFacts, Processes, StateBudget, System};

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
            if let Some(whole) = whole.filter(|whole| budget.take(whole.len())) {
                process.facts.image = whole.into();
            }
        }
    }
}

/// What [observers](crate::parser::Observer) of other sources add: providers that describe the same processes and images
/// as the kernel's own events. What they state counts only of processes and images that no event of the kernel mentions,
/// so that none is there twice, in whatever order and file the events are.
impl System {
    /// Adds the start of a process.
    pub fn add_other_process_start(&mut self, event: &RawEvent<'_>, facts: ProcessFacts) {
        self.others.processes.start(self.timeline.moment(event), facts, &mut self.budget);
    }

    /// Adds the end of a process.
    pub fn add_other_process_end(&mut self, event: &RawEvent<'_>, facts: ProcessFacts) {
        self.others.processes.stop(self.timeline.moment(event), facts, &mut self.budget);
    }

    /// Adds a process of a rundown.
    pub fn add_other_process_rundown(&mut self, facts: ProcessFacts) {
        self.others.processes.exists(facts, &mut self.budget);
    }

    /// Adds the load of an image; its time is that of the event.
    pub fn add_other_image_load(&mut self, event: &RawEvent<'_>, image: Image) {
        self.others.images.load(self.timeline.moment(event), image, &mut self.budget);
    }

    /// Adds the unload of an image; its time is that of the event.
    pub fn add_other_image_unload(&mut self, event: &RawEvent<'_>, image: Image) {
        self.others.images.unload(self.timeline.moment(event), image, &mut self.budget);
    }
}
