//! The process and the name of a thread.

use etwkit::FileTime;
use etwkit::system::{Process, System};
use etwkit::trace::Trace;

use crate::ProcessKey;
use crate::schedule::Thread;

/// The process and the name of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ThreadOwner {
    pub(crate) key: ProcessKey,
    pub(crate) process: Option<String>,
    pub(crate) name: Option<String>,
}

impl ThreadOwner {
    pub(crate) fn of(thread: &Thread, trace: &Trace) -> Self {
        let system = system(thread.machine, trace);
        let process = thread.pid.zip(system).and_then(|(pid, system)| system.process_at(pid, thread.seen));
        let file_name = process.map(|process| process.file_name().to_owned());
        let last = thread.end.unwrap_or(FileTime(i64::MAX));
        Self {
            key: ProcessKey {
                machine: thread.machine,
                pid: thread.pid,
                start: process.and_then(|process: &Process| process.start),
            },
            process: file_name.filter(|name| !name.is_empty()),
            name: system.and_then(|system| system.thread_name_at(thread.tid, last)).map(str::to_owned),
        }
    }
}

/// Returns the system of a machine.
pub(crate) fn system(machine: u16, trace: &Trace) -> Option<&System> {
    trace.systems().iter().find(|system| system.machine.number == machine)
}
