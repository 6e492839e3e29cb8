//! What an event states about threads and processors.

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit_analysis::guids::THREAD;
use etwkit_analysis::{Interest, Need};

use super::slice::Departure;

const START: u8 = 1;
const END: u8 = 2;
const RUNDOWNS: [u8; 2] = [3, 4];
const SWITCH: u8 = 36;
const READY: u8 = 50;
/// Of the flags of a ready event: a DPC made the thread ready.
const BY_DPC: i64 = 1;
/// The version of context switches in which flags take the place of the wait mode.
const WITH_FLAGS: u8 = 3;

/// Context switches, ready events, and starts and ends of threads.
pub const INTEREST: Interest = Interest {
    manifest: &[],
    classic: &[(THREAD, &[START, END, 3, 4, SWITCH, READY])],
    need: Need::KernelFlags("PROC_THREAD+LOADER+CSWITCH+DISPATCHER"),
};

/// Context switches: without them nothing is known about what ran.
pub const SWITCHES: Interest =
    Interest { manifest: &[], classic: &[(THREAD, &[SWITCH])], need: Need::KernelFlags("PROC_THREAD+LOADER+CSWITCH") };

/// Ready events.
pub const READIES: Interest = Interest { manifest: &[], classic: &[(THREAD, &[READY])], need: INTEREST.need };

/// A thread as an event names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedThread {
    /// Thread id; 0 is the idle thread of each processor.
    pub tid: u32,
    /// Its process, if known.
    pub pid: Option<u32>,
}

/// The contents of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScheduleChange {
    /// A processor changes from a thread to another one.
    Switch {
        /// The thread that runs from now on.
        new: NamedThread,
        /// The thread that ran until now.
        old: NamedThread,
        /// How that one leaves.
        departure: Departure,
    },
    /// A thread becomes ready.
    Ready {
        /// The thread.
        thread: NamedThread,
        /// Whether a DPC made it ready.
        is_dpc: bool,
    },
    /// A thread starts.
    Start(NamedThread),
    /// A thread ends; it still runs until it is switched out.
    End(NamedThread),
    /// A rundown lists a thread.
    Exists(NamedThread),
}

/// The contents of an event, with its time and place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduleFact {
    /// Time of the event.
    pub time: FileTime,
    /// Number of the machine and boot.
    pub machine: u16,
    /// Processor that wrote it.
    pub processor: u16,
    /// Number of the buffer that it is in, within the trace.
    pub buffer: u32,
    /// Whatever finds the event again: it comes back as [`Slice::switch_in`](super::Slice::switch_in). Here it is the
    /// event's place, the buffer in the upper half and the offset in the lower one; programs may put the number of its
    /// stack there.
    pub tag: u64,
    /// What it states.
    pub change: ScheduleChange,
}

impl ScheduleFact {
    /// Reads an event of [`INTEREST`]; `None` if it has no time or lacks a field.
    pub fn of(event: &Event<'_>) -> Option<Self> {
        let raw = event.raw();
        let opcode = raw.opcode();
        let change = match opcode {
            SWITCH => switch(event)?,
            READY => {
                let flags: i64 = event.get("Flag").unwrap_or(0);
                let thread = named(event, event.get("TThreadId").ok()?);
                ScheduleChange::Ready { thread, is_dpc: flags & BY_DPC != 0 }
            }
            _ => {
                let tid = event.get("TThreadId").ok()?;
                let thread = NamedThread { tid, pid: event.get("ProcessId").ok() };
                match opcode {
                    START => ScheduleChange::Start(thread),
                    END => ScheduleChange::End(thread),
                    _ if RUNDOWNS.contains(&opcode) => ScheduleChange::Exists(thread),
                    _ => return None,
                }
            }
        };
        let place = raw.place();
        Some(Self {
            time: event.time()?,
            machine: event.system().machine.number,
            processor: raw.processor(),
            buffer: place.buffer,
            tag: u64::from(place.buffer) << 32 | u64::from(place.offset),
            change,
        })
    }
}

fn switch(event: &Event<'_>) -> Option<ScheduleChange> {
    let byte = |name| event.get::<i64>(name).ok().map(|number| number as u8);
    let departure = Departure {
        state: byte("OldThreadState")?,
        reason: byte("OldThreadWaitReason")?,
        mode: byte("OldThreadWaitMode").filter(|_| event.raw().version() < WITH_FLAGS),
    };
    let (new, old) = (event.get("NewThreadId").ok()?, event.get("OldThreadId").ok()?);
    Some(ScheduleChange::Switch { new: named(event, new), old: named(event, old), departure })
}

fn named(event: &Event<'_>, tid: u32) -> NamedThread {
    NamedThread { tid, pid: event.system().thread_process_at(tid, event.raw()) }
}
