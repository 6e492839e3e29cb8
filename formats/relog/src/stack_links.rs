//! Which stacks belong to events that are kept.

use std::collections::HashSet;

use etwkit::Guid;
use etwkit::event::{RawEvent, known_id};

use crate::hashes::Hashes;
use crate::survey::numbers;

/// Hooks of the group of stack walks (section 7.4 of the format).
const STACK: u16 = 0x1820;
/// Definitions of stack keys: created, deleted, rundown.
const DEFINITIONS: std::ops::RangeInclusive<u16> = 0x1822..=0x1824;
/// A key in place of the frames in the kernel ...
const KERNEL_KEY: u16 = 0x1825;
/// ... and of those in user mode.
const USER_KEY: u16 = 0x1826;

/// The providers of the CLR that write stacks: runtime, rundown, private, stress (section 7.5).
pub(crate) const CLR: [Guid; 4] = [
    Guid::from_u128(0xe13c_0d23_ccbc_4e12_931b_d9cc_2eee_27e4),
    Guid::from_u128(0xa669_021c_c450_4609_a035_5af5_9af4_df18),
    Guid::from_u128(0x763f_d754_7086_4dfe_95eb_c01a_46fa_f4ca),
    Guid::from_u128(0xcc2b_cbba_16b6_4cf3_8990_d74c_2e8a_f500),
];

/// Knows the events that are kept, to find the stacks that belong to them. It may take a stack too many, never one
/// too few.
#[derive(Debug, Default)]
pub(crate) struct StackLinks {
    /// Times of events that are or will be kept: clocks of processors differ, so a walk may come before its event.
    times: Hashes,
    /// Threads with a kept event: a later stack in user mode may be that of this event, too.
    threads: HashSet<u32>,
    /// Threads whose last event of the CLR is kept.
    last_kept: HashSet<u32>,
    /// The numbers by which they carry a part of their stack; another event, before or after, carries the other part.
    numbers: Hashes,
}

impl StackLinks {
    pub(crate) fn of(times: Hashes, numbers: Hashes) -> Self {
        Self { times, numbers, ..Self::default() }
    }

    /// Notes an event that is not a stack. Returns whether it is needed although it is not kept: the stack that the CLR
    /// writes after it is that of each event of its thread with its time.
    pub(crate) fn note(&mut self, event: &RawEvent<'_>, is_kept: bool) -> bool {
        let tid = event.tid().and_then(known_id);
        if is_kept {
            self.threads.extend(tid);
        }
        let Some(tid) = tid.filter(|_| CLR.contains(&event.provider_guid())) else { return false };
        let is_needed = !is_kept && self.times.may_have(event.time().0.cast_unsigned());
        if is_kept || is_needed {
            self.last_kept.insert(tid)
        } else {
            self.last_kept.remove(&tid)
        };
        is_needed
    }

    /// Returns whether an event carries a part of the stack of a kept event.
    pub(crate) fn has_part(&self, event: &RawEvent<'_>) -> bool {
        numbers(event).any(|number| self.numbers.may_have(number))
    }

    /// Returns whether a stack may belong to an event that was kept, or defines a key.
    pub(crate) fn is_linked(&mut self, event: &RawEvent<'_>) -> bool {
        match event.hook() {
            Some(hook) if DEFINITIONS.contains(&hook) => true,
            Some(STACK | KERNEL_KEY | USER_KEY) => self.is_walk_linked(event),
            // The CLR writes a stack after its event, on the same thread.
            _ => event.tid().is_none_or(|tid| self.last_kept.contains(&tid)),
        }
    }

    /// A stack walk begins with the time of its event, a `u32` of the process and one of the thread. A stack in user
    /// mode is also that of the earlier events of its thread for which the kernel's part alone was written.
    fn is_walk_linked(&mut self, event: &RawEvent<'_>) -> bool {
        let payload = event.payload();
        let time = payload.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
        let tid = payload.get(12..16).and_then(|bytes| bytes.first_chunk()).map(|bytes| u32::from_le_bytes(*bytes));
        let (Some(time), Some(tid)) = (time, tid) else { return true };
        if self.times.may_have(time) {
            // Of events whose header has no thread.
            self.threads.insert(tid);
        }
        self.threads.contains(&tid)
    }
}
