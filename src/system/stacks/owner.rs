//! Which event a stack belongs to.

use crate::FileId;
use crate::event::RawEvent;
use crate::system::Timeline;
use crate::time::RawTime;

/// The event that a stack belongs to, by its time and thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StackOwner {
    /// The input file whose clock counts `time`, from 0.
    pub file: FileId,
    /// Raw time stamp of that event.
    pub time: RawTime,
    /// Thread.
    pub tid: u32,
    /// Process; [`NO_ID`](crate::event::NO_ID) if it is not known.
    pub pid: u32,
    /// Processor that wrote the stack.
    pub cpu: u16,
}

impl StackOwner {
    /// Returns the owner that an event of this thread and process is.
    pub fn of(event: &RawEvent<'_>, tid: u32, pid: u32) -> Self {
        Self { file: event.place().file, time: event.time(), tid, pid, cpu: event.processor() }
    }

    pub(in crate::system) fn on(self, timeline: &Timeline) -> OwnerAt {
        let Self { file, time, tid, pid, cpu } = self;
        OwnerAt { tick: timeline.tick(file, time), tid, pid, cpu }
    }
}

/// The same on the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OwnerAt {
    pub(crate) tick: i64,
    pub(crate) tid: u32,
    pub(crate) pid: u32,
    pub(crate) cpu: u16,
}
