//! Time of disk operations.

use etwkit::decode::{Event, EventType};
use etwkit_analysis::guids::DISK_IO;
use etwkit_analysis::opcodes::disk_io::{ALL, STARTS};
use etwkit_analysis::{Interest, Need};

use super::weigher::{elapsed, file};
use super::{Amount, Counted, Reading, Role, Weigher};
use crate::Unit;

const INTEREST: Interest = Interest {
    manifest: &[],
    classic: &[(DISK_IO, ALL)],
    need: Need::KernelFlags(
        "DISK_IO+DISK_IO_INIT+FILENAME with stack walking of DiskReadInit+DiskWriteInit+DiskFlushInit",
    ),
};

/// Disk operations: the time from the start to the completion of each, and its bytes, at the stack that issued it. That
/// is the stack of the `Init` event with the same IRP; completions have none of their own.
#[derive(Clone, Copy, Debug)]
pub struct DiskOperations;

impl Weigher for DiskOperations {
    fn title(&self) -> &'static str {
        "disk operations"
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

    fn joins_events(&self) -> bool {
        true
    }

    fn read(&self, event: &Event<'_>) -> Option<Reading> {
        let irp = event.get::<u64>("Irp").ok();
        // The header has the thread that the disk or another processor interrupted.
        let tid = event.get::<u32>("IssuingThreadId").ok();
        if STARTS.contains(&event.raw().opcode()) {
            return Some(Reading { role: Role::Begins(irp?, Counted::TimeAndBytes), tid, ..Reading::default() });
        }
        // Version 1 has no IRP.
        let role = irp.map_or(Role::Ends, Role::EndsKey);
        let size = event.get::<u64>("TransferSize").unwrap_or(0);
        Some(Reading { role, amount: Amount { time: elapsed(event), size }, tid, label: file(event) })
    }
}
