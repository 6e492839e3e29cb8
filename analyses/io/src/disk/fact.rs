//! What an event states about a transfer.

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit_analysis::guids::DISK_IO;
use etwkit_analysis::opcodes::disk_io::{ALL, FLUSH, READ, STARTS, WRITE};
use etwkit_analysis::{Interest, Need};
use etwkit_kernel_analyses::{Name, NamedProcess};

use crate::derived::{elapsed, file_name};

pub(super) const INTEREST: Interest = Interest {
    manifest: &[],
    classic: &[(DISK_IO, ALL)],
    need: Need::KernelFlags("PROC_THREAD+DISK_IO+DISK_IO_INIT+FILENAME"),
};

/// What an event states about a transfer.
#[derive(Clone, Debug)]
pub struct DiskFact(pub(super) What);

#[derive(Clone, Debug)]
pub(super) enum What {
    /// A thread asked for a transfer, and the event of its end does not state which.
    Begun(Request, Issuer),
    /// A transfer is done.
    Done(Transfer),
}

/// A request to a disk: the machine, and the address of the IRP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Request(u16, u64);

/// Who asked for a transfer.
#[derive(Clone, Debug)]
pub(super) struct Issuer {
    pub(super) process: NamedProcess,
    pub(super) tid: Option<u32>,
}

/// What was asked of a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Read,
    Write,
    Flush,
}

impl Operation {
    pub(super) const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Flush];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Flush => "flush",
        }
    }
}

/// A transfer that is done.
#[derive(Clone, Debug)]
pub(super) struct Transfer {
    pub(super) time: FileTime,
    /// By the event itself.
    pub(super) issuer: Issuer,
    /// The request by which to look for the issuer, if the event does not name it.
    pub(super) request: Option<Request>,
    pub(super) operation: Operation,
    pub(super) disk: Disk,
    pub(super) file: Name,
    pub(super) offset: Option<u64>,
    /// A flush has none.
    pub(super) bytes: Option<u64>,
    /// Milliseconds from the request to the end.
    pub(super) elapsed: Option<f64>,
}

/// A disk: the machine, and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Disk(u16, pub(super) u32);

impl DiskFact {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        let opcode = event.opcode();
        let operation = match opcode {
            READ => Operation::Read,
            WRITE => Operation::Write,
            FLUSH => Operation::Flush,
            _ => return Self::begun(event).filter(|_| STARTS.contains(&opcode)),
        };
        let issuing_thread = issuing_thread(event);
        let issuer = Issuer::of(event, issuing_thread);
        Some(Self(What::Done(Transfer {
            time: event.time()?,
            issuer,
            request: Request::of(event).filter(|_| issuing_thread.is_none()),
            operation,
            disk: Disk(event.system().machine.number, event.get("DiskNumber").ok()?),
            file: file_name(event),
            offset: event.get("ByteOffset").ok(),
            bytes: event.get::<u32>("TransferSize").ok().map(u64::from),
            elapsed: elapsed(event),
        })))
    }

    /// Returns the process and the thread that asked for a transfer, as the event has them.
    pub(super) fn owner(event: &Event<'_>) -> (Option<u32>, Option<u32>) {
        match issuing_thread(event) {
            Some(tid) => (event.system().thread_process_at(tid, event.raw()), Some(tid)),
            None => (event.pid(), event.tid()),
        }
    }

    /// Returns who begins a transfer, unless the event of its end repeats it.
    fn begun(event: &Event<'_>) -> Option<Self> {
        let is_needed = issuing_thread(event).is_none();
        let request = Request::of(event).filter(|_| is_needed)?;
        Some(Self(What::Begun(request, Issuer::of(event, None))))
    }
}

impl Request {
    fn of(event: &Event<'_>) -> Option<Self> {
        Some(Self(event.system().machine.number, event.get("Irp").ok()?))
    }
}

impl Issuer {
    /// Returns the process of a thread; without one, the process that an event is attributed to.
    fn of(event: &Event<'_>, tid: Option<u32>) -> Self {
        match tid {
            Some(tid) => Self { process: NamedProcess::of_thread(event, tid), tid: Some(tid) },
            None => Self { process: NamedProcess::of(event), tid: event.tid() },
        }
    }
}

/// Returns the thread that asked for a transfer: events have it since version 3.
fn issuing_thread(event: &Event<'_>) -> Option<u32> {
    event.get("IssuingThreadId").ok()
}
