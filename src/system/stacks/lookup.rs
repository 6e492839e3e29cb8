//! Which parts and frames belong to an event.

use std::ops::Range;

use crate::limits;

use super::{Frames, MissingFrames, OwnerAt, StackCounts, Stacks};

impl Stacks {
    /// Hands the frames of an event's stack to `each`, innermost first. The event is that of a tick, of a thread if its
    /// header or payload names one, on a processor. `None` if no stack belongs to it; else the process of the stack,
    /// `u32::MAX` if it is not known, and what is missing.
    pub(crate) fn of_event(
        &self,
        tick: i64,
        tid: Option<u32>,
        cpu: u16,
        mut each: impl FnMut(u64),
    ) -> Option<(u32, Option<MissingFrames>)> {
        let parts = self.entries.get(self.parts(tick, tid, cpu)?)?;
        let mut missing = None;
        // Those beyond the limit are refused: one of them stands for all.
        for entry in parts.iter().take(limits::MAX_LINKED + 1) {
            match self.frames(entry.frames) {
                Ok(frames) => frames.iter().copied().for_each(&mut each),
                Err(why) => missing = Some(why),
            }
        }
        Some((parts.first()?.of.pid, missing))
    }

    /// Hands the frames that a key stood for at a tick to `each`. Returns why they are missing, if they are.
    pub(crate) fn of_key(&self, key: u64, tick: i64, each: impl FnMut(u64)) -> Option<MissingFrames> {
        match self.frames(Frames::Key(key, tick)) {
            Ok(frames) => {
                frames.iter().copied().for_each(each);
                None
            }
            Err(why) => Some(why),
        }
    }

    /// Hands the frames of all parts with this number and thread to `each`, the kernel's first. Returns whether a part
    /// is missing.
    pub(crate) fn linked(&self, number: u64, tid: Option<u32>, mut each: impl FnMut(u64)) -> Option<MissingFrames> {
        self.linked.each(number, tid, |frames| self.interned.get(frames).iter().copied().for_each(&mut each))
    }

    /// Returns the places of the parts that belong to an event, among all in their order.
    pub(crate) fn parts(&self, tick: i64, tid: Option<u32>, cpu: u16) -> Option<Range<usize>> {
        let all = self.at(tick);
        if all.is_empty() {
            return None;
        }
        // The writer of the event is not always known: then it is the thread whose stack was taken on the same processor.
        let owner = match tid {
            Some(tid) => tid,
            None => self.thread_on(all.clone(), cpu)?,
        };
        let here = self.entries.get(all.clone())?;
        let first = here.partition_point(|entry| entry.of.tid < owner);
        let end = here.partition_point(|entry| entry.of.tid <= owner);
        (first < end).then_some(all.start + first..all.start + end)
    }

    /// Returns the places of the parts that belong to events of a tick.
    #[inline]
    pub(crate) fn at(&self, tick: i64) -> Range<usize> {
        let near = self.ticks.near(tick);
        let entries = self.entries.get(near.clone()).unwrap_or_default();
        let start = near.start + entries.partition_point(|entry| entry.of.tick < tick);
        let count =
            self.entries.get(start..near.end).unwrap_or_default().partition_point(|entry| entry.of.tick == tick);
        start..start + count
    }

    /// Returns the events that the parts belong to, in the order of the parts.
    pub(crate) fn owners(&self) -> impl Iterator<Item = OwnerAt> {
        self.entries.iter().map(|entry| entry.of)
    }

    /// Returns counts for a report.
    pub fn counts(&self) -> StackCounts {
        let lacking =
            |why| self.entries.iter().filter(|entry| self.frames(entry.frames).err() == Some(why)).count() as u64;
        StackCounts {
            parts: self.entries.len() as u64 + self.refused,
            refused: self.refused + lacking(MissingFrames::TooMany),
            undefined: lacking(MissingFrames::NoDefinition),
            distinct: self.interned.len() as u64,
            refused_definitions: self.definitions.refused(),
            ownerless: self.ownerless,
        }
    }

    /// Returns the first thread with a stack that was taken on a processor, at the tick of these parts.
    fn thread_on(&self, all: Range<usize>, cpu: u16) -> Option<u32> {
        // The parts of a tick are at the same places here, in another order.
        let places = self.by_processor.get(all)?;
        let of = |place: &u32| self.entries.get(*place as usize).map(|entry| entry.of);
        let first = places.partition_point(|place| of(place).is_some_and(|of| of.cpu < cpu));
        of(places.get(first)?).filter(|of| of.cpu == cpu).map(|of| of.tid)
    }

    fn frames(&self, frames: Frames) -> Result<&[u64], MissingFrames> {
        match frames {
            Frames::Known(number) => Ok(self.interned.get(number)),
            Frames::Key(key, used) => self.definitions.find(key, used).map(|number| self.interned.get(number)),
            Frames::Refused => Err(MissingFrames::TooMany),
        }
    }
}
