//! Frames of very many stacks.

use std::ops::RangeInclusive;

use super::{FrameAt, System, When};

/// Looks up frames, and keeps those that were found: stacks have few different ones, and things that lie at one address
/// one after the other take long to tell apart.
#[derive(Clone, Debug, Default)]
pub struct FrameLookup<'s> {
    /// Empty until there is a frame.
    slots: Vec<Option<Known<'s>>>,
}

/// A power of two.
const SLOTS: usize = 1 << 12;

/// What is at an address of a process, at some ticks.
#[derive(Clone, Debug)]
struct Known<'s> {
    at: Place,
    ticks: RangeInclusive<i64>,
    frame: FrameAt<'s>,
}

/// An address in a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    machine: u16,
    pid: u32,
    is_innermost: bool,
    address: u64,
}

impl<'s> FrameLookup<'s> {
    /// Returns what [`System::frame_at`] does. All systems must be those of one trace.
    pub fn frame_at(
        &mut self,
        system: &'s System,
        pid: u32,
        address: u64,
        place: usize,
        when: impl Into<When>,
    ) -> FrameAt<'s> {
        let when = when.into();
        let ticks = system.ticks(when).filter(|ticks| ticks.first == ticks.last);
        let Some(tick) = ticks.map(|ticks| ticks.first) else { return system.frame_at(pid, address, place, when) };
        if self.slots.is_empty() {
            self.slots.resize_with(SLOTS, || None);
        }
        let at = Place { machine: system.machine.number, pid, is_innermost: place == 0, address };
        let mixed = (address ^ u64::from(pid) << 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let find = || {
            let (frame, ticks) = system.frame_span(pid, address, place, tick);
            Known { at, ticks, frame }
        };
        match self.slots.get_mut((mixed >> 48) as usize % SLOTS) {
            Some(Some(known)) if known.at == at && known.ticks.contains(&tick) => known.frame,
            Some(slot) => slot.insert(find()).frame,
            None => find().frame,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileTime;
    use crate::system::images::Images;
    use crate::system::timeline::{Moment, Timeline};
    use crate::system::{Image, Machine, StateBudget};

    #[test]
    fn what_is_kept_holds_for_its_ticks_only() {
        // Its ticks are times.
        let timeline = Timeline::new(&Machine::default(), <_>::default(), <_>::default(), false);
        let mut system = System { timeline, ..System::default() };
        let mut budget = StateBudget::default();
        let moment = |tick| Moment { tick, time: None };
        for (tick, path) in [(10, "first.dll"), (20, "second.dll")] {
            system.images.load(moment(tick), 7.into(), Image::new(7, 0x1000, 0x100, path), &mut budget);
        }
        system.images.freeze(Images::default());
        let mut lookup = FrameLookup::default();
        for time in [9, 10, 19, 20, 19, 9, 30] {
            for (place, pid) in [(0, 7), (1, 7), (1, 8)] {
                let when = FileTime(time);
                let expected = system.frame_at(pid, 0x1080, place, when);
                assert_eq!(lookup.frame_at(&system, pid, 0x1080, place, when), expected, "{time}");
                assert_eq!(expected.image.is_some(), time >= 10 && pid == 7);
            }
        }
    }
}
