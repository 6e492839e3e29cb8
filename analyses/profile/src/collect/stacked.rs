//! What is kept of an event's stack.

use etwkit::FileId;
use etwkit::decode::{Event, StackFound};
use etwkit::system::When;

/// What is kept of an event's stack, and where to look up what it names.
#[derive(Clone, Debug)]
pub(crate) struct Stacked {
    /// File that the event is in.
    pub(crate) file: FileId,
    pub(crate) when: When,
    /// The process in which the addresses are.
    pub(crate) pid: Option<u32>,
    /// The thread whose stack it is.
    pub(crate) tid: Option<u32>,
    /// Addresses, the innermost first.
    pub(crate) addresses: Box<[u64]>,
    pub(crate) is_found: bool,
    pub(crate) is_incomplete: bool,
}

impl Stacked {
    /// Takes the stack that was found of an event; `frames` are its addresses.
    pub(crate) fn of(event: &Event<'_>, found: Option<StackFound>, frames: &[u64]) -> Self {
        Self {
            file: event.raw().place().file,
            when: When::from(event.raw()),
            pid: found.and_then(|found| found.pid),
            tid: found.and_then(|found| found.tid),
            addresses: frames.into(),
            is_found: found.is_some(),
            is_incomplete: found.is_some_and(|found| found.missing.is_some()),
        }
    }
}
