//! The machines whose files are reported together.

use etwkit::FileTime;
use etwkit::system::System;
use etwkit::trace::Trace;
use etwkit_windows_analyses::product;

/// A machine from one boot to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TracedMachine {
    /// The computer's name.
    pub(super) computer: Option<String>,
    /// The build of Windows that its files name; `None` if all headers are damaged.
    pub(super) build: Option<u32>,
    pub(super) booted: Option<FileTime>,
    /// The names of its files.
    pub(super) files: Vec<String>,
}

impl TracedMachine {
    /// Returns the product of its build.
    pub(super) fn product(&self) -> Option<&'static str> {
        product(self.build?)
    }
}

/// Returns the machines of a trace, in the order of their first files.
pub(super) fn machines(trace: &Trace) -> Vec<TracedMachine> {
    trace.systems().iter().map(|system| machine(trace, system)).filter(|machine| !machine.files.is_empty()).collect()
}

fn machine(trace: &Trace, system: &System) -> TracedMachine {
    let files: Vec<_> = system.machine.files.iter().filter_map(|id| trace.file(*id)).collect();
    let build = |file: &&etwkit::trace::TraceFile| Some(file.head.log.os_build).filter(|_| !file.head.is_missing());
    TracedMachine {
        computer: system.machine.computer_name.as_deref().map(str::to_owned),
        build: files.iter().find_map(build),
        booted: system.machine.boot_time,
        files: files.iter().map(|file| file.source.name().to_owned()).collect(),
    }
}
