//! Time of file operations.

use etwkit::decode::{Event, EventType};
use etwkit::error::Result;
use etwkit::event::Kind;
use etwkit::trace::Trace;
use etwkit_analysis::guids::{FILE_IO, KERNEL_FILE};
use etwkit_analysis::{Interest, KernelSessions, Need};

use super::weigher::file;
use super::{Amount, Counted, Reading, Role, Weigher};
use crate::Unit;

/// What opcodes of the kernel's session have more than ids of the provider.
const MORE: u16 = 64 - 12;
const TRANSFERS: [u8; 2] = [67, 68];
const OPERATION_END: u8 = 76;
const DIR_NOTIFY: u8 = 77;

/// Those of the kernel's session, but those that say again with a path what another one says (78 to 81): they have the
/// IRP of the operation, and begin none.
const INTEREST: Interest = Interest {
    manifest: &[],
    classic: &[(FILE_IO, &[64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, OPERATION_END, DIR_NOTIFY, 82])],
    need: Need::KernelFlags(
        "FILE_IO+FILE_IO_INIT+FILENAME with stack walking of FileCreate, FileRead, FileWrite and others",
    ),
};

/// Those of the provider, which repeats what the kernel's session states.
const OF_PROVIDER: Interest = Interest {
    manifest: &[(KERNEL_FILE, &[12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25])],
    classic: &[],
    need: INTEREST.need,
};

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
        let irp = event.get::<u64>("IrpPtr").or_else(|_| event.get("Irp")).ok()?;
        let opcode = if is_classic { event.raw().opcode() } else { u8::try_from(event.raw().id() + MORE).ok()? };
        if opcode == OPERATION_END {
            let amount = Amount { time: None, size: transferred(event) };
            return Some(Reading { role: Role::EndsKey(irp), amount, ..Reading::default() });
        }
        let counted = match opcode {
            _ if TRANSFERS.contains(&opcode) => Counted::TimeAndBytes,
            DIR_NOTIFY => Counted::Nothing,
            _ => Counted::Time,
        };
        Some(Reading { role: Role::Begins(irp, counted), label: file(event), ..Reading::default() })
    }
}

/// Returns the bytes that an operation transferred: none if it failed.
fn transferred(end: &Event<'_>) -> u64 {
    let either = |name, other| end.get::<u64>(name).or_else(|_| end.get::<u64>(other));
    let is_error = either("NtStatus", "Status").is_ok_and(|status| status & 0xc000_0000 == 0xc000_0000);
    if is_error { 0 } else { either("ExtraInfo", "ExtraInformation").unwrap_or(0) }
}
