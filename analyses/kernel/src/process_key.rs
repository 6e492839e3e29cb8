//! What tells processes apart.

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit::system::Process;

/// The identity of a process in a trace, whose ids are used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessKey {
    /// Number of the machine and boot.
    pub machine: u16,
    /// Process id; `None` of events that no process is known of.
    pub pid: Option<u32>,
    /// Time of its start; `None` if it ran before the trace.
    pub start: Option<FileTime>,
}

impl ProcessKey {
    /// Returns the key of the process that an event is attributed to.
    pub fn of(event: &Event<'_>) -> Self {
        let machine = event.system().machine.number;
        let pid = event.pid();
        let process = pid.and_then(|pid| event.system().process_at(pid, event.raw()));
        Self { machine, pid, start: process.and_then(|process: &Process| process.start) }
    }
}
