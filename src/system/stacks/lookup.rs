//! Which parts and frames belong to an event.

use std::ops::Range;

use crate::limits;

use super::{Frames, MissingFrames, StackCounts, Stacks};

/// Parts of a time that are looked at one by one: a crafted trace has very many of one.
const FEW: usize = 64;

impl Stacks {
    /// Hands the frames of an event's stack to `each`, innermost first: of its parts, which [`Stacks::parts`] returns.
    /// `None` if there is none; else the process of the stack, `u32::MAX` if it is not known, and what is missing.
    pub(crate) fn of_parts(
        &self,
        parts: Range<usize>,
        mut each: impl FnMut(u64),
    ) -> Option<(u32, Option<MissingFrames>)> {
        let parts = self.entries.get(parts)?;
        let mut missing = None;
        // Those beyond the limit are refused: one of them stands for all.
        for entry in parts.iter().take(limits::MAX_LINKED + 1) {
            match self.frames(self.frames_of(entry)) {
                Ok(frames) => frames.iter().copied().for_each(&mut each),
                Err(why) => missing = Some(why),
            }
        }
        Some((parts.first()?.pid, missing))
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

    /// Returns the places of the parts that belong to an event, among all in their order. `at` has the parts
    /// of the event's tick; it is of a thread if its header or payload names one, and on a processor.
    pub(crate) fn parts(&self, at: Range<usize>, tid: Option<u32>, cpu: u16) -> Option<Range<usize>> {
        // The writer of the event is not always known: then it is the thread whose stack was taken on the same processor.
        let owner = match tid {
            Some(tid) => tid,
            None => self.thread_on(at.clone(), cpu)?,
        };
        let start = at.start;
        let here = self.entries.get(at)?;
        let first = here.partition_point(|entry| entry.tid < owner);
        let end = here.partition_point(|entry| entry.tid <= owner);
        (first < end).then_some(start + first..start + end)
    }

    /// Returns the places of the parts that belong to events of a tick.
    #[inline]
    pub(crate) fn at(&self, tick: i64) -> Range<usize> {
        let near = self.ticks.near(tick);
        let entries = self.entries.get(near.clone()).unwrap_or_default();
        let start = near.start + entries.partition_point(|entry| entry.tick < tick);
        let count = self.entries.get(start..near.end).unwrap_or_default().partition_point(|entry| entry.tick == tick);
        start..start + count
    }

    /// Returns ticks and threads of the events that the parts belong to, in the order of the parts.
    pub(crate) fn owners(&self) -> impl Iterator<Item = (i64, u32)> {
        self.entries.iter().map(|entry| (entry.tick, entry.tid))
    }

    /// Returns counts for a report.
    pub fn counts(&self) -> StackCounts {
        let lacking = |why| {
            self.entries.iter().filter(|entry| self.frames(self.frames_of(entry)).err() == Some(why)).count() as u64
        };
        StackCounts {
            parts: self.entries.len() as u64 + self.refused,
            refused: self.refused + lacking(MissingFrames::TooMany),
            undefined: lacking(MissingFrames::NoDefinition),
            distinct: self.interned.len() as u64,
            refused_definitions: self.definitions.refused(),
            ownerless: self.ownerless,
        }
    }

    /// Returns the first thread with a stack that was taken on a processor, of the parts of a tick.
    fn thread_on(&self, at: Range<usize>, cpu: u16) -> Option<u32> {
        if at.len() <= FEW {
            return self.entries.get(at)?.iter().find(|entry| entry.cpu == cpu).map(|entry| entry.tid);
        }
        let of = |place: &u32| self.entries.get(*place as usize);
        let places = self.by_processor.get_or_init(|| {
            let mut places: Vec<u32> = (0..self.entries.len() as u32).collect();
            places.sort_by_key(|place| of(place).map(|entry| (entry.tick, entry.cpu)));
            places
        });
        // The parts of a tick are at the same places in this order, too.
        let places = places.get(at)?;
        let first = places.partition_point(|place| of(place).is_some_and(|entry| entry.cpu < cpu));
        places.get(first).and_then(of).filter(|entry| entry.cpu == cpu).map(|entry| entry.tid)
    }

    fn frames(&self, frames: Frames) -> Result<&[u64], MissingFrames> {
        match frames {
            Frames::Known(number) => Ok(self.interned.get(number)),
            Frames::Key(key, used) => self.definitions.find(key, used).map(|number| self.interned.get(number)),
            Frames::Refused => Err(MissingFrames::TooMany),
        }
    }
}
