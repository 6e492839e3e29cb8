//! What an event states about memory.

use etwkit::decode::Event;
use etwkit::event::Kind;
use etwkit_analysis::guids::{HEAP_TRACE, KERNEL_MEMORY, MEMORY};
use etwkit_analysis::{Interest, Need};
use etwkit_kernel_analyses::NamedProcess;

use super::working_sets::{Sizes, working_sets};

pub(super) const INTEREST: Interest = Interest {
    manifest: &[(KERNEL_MEMORY, &[2])],
    classic: &[(MEMORY, &[98, 99, 125, 128]), (HEAP_TRACE, &[33, 34, 35, 36])],
    need: Need::KernelFlags(
        "PROC_THREAD+VIRT_ALLOC, MEMINFO_WS for working sets, and the heaps of processes for these",
    ),
};

/// What an event states about memory.
#[derive(Clone, Debug)]
pub struct MemoryFact(pub(super) Vec<(NamedProcess, What)>);

#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// A range was reserved or committed.
    Allocated(Range, Flags),
    /// A range was decommitted or released.
    Freed(Range, Flags),
    /// A range that was there when the trace began.
    Existed(Range, Flags),
    /// A block of a heap, with its bytes.
    HeapAllocated(Block, u64),
    /// A block of a heap got another address and size.
    HeapReallocated(Block, Block, u64),
    HeapFreed(Block),
    /// A heap is gone, with all its blocks.
    HeapDestroyed(u64),
    Sizes(Sizes),
}

/// First address and bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) start: u64,
    pub(super) len: u64,
}

/// A block of a heap: the heap's handle, and the address.
pub(super) type Block = (u64, u64);

/// What was done with a range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flags(u32);

impl Flags {
    pub(super) const fn commits(self) -> bool {
        self.0 & 0x1000 != 0
    }

    pub(super) const fn reserves(self) -> bool {
        self.0 & 0x2000 != 0
    }

    pub(super) const fn releases(self) -> bool {
        self.0 & 0x8000 != 0
    }
}

impl MemoryFact {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        let opcode = event.opcode();
        if event.raw().kind() == Kind::Manifest || opcode == 125 {
            let list = working_sets(event).into_iter();
            let owned = |set: Sizes| (NamedProcess::of_pid(event, Some(set.pid)), What::Sizes(set));
            return Some(Self(list.map(owned).collect()));
        }
        let what =
            if event.raw().provider_guid() == HEAP_TRACE { of_heap(event, opcode)? } else { of_range(event, opcode)? };
        // The thread that allocates may be of another process.
        let pid = event.get("ProcessId").ok().or_else(|| event.pid());
        Some(Self(vec![(NamedProcess::of_pid(event, pid), what)]))
    }

    /// Leaves working sets of the processes that conditions choose. Returns whether they choose any of its processes.
    pub(super) fn choose(&mut self, event: &Event<'_>, is_chosen: &dyn Fn((Option<u32>, Option<u32>)) -> bool) -> bool {
        let is_size = |what: &What| matches!(what, What::Sizes(_));
        let tid = event.tid();
        let has = |process: &NamedProcess, what: &What| is_chosen((process.key.pid, tid.filter(|_| !is_size(what))));
        self.0.retain(|(process, what)| !is_size(what) || has(process, what));
        self.0.iter().any(|(process, what)| has(process, what))
    }
}

fn of_range(event: &Event<'_>, opcode: u8) -> Option<What> {
    let range = Range { start: event.get("BaseAddress").ok()?, len: event.get("RegionSize").ok()? };
    let flags = Flags(event.get("Flags").ok()?);
    Some(match opcode {
        98 => What::Allocated(range, flags),
        99 => What::Freed(range, flags),
        _ => What::Existed(range, flags),
    })
}

fn of_heap(event: &Event<'_>, opcode: u8) -> Option<What> {
    let number = |name: &str| event.get::<u64>(name).ok();
    let block = |address: &str| Some((number("HeapHandle")?, number(address)?));
    Some(match opcode {
        33 => What::HeapAllocated(block("AllocAddress")?, number("AllocSize")?),
        34 => What::HeapReallocated(block("OldAllocAddress")?, block("NewAllocAddress")?, number("NewAllocSize")?),
        35 => What::HeapDestroyed(number("HeapHandle")?),
        _ => What::HeapFreed(block("FreeAddress")?),
    })
}
