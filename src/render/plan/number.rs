//! Where the integer of a field comes from.

use crate::decode::Slots;
use crate::limits;
use crate::schema::Schema;

use super::integer::{Integer, Width};

/// Where an integer is, and its layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub(super) integer: Integer,
    origin: Origin,
    /// The slot in which it is kept, or in which the integer is that it is a part of.
    slot: u8,
    /// The first of its bits.
    first: u8,
    /// Its bits, from the first one on.
    mask: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// The payload; no other field refers to it.
    Payload,
    /// The payload, and it is kept for others.
    Kept,
    /// Some bits of an earlier integer. They take no bytes themselves.
    Bits,
}

impl Number {
    /// An integer of a payload, which has this slot if other fields refer to it.
    pub(super) fn of_payload(integer: Integer, slot: Option<u16>) -> Self {
        let origin = if slot.is_some() { Origin::Kept } else { Origin::Payload };
        let slot = slot.and_then(|slot| u8::try_from(slot).ok()).unwrap_or(u8::MAX);
        Self { integer, origin, slot, first: 0, mask: u64::MAX }
    }

    /// Some bits of an earlier integer. `None` if that is not kept, or if there is no integer of as many bytes as the
    /// bits need.
    pub(super) fn of_bits(schema: &Schema, of: u16, first: u8, count: u8) -> Option<Self> {
        let slot = u8::try_from(schema.fields().get(usize::from(of))?.slot?).ok()?;
        let width = Width::of(count.div_ceil(8).into())?;
        let mask = 1_u64.checked_shl(count.into()).unwrap_or(0).wrapping_sub(1);
        // There are no bits beyond the last one.
        let (first, mask) = if first < 64 { (first, mask) } else { (0, 0) };
        Some(Self { integer: Integer::unsigned(width), origin: Origin::Bits, slot, first, mask })
    }

    /// Returns how many bytes of the payload it takes.
    pub(super) fn bytes(&self) -> usize {
        if self.origin == Origin::Bits { 0 } else { self.integer.width.bytes() }
    }

    /// Returns whether other fields refer to it.
    pub(super) fn is_kept(&self) -> bool {
        self.origin == Origin::Kept
    }

    /// Reads its bits, at the start of `rest` unless they were read before.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "measured: a call costs as much")]
    pub(super) fn read(&self, rest: &[u8], slots: &mut Slots) -> Option<u64> {
        match self.origin {
            Origin::Payload => self.integer.width.read(rest),
            Origin::Kept => {
                let bits = self.integer.width.read(rest)?;
                if let Some(slot) = slots.get_mut(usize::from(self.slot)) {
                    *slot = self.integer.extended(bits);
                }
                Some(bits)
            }
            Origin::Bits => Some(slots.get(usize::from(self.slot))? >> (self.first % 64) & self.mask),
        }
    }
}

const _: () = assert!(limits::MAX_REFERENCES <= u8::MAX as usize, "a slot fits in a byte");
