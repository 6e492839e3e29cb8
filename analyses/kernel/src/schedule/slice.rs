//! What the scheduler hands over.

use etwkit::FileTime;
use etwkit::codes::Codes;

/// A thread of the trace: its place in [`Scheduler::threads`](super::Scheduler::threads). Unlike the system's thread id
/// it is never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadId(pub u32);

/// The activity of a thread or a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SliceKind {
    /// A thread ran on a processor.
    Running,
    /// A processor ran no thread but the idle one (thread id 0).
    Idle,
    /// A thread could run, and had no processor.
    Ready,
    /// A thread waited.
    Waiting,
    /// The events do not state it.
    Unknown,
}

/// How a thread left its processor, as the context switch states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Departure {
    /// State of the thread after the switch (`KTHREAD_STATE`).
    pub state: u8,
    /// Why it waits (`KWAIT_REASON`).
    pub reason: u8,
    /// Mode in which it waits: 0 kernel, 1 user. `None` of versions of the event that do not state it.
    pub mode: Option<u8>,
}

impl Departure {
    /// Returns whether the thread can still run: it was preempted or gave way.
    pub const fn is_ready(&self) -> bool {
        // Ready, standby, deferred ready.
        matches!(self.state, 1 | 3 | 7)
    }

    /// Returns the name of the wait reason, such as `UserRequest`, else its number.
    pub fn reason_name(&self) -> String {
        reason_name(self.reason)
    }
}

/// Returns the name of a wait reason, such as `UserRequest`, else its number.
pub(crate) fn reason_name(reason: u8) -> String {
    Codes::WaitReason.name(reason.into()).map_or_else(|| reason.to_string(), str::to_owned)
}

/// The thread or DPC that made a thread ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Readied {
    /// When.
    pub time: FileTime,
    /// The thread that ran on the processor where it happened; `None` if that was idle or is not known.
    pub by: Option<ThreadId>,
    /// Whether a DPC did it: then the thread was merely interrupted.
    pub is_dpc: bool,
}

impl Readied {
    /// Returns the thread that acted: none if a DPC did.
    pub fn waker(&self) -> Option<ThreadId> {
        self.by.filter(|_| !self.is_dpc)
    }
}

/// A span of time in which a thread, a processor or both did one thing.
///
/// Those that have a processor ([`SliceKind::Running`], [`SliceKind::Idle`], [`SliceKind::Unknown`]) tile the time of
/// each processor; those that have a thread tile the lifetime of each thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// Number of the machine and boot.
    pub machine: u16,
    /// The thread; `None` where a processor was idle or its thread is not known.
    pub thread: Option<ThreadId>,
    /// The processor; `None` of a thread that did not run.
    pub processor: Option<u16>,
    /// When it began.
    pub start: FileTime,
    /// When it ended; not before its begin.
    pub end: FileTime,
    /// What was done.
    pub kind: SliceKind,
    /// Of a thread that did not run: how it left its processor before.
    pub departure: Option<Departure>,
    /// Of a thread that waited or was ready: who made it ready.
    pub readied: Option<Readied>,
    /// [`ScheduleFact::tag`](super::ScheduleFact::tag) of the switch after which the thread runs: of a running slice
    /// the one at its begin, of all others the one that ended the absence. The stack of that event is where the thread
    /// had been waiting.
    pub switch_in: Option<u64>,
    /// Whether events state both ends, wherever a window cuts it. Those of slices at the ends of the trace and beside
    /// losses are not known. A wait ends when its thread is ready, whether the trace has the switch after that or not.
    pub is_complete: bool,
    /// Whether it began before the window that cuts it.
    pub is_begun_before: bool,
}

impl Slice {
    /// Returns how long it lasted, in units of 100 ns.
    pub fn units(&self) -> u64 {
        self.end.0.saturating_sub(self.start.0).max(0) as u64
    }
}
