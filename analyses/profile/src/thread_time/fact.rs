//! What events state about the time of threads.

use std::sync::Arc;

use etwkit::FileTime;
use etwkit::decode::{Event, EventType};
use etwkit_kernel_analyses::samples::{self, is_busy};
use etwkit_kernel_analyses::schedule::{self, ScheduleChange, ScheduleFact};

use super::ThreadTime;
use super::causes::{CAUSES, CauseFact};
use crate::collect::Stacked;

/// What an event states about the time of threads.
#[derive(Clone, Debug)]
pub struct ThreadFact {
    pub(super) time: FileTime,
    /// Number of the machine and boot.
    pub(super) machine: u16,
    pub(super) what: What,
}

/// What an event is.
#[derive(Clone, Debug)]
pub(super) enum What {
    /// A context switch, with the stack of the thread that runs from then on, or another event about threads.
    Schedule(ScheduleFact, Option<Arc<Stacked>>),
    /// A sample of a thread that runs.
    Sample { tid: u32, stack: Arc<Stacked> },
    /// Something that threads wait for.
    Cause(CauseFact),
}

/// Returns whether events of a type are read.
pub(super) fn is_read(event_type: &EventType, kind: ThreadTime) -> bool {
    let key = event_type.key();
    let is_cause = kind == ThreadTime::Wall && CAUSES.has(key);
    schedule::INTEREST.has(key) || samples::INTEREST.has(key) || is_cause
}

impl ThreadFact {
    /// Reads an event that is read; `frames` is memory to use again.
    pub(super) fn of(event: &Event<'_>, frames: &mut Vec<u64>) -> Option<Self> {
        let key = event.raw().key();
        let what = if schedule::INTEREST.has(&key) {
            let fact = ScheduleFact::of(event)?;
            What::Schedule(fact, stack_of(event, &fact, frames))
        } else if samples::INTEREST.has(&key) {
            sample(event, frames)?
        } else {
            What::Cause(CauseFact::of(event, &key)?)
        };
        Some(Self { time: event.time()?, machine: event.system().machine.number, what })
    }
}

/// Returns the stack of a context switch.
fn stack_of(event: &Event<'_>, fact: &ScheduleFact, frames: &mut Vec<u64>) -> Option<Arc<Stacked>> {
    let ScheduleChange::Switch { new, .. } = fact.change else { return None };
    let found = event.stack_of_thread(new.tid, frames)?;
    Some(Arc::new(Stacked::of(event, Some(found), frames)))
}

/// Reads a sample; `None` if it has no stack, or is that of an idle processor.
fn sample(event: &Event<'_>, frames: &mut Vec<u64>) -> Option<What> {
    let tid = event.tid().filter(|_| is_busy(event))?;
    let found = event.stack(frames)?;
    Some(What::Sample { tid, stack: Arc::new(Stacked::of(event, Some(found), frames)) })
}
