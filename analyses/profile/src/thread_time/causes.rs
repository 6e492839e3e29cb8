//! What threads wait for, as events state it.

use std::collections::VecDeque;

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit::event::EventKey;
use etwkit_analysis::Excess;
use etwkit_analysis::guids::{DISK_IO, DOT_NET_NATIVE, DOT_NET_RUNTIME, KERNEL_NETWORK, MEMORY, TCP_IP, UDP_IP};
use etwkit_analysis::opcodes::disk_io;
use etwkit_analysis::{Interest, Need};
use etwkit_kernel_analyses::schedule::{Slice, Thread};
use hashbrown::HashMap;

use crate::weights::elapsed;

const HARD_FAULT: u8 = 32;
/// Data that was received, of version 4 and of version 6 of IP.
const RECEIVED: &[u8] = &[11, 27];
/// The same of TCP and of UDP.
const RECEIVED_IDS: &[u16] = &[11, 27, 43, 59];
const CONTENTION_START: u16 = 81;
const CONTENTION: &[u16] = &[CONTENTION_START, 91];

/// The events.
pub(super) const CAUSES: Interest = Interest {
    manifest: &[(DOT_NET_RUNTIME, CONTENTION), (DOT_NET_NATIVE, CONTENTION), (KERNEL_NETWORK, RECEIVED_IDS)],
    classic: &[(DISK_IO, disk_io::ALL), (MEMORY, &[HARD_FAULT]), (TCP_IP, RECEIVED), (UDP_IP, RECEIVED)],
    need: Need::KernelFlags("DISK_IO+DISK_IO_INIT+HARD_FAULTS+NETWORKTRACE"),
};

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    Disk,
    Network,
    Page,
    Lock,
}

/// What an event states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CauseFact {
    /// A disk operation begins.
    DiskStart { irp: u64, tid: u32 },
    /// A disk operation ends; events of old versions state neither the thread nor the begin.
    DiskStop { irp: Option<u64>, tid: Option<u32>, since: Option<FileTime> },
    /// A process received data.
    Received { pid: u32 },
    /// A hard fault ends.
    Fault { tid: u32, since: FileTime },
    /// A thread begins to wait for a lock of .NET.
    Contended { tid: u32 },
    /// It has the lock.
    Acquired { tid: u32 },
}

impl CauseFact {
    pub(super) fn of(event: &Event<'_>, key: &EventKey) -> Option<Self> {
        let since = || {
            let units = i64::try_from(elapsed(event)?).ok()?;
            event.time().map(|end| FileTime(end.0.saturating_sub(units)))
        };
        let issuer = || event.get::<u32>("IssuingThreadId").ok();
        let irp = || event.get::<u64>("Irp").ok();
        let fact = match (key.provider, key.opcode) {
            (DISK_IO, opcode) if disk_io::STARTS.contains(&opcode) => {
                Self::DiskStart { irp: irp()?, tid: issuer().or_else(|| event.tid())? }
            }
            (DISK_IO, _) => Self::DiskStop { irp: irp(), tid: issuer(), since: since() },
            (MEMORY, _) => Self::Fault { tid: event.tid()?, since: since()? },
            // The header has the process that ran when the data arrived.
            (TCP_IP | UDP_IP | KERNEL_NETWORK, _) => {
                Self::Received { pid: event.get("PID").ok().or_else(|| event.pid())? }
            }
            _ if key.id == CONTENTION_START => Self::Contended { tid: event.tid()? },
            _ => Self::Acquired { tid: event.tid()? },
        };
        Some(fact)
    }
}

/// A span of time in which a thread waited for something, if it waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Delay {
    pub(super) tid: u32,
    pub(super) since: FileTime,
    pub(super) until: FileTime,
    pub(super) cause: Cause,
}

/// Entries that are kept of each kind.
const MOST: usize = 1 << 20;
/// Times at which a process received data that are kept.
const RECENT: usize = 32;
/// A wait ends because of data that arrived so long before, in units of 100 ns: `PerfView`'s 5 ms.
const SOON: i64 = 50_000;
/// What a wait may be longer than the disk operation, in units of 100 ns, beside a fifth of it: `PerfView`'s 0.1 ms.
const TOLERANCE: i64 = 1_000;

/// Wait reasons (`KWAIT_REASON`) of page faults: `PageIn`, `WrPageIn`, `WrPhysicalFault`.
const PAGE_REASONS: [u8; 3] = [2, 9, 39];
/// Those of locks of the kernel: `WrResource`, `WrPushLock`, `WrMutex`, `WrFastMutex`, `WrGuardedMutex`.
const LOCK_REASONS: [u8; 5] = [27, 28, 29, 34, 35];

/// What threads may wait for, by machine.
#[derive(Clone, Debug, Default)]
pub(super) struct Causes {
    /// Disk operations that have begun, by IRP: thread and time.
    issued: HashMap<(u16, u64), (u32, FileTime)>,
    /// The last disk operation of each thread.
    disk: HashMap<(u16, u32), (FileTime, FileTime)>,
    /// When each process last received data, some times: a wait may have ended before the last one.
    received: HashMap<(u16, u32), VecDeque<FileTime>>,
    /// Since when each thread waits for a lock.
    contended: HashMap<(u16, u32), FileTime>,
    excess: Excess,
}

impl Causes {
    /// Takes what an event states. Returns a delay whose waits have been before.
    pub(super) fn take(&mut self, machine: u16, now: FileTime, fact: CauseFact) -> Option<Delay> {
        let excess = &mut self.excess;
        match fact {
            CauseFact::DiskStart { irp, tid } => keep(&mut self.issued, (machine, irp), (tid, now), excess),
            CauseFact::DiskStop { irp, tid, since } => {
                let begun = irp.and_then(|irp| self.issued.remove(&(machine, irp)));
                let tid = tid.or(begun.map(|(tid, _)| tid))?;
                let since = begun.map(|(_, since)| since).or(since)?;
                keep(&mut self.disk, (machine, tid), (since, now), excess);
            }
            CauseFact::Received { pid } => self.receive((machine, pid), now),
            CauseFact::Contended { tid } => keep(&mut self.contended, (machine, tid), now, excess),
            CauseFact::Fault { tid, since } => return Some(Delay { tid, since, until: now, cause: Cause::Page }),
            CauseFact::Acquired { tid } => {
                let since = self.contended.remove(&(machine, tid))?;
                return Some(Delay { tid, since, until: now, cause: Cause::Lock });
            }
        }
        None
    }

    fn receive(&mut self, process: (u16, u32), now: FileTime) {
        match self.received.get_mut(&process) {
            Some(times) => {
                if times.len() == RECENT {
                    times.pop_front();
                }
                times.push_back(now);
            }
            None => keep(&mut self.received, process, VecDeque::from([now]), &mut self.excess),
        }
    }

    /// Returns whether data arrived for a process in the last milliseconds of a wait.
    fn has_received(&self, process: (u16, u32), wait: &Slice) -> bool {
        let is_in =
            |time: &FileTime| (wait.start..=wait.end).contains(time) && wait.end.0.saturating_sub(time.0) < SOON;
        self.received.get(&process).is_some_and(|times| times.iter().any(is_in))
    }

    /// Returns how many operations, messages and locks had no room.
    pub(super) const fn excess(&self) -> u64 {
        self.excess.count()
    }

    /// Returns what a thread waited for in a slice, as far as the events until its end state it.
    pub(super) fn of(&self, wait: &Slice, thread: &Thread) -> Option<Cause> {
        let reason = wait.departure.map(|departure| departure.reason);
        let is = |reasons: &[u8]| reason.is_some_and(|reason| reasons.contains(&reason));
        let disk = self.disk.get(&(wait.machine, thread.tid));
        let has_received = || thread.pid.is_some_and(|pid| self.has_received((wait.machine, pid), wait));
        if is(&PAGE_REASONS) {
            Some(Cause::Page)
        } else if disk.is_some_and(|(since, until)| covers(*since, *until, wait)) {
            Some(Cause::Disk)
        } else if is(&LOCK_REASONS) {
            Some(Cause::Lock)
        } else if has_received() {
            Some(Cause::Network)
        } else {
            None
        }
    }
}

/// Returns whether a span of time covers a wait but for a small part.
fn covers(since: FileTime, until: FileTime, wait: &Slice) -> bool {
    let common = until.0.min(wait.end.0).saturating_sub(since.0.max(wait.start.0));
    let length = wait.end.0.saturating_sub(wait.start.0);
    common > 0 && length.saturating_sub(common) <= length / 5 + TOLERANCE
}

/// Keeps a value while there is room.
fn keep<K: std::hash::Hash + Eq, V>(map: &mut HashMap<K, V>, key: K, value: V, excess: &mut Excess) {
    if map.contains_key(&key) || excess.admits(map.len(), MOST) {
        map.insert(key, value);
    }
}
