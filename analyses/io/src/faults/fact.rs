//! What an event states about a page fault.

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit_analysis::guids::MEMORY;
use etwkit_analysis::{Interest, Need};
use etwkit_kernel_analyses::{Name, NamedProcess};

use crate::derived::{elapsed, file_name};

const HARD_FAULT: u8 = 32;

pub(super) const INTEREST: Interest = Interest {
    manifest: &[],
    classic: &[(MEMORY, &[10, 11, 12, 13, 14, 15, HARD_FAULT])],
    need: Need::KernelFlags("PROC_THREAD+HARD_FAULTS+FILENAME, and ALL_FAULTS for those without a read"),
};

/// A page fault.
#[derive(Clone, Debug)]
pub struct FaultFact {
    pub(super) process: NamedProcess,
    pub(super) fault: Fault,
}

/// A page fault.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    /// A page was read from a disk.
    Hard(HardFault),
    /// Another event states what kind of fault it was.
    Soft(Kind),
}

/// A fault for which a page was read from a disk.
#[derive(Clone, Debug)]
pub(super) struct HardFault {
    pub(super) time: FileTime,
    pub(super) tid: Option<u32>,
    pub(super) file: Name,
    pub(super) offset: Option<u64>,
    pub(super) address: Option<u64>,
    pub(super) bytes: u64,
    /// Milliseconds from the fault to the end of the read.
    pub(super) elapsed: Option<f64>,
}

/// Kinds of faults, by their opcodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Transition,
    DemandZero,
    CopyOnWrite,
    GuardPage,
    HardMemory,
    AccessViolation,
}

impl FaultFact {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        let kind = match event.opcode() {
            10 => Kind::Transition,
            11 => Kind::DemandZero,
            12 => Kind::CopyOnWrite,
            13 => Kind::GuardPage,
            14 => Kind::HardMemory,
            15 => Kind::AccessViolation,
            _ => return Self::hard(event),
        };
        Some(Self { process: NamedProcess::of(event), fault: Fault::Soft(kind) })
    }

    fn hard(event: &Event<'_>) -> Option<Self> {
        let tid: Option<u32> = event.get("TThreadId").ok();
        let process = tid.map_or_else(|| NamedProcess::of(event), |tid| NamedProcess::of_thread(event, tid));
        let fault = Fault::Hard(HardFault {
            time: event.time()?,
            tid,
            file: file_name(event),
            offset: event.get("ReadOffset").ok(),
            address: event.get("VirtualAddress").ok(),
            bytes: event.get::<u32>("ByteCount").map_or(0, u64::from),
            elapsed: elapsed(event),
        });
        Some(Self { process, fault })
    }
}
