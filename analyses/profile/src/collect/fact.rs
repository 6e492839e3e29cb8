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
    /// Whether the event passes the filter, but for its conditions on processes and threads.
    pub(super) is_chosen: bool,
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
        Self::with_stack(event, reading, Stacked::of(event, found, frames), true)
    }

    /// Takes what is needed of an event that does not pass the filter: how it begins or ends an operation. `None` if it
    /// does neither.
    pub(super) fn left_out(event: &Event<'_>, reading: Reading) -> Option<Self> {
        let is_of_operation = matches!(reading.role, Role::Begins(..) | Role::EndsKey(_));
        is_of_operation.then(|| Self::with_stack(event, reading, Stacked::of(event, None, &[]), false))
    }

    fn with_stack(event: &Event<'_>, reading: Reading, stack: Stacked, is_chosen: bool) -> Self {
        let (pid, tid) = match reading.tid {
            Some(tid) => (event.system().thread_process_at(tid, event.raw()), Some(tid)),
            None => (event.pid(), event.tid()),
        };
        Self { reading, time: event.time(), pid, tid, stack, is_chosen }
    }
}
