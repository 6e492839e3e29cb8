//! The traced systems of files that may come from several machines and boots.

use std::sync::Arc;

use crate::FileId;
use crate::event::RawEvent;

use super::{FrameNamer, StateBudget, System};

/// A system for each machine and boot. There is always one, which belongs to files that no other one has.
#[derive(Clone, Debug)]
pub struct Systems {
    first: System,
    others: Box<[System]>,
    /// The place of each file's system: 0 is the first.
    of_file: Arc<[u16]>,
    /// The place of the system that has what is left of the caps. All share them, so that they hold for the whole trace.
    fed: usize,
}

impl Default for Systems {
    fn default() -> Self {
        Self::new(System::default(), Box::default(), Arc::default())
    }
}

impl Systems {
    /// Makes a list of systems from the first one, the others, and the place of each file's one.
    pub(crate) fn new(first: System, others: Box<[System]>, of_file: Arc<[u16]>) -> Self {
        Self { first, others, of_file, fed: 0 }
    }

    /// Returns the system of the machine of the first file.
    pub const fn first(&self) -> &System {
        &self.first
    }

    /// Returns the system of the machine that wrote a file; the first one for an unknown file.
    #[inline]
    pub fn of_file(&self, file: FileId) -> &System {
        self.get(self.place(file))
    }

    /// Returns the system of the machine that wrote an event.
    #[inline]
    pub fn of(&self, event: &RawEvent<'_>) -> &System {
        self.of_file(event.place().file)
    }

    /// Returns all systems, in the order of their first files.
    pub fn iter(&self) -> impl Iterator<Item = &System> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// Returns the system of an event's machine, to add facts that the event states.
    pub(crate) fn feed(&mut self, event: &RawEvent<'_>) -> &mut System {
        let place = self.place(event.place().file);
        if place != self.fed {
            let budget = self.get(self.fed).budget.clone();
            self.get_mut(place).budget = budget;
            self.fed = place;
        }
        self.get_mut(place)
    }

    /// Sets what names native code on all machines.
    pub(crate) fn set_frame_namer(&mut self, namer: &Arc<dyn FrameNamer>) {
        for system in std::iter::once(&mut self.first).chain(&mut self.others) {
            system.namer = Some(Arc::clone(namer));
        }
    }

    /// Orders what lookups search. Called once, after the first pass.
    pub(crate) fn freeze(&mut self) {
        let budget = self.budget().clone();
        for system in std::iter::once(&mut self.first).chain(&mut self.others) {
            system.budget = budget.clone();
            system.freeze();
        }
    }

    /// Returns what is left of the caps on all systems together.
    pub(crate) fn budget(&self) -> &StateBudget {
        &self.get(self.fed).budget
    }

    #[inline]
    fn place(&self, file: FileId) -> usize {
        self.of_file.get(file.index()).map_or(0, |place| usize::from(*place))
    }

    #[inline]
    fn get(&self, place: usize) -> &System {
        place.checked_sub(1).and_then(|place| self.others.get(place)).unwrap_or(&self.first)
    }

    fn get_mut(&mut self, place: usize) -> &mut System {
        place.checked_sub(1).and_then(|place| self.others.get_mut(place)).unwrap_or(&mut self.first)
    }
}
