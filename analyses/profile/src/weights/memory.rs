//! Memory that native code allocates.

use etwkit::decode::{Event, EventType};
use etwkit_analysis::guids::{HEAP_TRACE, MEMORY};
use etwkit_analysis::{Interest, Need};

use super::{Amount, Reading, Weigher};
use crate::Unit;

const HEAP_ALLOC: u8 = 33;
const HEAP_REALLOC: u8 = 34;
const VIRTUAL_ALLOC: u8 = 98;
/// `MEM_COMMIT` of `winnt.h`.
const COMMIT: u64 = 0x1000;

const HEAP_INTEREST: Interest = Interest {
    manifest: &[],
    classic: &[(HEAP_TRACE, &[HEAP_ALLOC, HEAP_REALLOC])],
    need: Need::KernelFlags(
        "PROC_THREAD+LOADER, and the heap of a process with stack walking of HeapAlloc and HeapRealloc",
    ),
};

const VIRTUAL_INTEREST: Interest = Interest {
    manifest: &[],
    classic: &[(MEMORY, &[VIRTUAL_ALLOC])],
    need: Need::KernelFlags("PROC_THREAD+LOADER+VIRT_ALLOC with stack walking of VirtualAlloc"),
};

/// Blocks of heaps: the bytes that each call asks for. One that grows or shrinks a block is a block of its own, as in the
/// analysis of memory.
#[derive(Clone, Copy, Debug)]
pub struct HeapAllocations;

impl Weigher for HeapAllocations {
    fn title(&self) -> &'static str {
        "allocations of heaps"
    }

    fn units(&self) -> &'static [Unit] {
        &[Unit::Bytes, Unit::Samples]
    }

    fn need(&self) -> Need {
        HEAP_INTEREST.need
    }

    fn reads(&self, event_type: &EventType) -> bool {
        HEAP_INTEREST.has(event_type.key())
    }

    fn read(&self, event: &Event<'_>) -> Option<Reading> {
        let name = if event.opcode() == HEAP_ALLOC { "AllocSize" } else { "NewAllocSize" };
        Some(of_size(event.get(name).ok()?))
    }
}

/// Calls that commit memory (`VirtualAlloc`): the bytes of the range. What was committed already counts again; a call that
/// only reserves addresses weighs nothing.
#[derive(Clone, Copy, Debug)]
pub struct VirtualAllocations;

impl Weigher for VirtualAllocations {
    fn title(&self) -> &'static str {
        "allocations of virtual memory"
    }

    fn units(&self) -> &'static [Unit] {
        &[Unit::Bytes, Unit::Samples]
    }

    fn need(&self) -> Need {
        VIRTUAL_INTEREST.need
    }

    fn reads(&self, event_type: &EventType) -> bool {
        VIRTUAL_INTEREST.has(event_type.key())
    }

    fn read(&self, event: &Event<'_>) -> Option<Reading> {
        let commits = event.get::<u64>("Flags").ok()? & COMMIT != 0;
        if commits { Some(of_size(event.get("RegionSize").ok()?)) } else { None }
    }
}

fn of_size(size: u64) -> Reading {
    Reading { amount: Amount { time: None, size }, ..Reading::default() }
}
