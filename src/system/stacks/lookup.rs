//! Which parts and frames belong to an event.

use std::ops::Range;

use crate::limits;

use super::part_of::{StackThread, Whose};
use super::{MissingFrames, REFUSED, StackCounts, Stacks, UNDEFINED};

/// Parts of a time that are looked at one by one: a crafted trace has very many of one.
const FEW: usize = 64;

impl Stacks {
    /// Hands the frames of an event's stack to `each`, innermost first: of its parts, which [`Stacks::parts`] returns.
    /// `None` if there is none; else whose stack it is, and what is missing.
    pub(crate) fn of_parts(
        &self,
        parts: Range<usize>,
        mut each: impl FnMut(u64),
    ) -> Option<(Whose, Option<MissingFrames>)> {
        let owner = *self.parts.whose(parts.start)?;
        let mut missing = None;
        let later = if self.later_halves.is_empty() { None } else { self.later_halves.after(parts.end - 1) };
        // Those beyond the limit are refused: one of them stands for all.
        let numbers = self.parts.frames(parts)?.iter().take(limits::MAX_LINKED + 1).chain(&later);
        let mut before = None;
        for number in numbers {
            // Two sessions wrote it, or two events at once have the same stack.
            if before.replace(number) == Some(number) {
                continue;
            }
            match self.frames(*number) {
                Ok(frames) => frames.iter().copied().for_each(&mut each),
                Err(why) => missing = Some(why),
            }
        }
        Some((owner, missing))
    }

    /// Hands the frames that a key stood for at a tick to `each`. Returns why they are missing, if they are.
    pub(crate) fn of_key(&self, key: u64, tick: i64, each: impl FnMut(u64)) -> Option<MissingFrames> {
        match self.definitions.find(key, tick) {
            Ok(number) => {
                self.interned.get(number).iter().copied().for_each(each);
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
        let thread = match tid {
            Some(tid) => StackThread::new(tid, cpu),
            None => self.thread_on(at.clone(), cpu)?,
        };
        self.parts.of_thread(at, thread)
    }

    /// Returns the places of the parts that belong to events of a tick.
    #[inline]
    pub(crate) fn at(&self, tick: i64) -> Range<usize> {
        self.parts.at(tick)
    }

    /// Returns ticks and threads of the events that the parts belong to, in the order of the parts.
    pub(crate) fn owners(&self) -> impl Iterator<Item = (i64, StackThread)> {
        self.parts.owners()
    }

    /// Returns counts for a report.
    pub fn counts(&self) -> StackCounts {
        let lacking = |why| self.parts.all_frames().iter().filter(|number| **number == why).count() as u64;
        StackCounts {
            parts: self.parts.len() as u64 + self.refused,
            refused: self.refused + lacking(REFUSED),
            undefined: lacking(UNDEFINED),
            distinct: self.interned.len() as u64,
            refused_definitions: self.definitions.refused(),
            ownerless: self.ownerless,
        }
    }

    /// Returns the first thread with a stack that was taken on a processor, of the parts of a tick.
    fn thread_on(&self, at: Range<usize>, cpu: u16) -> Option<StackThread> {
        let of = |place: usize| self.parts.whose(place);
        if at.len() <= FEW {
            return at.filter_map(of).find(|whose| whose.cpu == cpu).map(Whose::thread);
        }
        let places = self.by_processor.get_or_init(|| self.places_by_processor());
        // The parts of a tick are at the same places in this order, too.
        let places = places.get(at)?;
        let of = |place: &u32| of(*place as usize);
        let first = places.partition_point(|place| of(place).is_some_and(|whose| whose.cpu < cpu));
        places.get(first).and_then(of).filter(|whose| whose.cpu == cpu).map(Whose::thread)
    }

    /// Returns the places of all parts by time and processor.
    fn places_by_processor(&self) -> Vec<u32> {
        let ticks: Vec<i64> = self.owners().map(|(tick, _)| tick).collect();
        let mut places: Vec<u32> = (0..ticks.len() as u32).collect();
        places.sort_by_key(|place| {
            let place = *place as usize;
            (ticks.get(place), self.parts.whose(place).map(|whose| whose.cpu))
        });
        places
    }
}
