//! Frames of very many stacks.

use super::frame_slots::{FrameKey, FrameSlots};
use super::{FrameAt, System, When};

/// Looks up frames, and keeps those that were found.
#[derive(Clone, Debug, Default)]
pub struct FrameLookup<'s> {
    slots: FrameSlots<FrameAt<'s>>,
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
        let at = FrameKey { machine: system.machine.number, pid, is_innermost: place == 0, address };
        let find = || system.frame_span(pid, address, place, tick);
        self.slots.of(at, tick, find, |_| true).copied().unwrap_or_else(|| system.frame_at(pid, address, place, when))
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
