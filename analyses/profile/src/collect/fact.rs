//! What is kept of an event until its turn comes.

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit::system::When;

use crate::weights::Reading;

/// What is kept of an event until its turn comes.
#[derive(Clone, Debug)]
pub struct ProfileFact {
    pub(super) reading: Reading,
    pub(super) time: Option<FileTime>,
    /// File that the event is in.
    pub(super) file: u16,
    pub(super) when: When,
    pub(super) pid: Option<u32>,
    pub(super) tid: Option<u32>,
    /// The process in which the addresses are.
    pub(super) stack_pid: Option<u32>,
    /// Addresses, the innermost first.
    pub(super) stack: Box<[u64]>,
    pub(super) has_stack: bool,
    pub(super) is_incomplete: bool,
}

impl ProfileFact {
    /// Takes what is needed of an event; `frames` is memory to use again.
    pub(super) fn of(event: &Event<'_>, reading: Reading, frames: &mut Vec<u64>) -> Self {
        let found = event.stack(frames);
        // Without a stack, a sample itself has the innermost address.
        if found.is_none() {
            frames.clear();
            frames.extend(event.get::<u64>("InstructionPointer").ok());
        }
        Self {
            reading,
            time: event.time(),
            file: event.raw().place().file,
            when: When::from(event.raw()),
            pid: event.pid(),
            tid: event.tid(),
            stack_pid: found.and_then(|found| found.pid),
            stack: frames.as_slice().into(),
            has_stack: found.is_some(),
            is_incomplete: found.is_some_and(|found| found.missing.is_some()),
        }
    }
}
