//! What was found at addresses of stacks.

use std::ops::RangeInclusive;

/// Keeps what was found at addresses: stacks have few different ones, and things that lie at one address one after the other
/// take long to tell apart.
#[derive(Clone, Debug)]
pub(crate) struct FrameSlots<T> {
    /// Empty until there is a frame.
    slots: Vec<Option<Known<T>>>,
    /// The last one that is not worth its memory.
    other: Option<T>,
}

/// A power of two.
const SLOTS: usize = 1 << 12;

/// What is at an address, at some ticks.
#[derive(Clone, Debug)]
struct Known<T> {
    at: FrameKey,
    ticks: RangeInclusive<i64>,
    value: T,
}

/// An address in a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameKey {
    pub(crate) machine: u16,
    pub(crate) pid: u32,
    /// Whether it is that of the next instruction, and not the one to which a call returns.
    pub(crate) is_innermost: bool,
    pub(crate) address: u64,
}

impl<T> Default for FrameSlots<T> {
    fn default() -> Self {
        Self { slots: Vec::new(), other: None }
    }
}

impl<T> FrameSlots<T> {
    /// Returns what is at an address at a tick. What is not known yet is found, with the ticks for which it holds, and kept
    /// if `is_kept` states so.
    #[inline]
    pub(crate) fn of(
        &mut self,
        at: FrameKey,
        tick: i64,
        find: impl FnOnce() -> (T, RangeInclusive<i64>),
        is_kept: impl FnOnce(&T) -> bool,
    ) -> Option<&T> {
        if self.slots.is_empty() {
            self.slots.resize_with(SLOTS, || None);
        }
        let slot = self.slots.get_mut(at.slot())?;
        if !slot.as_ref().is_some_and(|known| known.at == at && known.ticks.contains(&tick)) {
            let (value, ticks) = find();
            if !is_kept(&value) {
                return Some(self.other.insert(value));
            }
            *slot = Some(Known { at, ticks, value });
        }
        slot.as_ref().map(|known| &known.value)
    }
}

impl FrameKey {
    const fn slot(self) -> usize {
        let mixed = (self.address ^ (self.pid as u64) << 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 48) as usize % SLOTS
    }
}
