//! What an event states about garbage collections.

use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit::trace::Trace;
use etwkit_analysis::guids::{DOT_NET_NATIVE, DOT_NET_RUNTIME, DOT_NET_RUNTIME_PRIVATE};
use etwkit_analysis::{Interest, Need};
use etwkit_kernel_analyses::samples;

use crate::origin::Origin;

use super::heap::HeapStats;
use super::history::HeapHistory;

/// `GC/PerHeapHistory` of the private provider.
const PRIVATE_HISTORY: u16 = 4;
const IDS: &[u16] = &[1, 2, 3, 4, 8, 9, 10, 25, 26, 27, 28, 202, 204];
const OF_RUNTIMES: &[(Guid, &[u16])] = &[(DOT_NET_RUNTIME, IDS), (DOT_NET_NATIVE, IDS)];
const EVENTS: &[(Guid, &[u16])] =
    &[(DOT_NET_RUNTIME, IDS), (DOT_NET_NATIVE, IDS), (DOT_NET_RUNTIME_PRIVATE, &[PRIVATE_HISTORY])];

pub(super) const INTEREST: Interest = Interest {
    manifest: EVENTS,
    classic: samples::INTEREST.classic,
    need: Need::Keywords("Microsoft-Windows-DotNETRuntime with the keyword GC (0x1), level 4"),
};

/// Returns how many events of collections a trace has: samples and private events alone are not enough.
pub(super) fn events_of_collections(trace: &Trace) -> u64 {
    Interest { manifest: OF_RUNTIMES, classic: &[], ..INTEREST }.events(trace)
}

/// Reasons of a suspension for a collection: `SuspendForGC`, and `SuspendForGCPrep` in the middle of a background one.
const FOR_GC: [u32; 2] = [1, 6];
/// Of the event that ends a phase of marking in older runtimes: the first id. The others are in order of the roots.
const MARK_STACK: u16 = 25;

/// The contents of an event, and the process that wrote it.
#[derive(Clone, Debug)]
pub struct GcFact {
    pub(super) origin: Origin,
    pub(super) what: What,
}

/// What an event states.
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
    HeapStats(Box<HeapStats>),
    /// The generations of a heap before and after a collection.
    History(Box<HeapHistory>),
    /// A heap has marked what the roots of a kind keep.
    Marked {
        heap: u32,
        root: u32,
    },
    Allocated(u64),
    /// A sample of a processor.
    Sample,
}

impl GcFact {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        let number = |name: &str| event.get::<u32>(name).ok();
        let history = |is_private| HeapHistory::of(event, is_private).map(|history| What::History(Box::new(history)));
        let what = match event.raw().id() {
            _ if samples::is_sample(event) => samples::is_busy(event).then_some(What::Sample)?,
            PRIVATE_HISTORY if event.raw().provider_guid() == DOT_NET_RUNTIME_PRIVATE => history(true)?,
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
            4 => What::HeapStats(Box::new(HeapStats::of(event))),
            10 => {
                let wide: Option<u64> = event.get("AllocationAmount64").ok();
                What::Allocated(wide.or_else(|| event.get("AllocationAmount").ok())?)
            }
            id @ 25..=28 => What::Marked { heap: number("HeapNum")?, root: (id - MARK_STACK).into() },
            204 => history(false)?,
            202 => What::Marked { heap: number("HeapNum")?, root: number("Type")? },
            _ => return None,
        };
        Some(Self { origin: Origin::of(event)?, what })
    }
}
