//! What is kept of an event until its turn comes.

use etwkit::FileTime;
use etwkit::decode::Event;

use super::stacked::Stacked;
use crate::weights::{Counted, Reading, Role};

/// The part of an event that is kept until its turn comes.
#[derive(Clone, Debug)]
pub struct ProfileFact {
    pub(super) reading: Reading,
    pub(super) time: Option<FileTime>,
    pub(super) pid: Option<u32>,
    pub(super) tid: Option<u32>,
    pub(super) stack: Stacked,
}

impl ProfileFact {
    /// Returns what counts of the operation that the event begins.
    pub(super) const fn counted(&self) -> Counted {
        match self.reading.role {
            Role::Begins(_, counted) => counted,
            _ => Counted::TimeAndBytes,
        }
    }

    /// Takes what is needed of an event; `frames` is memory to use again.
    pub(super) fn of(event: &Event<'_>, reading: Reading, frames: &mut Vec<u64>) -> Self {
        let found = event.stack(frames);
        // Without a stack, a sample itself has the innermost address.
        if found.is_none() {
            frames.clear();
            frames.extend(event.get::<u64>("InstructionPointer").ok());
        }
        let stack = Stacked::of(event, found, frames);
        let (pid, tid) = match reading.tid {
            Some(tid) => (event.system().thread_process_at(tid, event.raw()), Some(tid)),
            None => (event.pid(), event.tid()),
        };
        Self { reading, time: event.time(), pid, tid, stack }
    }
}
