//! Time of file operations.

use etwkit::bytes::Guid;
use etwkit::decode::{Event, EventType};
use etwkit_analysis::{Interest, Need};

use super::weigher::file;
use super::{Amount, Reading, Role, Weigher};
use crate::Unit;

const FILE_IO: Guid = Guid::from_u128(0x90cbdc39_4a3e_11d1_84f4_0000f80464e3);
const OPERATION_END: u8 = 76;

const INTEREST: Interest = Interest {
    manifest: &[],
    classic: &[(FILE_IO, &[64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, OPERATION_END, 77, 79, 80, 81, 82])],
    need: Need::KernelFlags(
        "FILE_IO+FILE_IO_INIT+FILENAME with stack walking of FileCreate, FileRead, FileWrite and others",
    ),
};

/// File operations: the time from each to its `OperationEnd`, which has the same IRP, and the bytes that are read and
/// written, at the stack of the operation.
#[derive(Clone, Copy, Debug)]
pub struct FileOperations;

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
        INTEREST.has(event_type.key())
    }

    fn read(&self, event: &Event<'_>) -> Option<Reading> {
        let irp = event.get::<u64>("IrpPtr").ok()?;
        if event.raw().opcode() == OPERATION_END {
            return Some(Reading { role: Role::EndsKey(irp), ..Reading::default() });
        }
        let size = event.get::<u64>("IoSize").unwrap_or(0);
        Some(Reading { role: Role::Begins(irp), amount: Amount { time: None, size }, label: file(event) })
    }
}
