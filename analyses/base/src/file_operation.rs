//! Operations on files, as the kernel's session and the provider `Microsoft-Windows-Kernel-File` write them.

use etwkit::decode::Event;
use etwkit::event::Kind;

/// Opcodes of the kernel's session ([`FILE_IO`](crate::guids::FILE_IO)), but of those events that say again with a path what
/// another one says (78 to 81): they have the IRP of the operation, and begin none.
pub const OPCODES: &[u8] = &[64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, OPERATION_END, DIR_NOTIFY, 82];
/// Ids of the same events of the provider ([`KERNEL_FILE`](crate::guids::KERNEL_FILE)).
pub const IDS: &[u16] = &[12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25];
/// Bytes are read.
pub const READ: u8 = 67;
/// Bytes are written.
pub const WRITE: u8 = 68;
/// An operation ends.
pub const OPERATION_END: u8 = 76;
/// Something waits for a change of a folder.
pub const DIR_NOTIFY: u8 = 77;

/// What opcodes of the kernel's session have more than ids of the provider.
const MORE: u8 = 64 - 12;

/// Returns the opcode of an event of the kernel's session; of one of the provider, that of the same event.
pub fn opcode(event: &Event<'_>) -> Option<u8> {
    let is_classic = event.raw().kind() == Kind::Classic;
    if is_classic { Some(event.opcode()) } else { u8::try_from(event.id()).ok()?.checked_add(MORE) }
}

/// Returns the address of the IRP that an event of an operation states.
pub fn irp(event: &Event<'_>) -> Option<u64> {
    event.get("IrpPtr").or_else(|_| event.get("Irp")).ok()
}

/// What the end of an operation states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// `NTSTATUS`.
    pub status: u32,
    /// What the operation returned: of reads and writes, bytes.
    pub information: u64,
}

impl End {
    /// Reads the event of an end; `None` if it lacks the status.
    pub fn of(event: &Event<'_>) -> Option<Self> {
        let either = |name, other| event.get::<u64>(name).or_else(|_| event.get(other)).ok();
        let status = either("NtStatus", "Status")?;
        Some(Self { status: status as u32, information: either("ExtraInfo", "ExtraInformation").unwrap_or(0) })
    }
}
