//! What an event states about tasks.

use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit_analysis::guids::TPL;
use etwkit_analysis::{Interest, Need};

use crate::origin::Origin;

const EVENTS: &[(Guid, &[u16])] = &[(TPL, &[7, 8, 9, 10, 11])];

pub(super) const INTEREST: Interest = Interest {
    manifest: EVENTS,
    classic: &[],
    need: Need::Keywords("System.Threading.Tasks.TplEventSource with the keywords TaskTransfer, Tasks (0x3), level 4"),
};

/// The contents of an event, and the process that wrote it.
#[derive(Clone, Debug)]
pub struct TaskFact {
    pub(crate) origin: Origin,
    /// Number of the task.
    pub(super) task: u32,
    /// The scheduler and the task that ran on the thread: 0 if none.
    pub(super) scheduler: u32,
    pub(super) on: u32,
    pub(super) what: What,
}

/// What an event states.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    Scheduled,
    Started,
    Completed {
        is_exceptional: bool,
    },
    /// A wait for the task begins on the thread.
    WaitBegin,
    WaitEnd,
}

impl TaskFact {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        let number = |name: &str| event.get::<i64>(name).ok().and_then(|number| u32::try_from(number).ok());
        let what = match event.raw().id() {
            7 => What::Scheduled,
            8 => What::Started,
            9 => What::Completed { is_exceptional: event.get("IsExceptional").unwrap_or(false) },
            10 => What::WaitBegin,
            11 => What::WaitEnd,
            _ => return None,
        };
        let of_thread = |name| number(name).unwrap_or(0);
        Some(Self {
            origin: Origin::of(event)?,
            task: number("TaskID")?,
            scheduler: of_thread("OriginatingTaskSchedulerID"),
            on: of_thread("OriginatingTaskID"),
            what,
        })
    }
}
