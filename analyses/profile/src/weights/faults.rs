//! Hard page faults.

use etwkit::decode::{Event, EventType};
use etwkit_analysis::guids::MEMORY;
use etwkit_analysis::{Interest, Need};

use super::weigher::{elapsed, file};
use super::{Amount, Reading, Role, Weigher};
use crate::Unit;

const HARD_FAULT: u8 = 32;

const INTEREST: Interest = Interest {
    manifest: &[],
    classic: &[(MEMORY, &[HARD_FAULT])],
    need: Need::KernelFlags("HARD_FAULTS+FILENAME with stack walking of HardFault"),
};

/// Hard page faults: the time that a thread waited for its page, and the bytes that were read for it.
#[derive(Clone, Copy, Debug)]
pub struct HardFaults;

impl Weigher for HardFaults {
    fn title(&self) -> &'static str {
        "hard faults"
    }

    fn units(&self) -> &'static [Unit] {
        &[Unit::Time, Unit::Bytes, Unit::Samples]
    }

    fn need(&self) -> Need {
        INTEREST.need
    }

    fn reads(&self, event_type: &EventType) -> bool {
        INTEREST.has(event_type.key())
    }

    fn read(&self, event: &Event<'_>) -> Option<Reading> {
        let size = event.get::<u64>("ByteCount").unwrap_or(0);
        let amount = Amount { time: Some(elapsed(event).unwrap_or(0)), size };
        Some(Reading { role: Role::Ends, amount, label: file(event), ..Reading::default() })
    }
}
