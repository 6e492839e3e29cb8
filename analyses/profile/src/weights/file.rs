//! Time of file operations.

use etwkit::decode::{Event, EventType};
use etwkit::error::Result;
use etwkit::event::Kind;
use etwkit::trace::Trace;
use etwkit_analysis::file_operation::{DIR_NOTIFY, End, IDS, OPCODES, OPERATION_END, READ, WRITE, irp, opcode};
use etwkit_analysis::guids::{FILE_IO, KERNEL_FILE};
use etwkit_analysis::{Interest, KernelSessions, Need, is_error};

use super::weigher::file;
use super::{Amount, Counted, Reading, Role, Weigher};
use crate::Unit;

/// Those of the kernel's session.
const INTEREST: Interest = Interest {
    manifest: &[],
    classic: &[(FILE_IO, OPCODES)],
    need: Need::KernelFlags(
        "FILE_IO+FILE_IO_INIT+FILENAME with stack walking of FileCreate, FileRead, FileWrite and others",
    ),
};

/// Those of the provider, which repeats what the kernel's session states.
const OF_PROVIDER: Interest = Interest { manifest: &[(KERNEL_FILE, IDS)], classic: &[], need: INTEREST.need };

/// File operations: the time from each to its `OperationEnd`, which has the same IRP, and the bytes that were read and
/// written, at the stack of the operation. To wait until a folder changes (`DirNotify`) is not work and does not count.
///
/// It reads the events of the kernel's session; of machines without them, those of the provider
/// `Microsoft-Windows-Kernel-File`.
#[derive(Clone, Debug)]
pub struct FileOperations {
    sessions: KernelSessions,
}

impl FileOperations {
    /// Looks for the events of a trace.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace cannot be read.
    pub fn new(trace: &Trace) -> Result<Self> {
        Ok(Self { sessions: KernelSessions::of(INTEREST, trace)? })
    }
}

impl Weigher for FileOperations {
    fn title(&self) -> &'static str {
        "file operations"
    }

    fn units(&self) -> &'static [Unit] {
        &[Unit::Time, Unit::Bytes, Unit::Samples]
    }

    fn need(&self) -> Need {
        INTEREST.need
    }

    fn reads(&self, event_type: &EventType) -> bool {
        INTEREST.has(event_type.key()) || OF_PROVIDER.has(event_type.key())
    }

    fn joins_events(&self) -> bool {
        true
    }

    fn read(&self, event: &Event<'_>) -> Option<Reading> {
        let is_classic = event.raw().kind() == Kind::Classic;
        if !self.sessions.count(event.system().machine.number, is_classic) {
            return None;
        }
        let (irp, opcode) = (irp(event)?, opcode(event)?);
        if opcode == OPERATION_END {
            let amount = Amount { time: None, size: transferred(event) };
            return Some(Reading { role: Role::EndsKey(irp), amount, ..Reading::default() });
        }
        let counted = match opcode {
            READ | WRITE => Counted::TimeAndBytes,
            DIR_NOTIFY => Counted::Nothing,
            _ => Counted::Time,
        };
        Some(Reading { role: Role::Begins(irp, counted), label: file(event), ..Reading::default() })
    }
}

/// Returns the bytes that an operation transferred: none if it failed.
fn transferred(end: &Event<'_>) -> u64 {
    End::of(end).filter(|end| !is_error(end.status)).map_or(0, |end| end.information)
}
