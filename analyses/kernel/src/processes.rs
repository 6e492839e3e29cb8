//! Processes of a trace, as `TraceProcesses` of TraceEvent lists them.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::guids::{KERNEL_PROCESS, PROCESS};
use etwkit_analysis::{Analysis, Interest, Need, Time};

etwkit_analysis::row! {
    /// A process.
    pub struct ProcessRow {
        /// Process id.
        pid: u32 as Id,
        /// Process id of the parent.
        parent_pid: Option<u32> as Id,
        /// File name of its image.
        process: Option<String> as Text,
        /// Command line.
        command_line: Option<String> as Text,
        /// Time of its start, UTC; absent if it ran before the trace.
        start: Option<Time> as Time,
        /// Time of its end, UTC; absent if it ran on after the trace.
        end: Option<Time> as Time,
        /// Exit status, if it ended.
        exit_status: Option<i32> as Id,
        /// User, as a SID.
        user_sid: Option<String> as Text,
        /// Terminal session.
        session: Option<u32> as Id,
        /// Full name of its application package.
        package: Option<String> as Text,
    }
}

/// The session of processes of the kernel.
const NO_SESSION: u32 = u32::MAX;

/// Lists the processes of a trace. No event is read: the first pass knows them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Processes;

impl Analysis for Processes {
    type Fact = ();
    type Row = ProcessRow;

    const READS_EVENTS: bool = false;

    fn interest() -> Interest {
        // Only counted: the first pass has read them.
        Interest {
            manifest: &[(KERNEL_PROCESS, &[1, 2, 15])],
            classic: &[(PROCESS, &[1, 2, 3, 4, 39])],
            need: Need::KernelFlags("PROC_THREAD"),
        }
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self)
    }

    fn is_answerable(trace: &Trace) -> bool {
        trace.systems().iter().any(|system| system.processes.list().next().is_some())
    }

    fn fact(_: &Event<'_>) -> Option<()> {
        None
    }

    fn step(&mut self, (): (), _: &Trace) {}

    fn finish(self, trace: &Trace) -> Vec<ProcessRow> {
        let processes = trace.systems().iter().flat_map(|system| system.processes.list());
        let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let row = |process: &etwkit::system::Process| {
            let facts = &process.facts;
            ProcessRow {
                pid: facts.pid,
                parent_pid: facts.parent,
                process: text(process.file_name()),
                command_line: text(&facts.command_line),
                start: process.start.map(Time),
                end: process.end.map(Time),
                // Of one that still runs, a rundown at the end has STILL_ACTIVE.
                exit_status: facts.exit_status.filter(|_| process.end.is_some()),
                user_sid: text(&facts.user),
                session: facts.session.filter(|session| *session != NO_SESSION),
                package: text(&facts.package),
            }
        };
        processes.map(|(_, process)| row(process)).collect()
    }
}
