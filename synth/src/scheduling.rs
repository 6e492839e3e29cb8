//! Payloads of the scheduler's events: threads, context switches, ready events, DPCs and interrupts, counters, marks
//! (section 14).

use crate::event::{PointerSize, SystemEvent};
use crate::payload::Payload;

/// How a thread leaves its processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaves {
    /// `KTHREAD_STATE`.
    pub state: u8,
    /// `KWAIT_REASON`.
    pub reason: u8,
    /// 0 kernel, 1 user.
    pub mode: u8,
}

impl Leaves {
    /// It waits.
    pub const fn waiting(reason: u8, mode: u8) -> Self {
        Self { state: 5, reason, mode }
    }

    /// Another thread takes the processor.
    pub const fn preempted() -> Self {
        Self { state: 1, reason: 32, mode: 0 }
    }

    /// It ends.
    pub const fn terminated() -> Self {
        Self { state: 4, reason: 22, mode: 0 }
    }

    /// The idle thread.
    pub const fn idle() -> Self {
        Self { state: 2, reason: 0, mode: 0 }
    }
}

/// Hooks 0x0501-0x0504, version 3: a thread (start, end, rundowns).
pub fn thread(size: PointerSize, hook: u16, pid: u32, tid: u32, start: u64) -> SystemEvent {
    let ids = Payload::new().u32(pid).u32(tid);
    let stacks = ids.ptr(size, 0xffff_d000_0000_6000).ptr(size, 0xffff_d000_0000_0000).ptr(size, 0).ptr(size, 0);
    let rest = stacks.ptr(size, 0xf).ptr(size, start).ptr(size, 0).u32(0).u8(8).u8(5).u8(2).u8(0);
    SystemEvent::system(size, hook).version(3).payload(rest)
}

/// Hook 0x0524, version 2: a processor changes from a thread to another.
pub fn context_switch(size: PointerSize, new: u32, old: u32, leaves: Leaves) -> SystemEvent {
    let priorities = Payload::new().u32(new).u32(old).u8(8).u8(8).u8(0).u8(0);
    let payload = priorities.u8(leaves.reason).u8(leaves.mode).u8(leaves.state).u8(0).u32(1).u32(0);
    SystemEvent::perfinfo(size, 0x0524).payload(payload)
}

/// Hook 0x0532: a thread becomes ready; `by_dpc` states that a DPC made it so.
pub fn ready(size: PointerSize, tid: u32, by_dpc: bool) -> SystemEvent {
    SystemEvent::perfinfo(size, 0x0532).payload(Payload::new().u32(tid).u8(1).u8(0).u8(u8::from(by_dpc)).u8(0))
}

/// Hooks 0x0f42 threaded, 0x0f44 ordinary, 0x0f45 of a timer: a DPC that began at raw time `began`.
pub fn dpc(size: PointerSize, hook: u16, began: i64, routine: u64) -> SystemEvent {
    SystemEvent::perfinfo(size, hook).payload(Payload::new().i64(began).ptr(size, routine))
}

/// Hook 0x0f43: an interrupt that began at raw time `began`.
pub fn interrupt(size: PointerSize, began: i64, routine: u64, vector: u16) -> SystemEvent {
    let payload = Payload::new().i64(began).ptr(size, routine).u8(1).u16(vector).u8(0);
    SystemEvent::perfinfo(size, 0x0f43).payload(payload)
}

/// Hook 0x0f2f: a sample of a hardware counter.
pub fn counter_sample(size: PointerSize, ip: u64, tid: u32, source: u16) -> SystemEvent {
    SystemEvent::perfinfo(size, 0x0f2f).payload(Payload::new().ptr(size, ip).u32(tid).u16(source).u16(0))
}

/// Hook 0x0f49: the interval of the timer's samples, in units of 100 ns.
pub fn sample_interval(size: PointerSize, units: u32) -> SystemEvent {
    SystemEvent::perfinfo(size, 0x0f49).payload(Payload::new().u32(0).u32(units).u32(units))
}

/// Hook 0x0f22: a mark.
pub fn mark(size: PointerSize, text: &str) -> SystemEvent {
    SystemEvent::perfinfo(size, 0x0f22).payload(Payload::new().ansi_z(text))
}
