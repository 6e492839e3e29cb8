//! Memory that .NET allocates.

use etwkit::decode::{Event, EventType};
use etwkit_analysis::guids::{DOT_NET_NATIVE, DOT_NET_RUNTIME};
use etwkit_analysis::{Interest, Need};

use super::{Amount, Reading, Weigher};
use crate::Unit;

const IDS: &[u16] = &[ALLOCATION_TICK, 20, 32];
const ALLOCATION_TICK: u16 = 10;

const INTEREST: Interest = Interest {
    manifest: &[(DOT_NET_RUNTIME, IDS), (DOT_NET_NATIVE, IDS)],
    classic: &[],
    need: Need::Keywords(
        "Microsoft-Windows-DotNETRuntime with the keyword GC (0x1), level 5 (AllocationTick), or with \
         GCSampledObjectAllocationHigh (0x200000) or Low (0x2000000)",
    ),
};

/// Memory that .NET allocates: bytes of `GC/AllocationTick`, one event about each 100 KB, and of
/// `GC/SampledObjectAllocation`. A trace with both counts by the latter, which states more; the weight of one event is
/// that of all objects since the one before it.
#[derive(Clone, Copy, Debug)]
pub struct Allocations {
    by_samples: bool,
}

impl Allocations {
    /// Decides by which of the two events a trace is weighed.
    pub fn new(trace: &etwkit::trace::Trace) -> Self {
        let is_sample = |row: &&EventType| INTEREST.has(row.key()) && row.key().id != ALLOCATION_TICK;
        Self { by_samples: trace.types().iter().filter(is_sample).any(|row| row.events() > 0) }
    }
}

impl Weigher for Allocations {
    fn title(&self) -> &'static str {
        "allocations"
    }

    fn units(&self) -> &'static [Unit] {
        &[Unit::Bytes, Unit::Samples]
    }

    fn need(&self) -> Need {
        INTEREST.need
    }

    fn reads(&self, event_type: &EventType) -> bool {
        let key = event_type.key();
        INTEREST.has(key) && (key.id != ALLOCATION_TICK) == self.by_samples
    }

    fn read(&self, event: &Event<'_>) -> Option<Reading> {
        let number = |name| event.get::<u64>(name).ok();
        let size = if self.by_samples {
            number("TotalSizeForTypeSample")?
        } else {
            // The 32-bit field is that of old runtimes, and wraps for large objects.
            number("AllocationAmount64").or_else(|| number("AllocationAmount"))?
        };
        let name = event.get::<&str>("TypeName").ok().filter(|name| !name.is_empty());
        let label = match (name, number("TypeID")) {
            (Some(name), _) => Some(format!("Type {name}").into()),
            (None, Some(id)) => Some(format!("Type {id:#x}").into()),
            (None, None) => None,
        };
        Some(Reading { amount: Amount { time: None, size }, label, ..Reading::default() })
    }
}
