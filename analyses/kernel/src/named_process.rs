//! The process that an event is about, with its name.

use etwkit::decode::Event;
use etwkit::system::Process;

use crate::ProcessKey;

/// The process of the kernel and its drivers, among them the server of SMB and HTTP.sys.
const SYSTEM: u32 = 4;

/// A process and the file name of its image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedProcess {
    /// What tells it apart.
    pub key: ProcessKey,
    /// File name of its image; `None` if no event names it.
    pub name: Option<Box<str>>,
}

impl NamedProcess {
    /// Returns the process that an event is attributed to.
    pub fn of(event: &Event<'_>) -> Self {
        Self::of_pid(event, event.pid())
    }

    /// Returns the process that had an id when an event was written. Process 4 is always `System`.
    pub fn of_pid(event: &Event<'_>, pid: Option<u32>) -> Self {
        let system = event.system();
        let process = pid.and_then(|pid| system.process_at(pid, event.raw()));
        let name = process.map(Process::file_name).filter(|name| !name.is_empty());
        let name = name.or_else(|| (pid == Some(SYSTEM)).then_some("System"));
        let key = ProcessKey {
            machine: system.machine.number,
            pid,
            start: process.and_then(|process: &Process| process.start),
        };
        Self { key, name: name.map(Box::from) }
    }

    /// Returns the process whose thread had an id when an event was written.
    pub fn of_thread(event: &Event<'_>, tid: u32) -> Self {
        Self::of_pid(event, event.system().thread_process_at(tid, event.raw()))
    }
}
