//! What an event states about an operation on a file.

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit::event::Kind;
use etwkit_analysis::file_operation::{DIR_NOTIFY, End, IDS, OPCODES, OPERATION_END, READ, WRITE, irp, opcode};
use etwkit_analysis::guids::{FILE_IO, KERNEL_FILE};
use etwkit_analysis::{Interest, Need};
use etwkit_kernel_analyses::{Name, NamedProcess};

use crate::derived::file_name;

/// The events, but those that say again with a path what another one says.
pub(super) const INTEREST: Interest = Interest {
    manifest: &[(KERNEL_FILE, IDS)],
    classic: &[(FILE_IO, OPCODES)],
    need: Need::KernelFlags(
        "PROC_THREAD+FILE_IO+FILE_IO_INIT+FILENAME, or the provider Microsoft-Windows-Kernel-File with the keywords 0x3f0",
    ),
};

/// What an event states about an operation on a file.
#[derive(Clone, Debug)]
pub struct FileFact {
    /// The number of the machine.
    pub(super) machine: u16,
    /// Whether the kernel's own session wrote it.
    pub(super) is_classic: bool,
    pub(super) time: FileTime,
    pub(super) request: Option<Request>,
    pub(super) what: What,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    Begun(Operation),
    Ended(End),
}

/// A request: the machine, and the address of the IRP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Request(u16, u64);

/// An operation that begins.
#[derive(Clone, Debug)]
pub(super) struct Operation {
    pub(super) process: NamedProcess,
    pub(super) tid: Option<u32>,
    pub(super) kind: OperationKind,
    /// Path of the file, if the event or the traced system has it.
    pub(super) file: Name,
    /// Address of the file object.
    pub(super) object: Option<u64>,
    pub(super) offset: Option<u64>,
    /// Bytes that were asked for.
    pub(super) bytes: u64,
}

/// Kinds of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OperationKind {
    Create,
    Cleanup,
    Close,
    Read,
    Write,
    SetInfo,
    Delete,
    Rename,
    DirEnum,
    Flush,
    QueryInfo,
    FsControl,
    DirNotify,
    SetLink,
}

/// The kinds, with their opcodes and names.
const KINDS: [(u8, OperationKind, &str); 14] = [
    (64, OperationKind::Create, "create"),
    (65, OperationKind::Cleanup, "cleanup"),
    (66, OperationKind::Close, "close"),
    (READ, OperationKind::Read, "read"),
    (WRITE, OperationKind::Write, "write"),
    (69, OperationKind::SetInfo, "set_info"),
    (70, OperationKind::Delete, "delete"),
    (71, OperationKind::Rename, "rename"),
    (72, OperationKind::DirEnum, "dir_enum"),
    (73, OperationKind::Flush, "flush"),
    (74, OperationKind::QueryInfo, "query_info"),
    (75, OperationKind::FsControl, "fs_control"),
    (DIR_NOTIFY, OperationKind::DirNotify, "dir_notify"),
    (82, OperationKind::SetLink, "set_link"),
];

impl OperationKind {
    pub(super) fn name(self) -> &'static str {
        KINDS.iter().find(|(_, kind, _)| *kind == self).map_or("", |(.., name)| name)
    }
}

impl FileFact {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        let is_classic = event.raw().kind() == Kind::Classic;
        let opcode = opcode(event)?;
        let what = if opcode == OPERATION_END {
            What::Ended(End::of(event)?)
        } else {
            let (_, kind, _) = KINDS.iter().find(|(known, ..)| *known == opcode)?;
            What::Begun(Operation::of(event, *kind))
        };
        let machine = event.system().machine.number;
        let request = irp(event).map(|irp| Request(machine, irp));
        Some(Self { machine, is_classic, time: event.time()?, request, what })
    }
}

impl Operation {
    fn of(event: &Event<'_>, kind: OperationKind) -> Self {
        Self {
            process: NamedProcess::of(event),
            tid: event.tid(),
            kind,
            file: file_name(event),
            object: event.get("FileObject").ok(),
            offset: event.get("Offset").or_else(|_| event.get("ByteOffset")).ok(),
            bytes: event.get::<u32>("IoSize").map_or(0, u64::from),
        }
    }
}
