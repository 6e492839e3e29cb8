//! What is known of the traced system besides single events: filled by parsers in the first pass, frozen afterwards.
//!
//! Everything is kept over time, because ids are used again: a process is its id *and* when it ran. Times are raw time
//! stamps of the session's clock, or FILETIMEs where files of different clocks are read as one trace: [`System::times`]
//! tells an event's, and [`System::process_at`], [`System::image_at`] and [`System::file_name_at`] ask it themselves. What a rundown tells ("this process exists") is taken to hold for all of the trace
//! before it (or after it) that nothing else claims. There is no knowledge of providers here; parsers feed it.

mod files;
mod images;
mod joins;
mod processes;
mod room;
mod stacks;
mod threads;
mod times;
mod unknown;
mod volumes;

pub use files::FileNames;
pub use images::{Image, Images};
pub use joins::{NoStackReason, StackJoins, UnjoinedReason};
pub use processes::{Process, ProcessFacts, ProcessId, Processes};
pub use room::StateBudget;
pub use stacks::{MissingFrames, StackCounts, StackOf, StackPart, Stacks};
pub use threads::Threads;
pub use times::Times;
pub use unknown::Unknown;
pub use volumes::Volumes;

use crate::event::RawEvent;

/// Facts of the traced system.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// When events were, on the time line of all the rest.
    pub times: Times,
    /// Processes over time.
    pub processes: Processes,
    /// Threads over time.
    pub threads: Threads,
    /// Images (modules) over time.
    pub images: Images,
    /// Names of files by the keys and objects that events carry.
    pub files: FileNames,
    /// Names of open kernel objects by their address.
    pub objects: FileNames,
    /// Device names and their drive letters.
    pub volumes: Volumes,
    /// Stacks that came in events of their own, if the parsers were asked to keep them.
    pub stacks: Stacks,
    /// What is left of the caps on all of it.
    pub room: StateBudget,
}

impl System {
    /// The process that a thread belonged to at a time, if the process table knows it too.
    pub fn process_of_thread(&self, tid: u32, time: i64) -> Option<&Process> {
        self.processes.at(self.threads.process(tid, time)?, time)
    }

    /// Who ran as this process id when an event was written, or was the last to do so.
    pub fn process_at(&self, pid: u32, event: &RawEvent<'_>) -> Option<&Process> {
        self.processes.at_or_before(pid, self.times.of(event))
    }

    /// Which image held an address in a process when an event was written.
    pub fn image_at(&self, pid: u32, address: u64, event: &RawEvent<'_>) -> Option<&Image> {
        self.images.at(pid, address, self.times.of(event))
    }

    /// The name of the file of a key or object when an event was written, as the kernel names it.
    pub fn file_name_at(&self, key: u64, event: &RawEvent<'_>) -> Option<&str> {
        self.files.at(key, self.times.of(event))
    }

    /// The file name of the image of who ran as this process id when an event was written; `None` too if the trace does not tell it.
    pub fn process_name_at(&self, pid: u32, event: &RawEvent<'_>) -> Option<&str> {
        self.process_at(pid, event).map(Process::file_name).filter(|name| !name.is_empty())
    }

    /// Orders what lookups search. Called once, after the first pass.
    pub(crate) fn freeze(&mut self) {
        self.processes.freeze();
        self.threads.freeze();
        self.images.freeze();
        self.stacks.freeze();
    }
}
