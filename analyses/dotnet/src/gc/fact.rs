//! What an event says about garbage collections.

use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit_analysis::{Interest, Need};

use crate::origin::{NATIVE, Origin, RUNTIME};

const IDS: &[u16] = &[1, 2, 3, 4, 8, 9, 10];
const EVENTS: &[(Guid, &[u16])] = &[(RUNTIME, IDS), (NATIVE, IDS)];

pub(super) const INTEREST: Interest = Interest {
    manifest: EVENTS,
    classic: &[],
    need: Need::Keywords("Microsoft-Windows-DotNETRuntime with the keyword GC (0x1), level 4"),
};

/// Reasons of a suspension for a collection: `SuspendForGC`, and `SuspendForGCPrep` in the middle of a background one.
const FOR_GC: [u32; 2] = [1, 6];
/// Generations of which `HeapStats` has sizes; versions before 5 of the runtime have four.
const SIZES: [&str; 5] =
    ["GenerationSize0", "GenerationSize1", "GenerationSize2", "GenerationSize3", "GenerationSize4"];
const PROMOTED: [&str; 5] =
    ["TotalPromotedSize0", "TotalPromotedSize1", "TotalPromotedSize2", "TotalPromotedSize3", "TotalPromotedSize4"];

/// What an event says, and who wrote it.
#[derive(Clone, Debug)]
pub struct GcFact {
    pub(super) origin: Origin,
    pub(super) what: What,
}

/// What an event says.
#[derive(Clone, Debug)]
pub(super) enum What {
    /// A thread begins to suspend all others for a collection.
    Suspend,
    /// All others are suspended.
    Suspended,
    /// They run again.
    Restarted,
    Start {
        number: u32,
        generation: u32,
        reason: u32,
        kind: u32,
    },
    Stop {
        number: u32,
    },
    /// Bytes of all generations after a collection, and bytes that it promoted.
    HeapStats {
        heap: u64,
        promoted: u64,
    },
    Allocated(u64),
}

impl GcFact {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        let number = |name: &str| event.get::<u32>(name).ok();
        let sum =
            |names: [&str; 5]| names.iter().filter_map(|name| event.get::<u64>(name).ok()).fold(0, u64::wrapping_add);
        let what = match event.raw().id() {
            9 => FOR_GC.contains(&number("Reason")?).then_some(What::Suspend)?,
            8 => What::Suspended,
            3 => What::Restarted,
            1 => What::Start {
                number: number("Count")?,
                generation: number("Depth").unwrap_or(0),
                reason: number("Reason")?,
                kind: number("Type").unwrap_or(0),
            },
            2 => What::Stop { number: number("Count")? },
            4 => What::HeapStats { heap: sum(SIZES), promoted: sum(PROMOTED) },
            10 => {
                let wide: Option<u64> = event.get("AllocationAmount64").ok();
                What::Allocated(wide.or_else(|| event.get("AllocationAmount").ok())?)
            }
            _ => return None,
        };
        Some(Self { origin: Origin::of(event)?, what })
    }
}
