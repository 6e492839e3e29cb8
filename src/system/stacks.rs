//! Stacks that come in events of their own, joined to the events they belong to by time and thread.
//!
//! They come after their event, maybe much later, and in parts: the kernel's frames at once, the user's when the thread
//! leaves the kernel. Equal stacks are kept once; what goes beyond the caps is counted, and its events say so.

use std::hash::BuildHasher;

use std::ops::Range;

use hashbrown::{DefaultHashBuilder, HashMap, HashSet, HashTable};

use crate::event::EventKey;
use crate::limits;

/// Whose frames a part of a stack has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StackPart {
    /// Kernel, user, or both: the addresses tell.
    Whole,
    /// Frames of the kernel.
    Kernel,
    /// Frames of the process.
    User,
}

/// Which event a stack belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackOf {
    /// Time of that event, see [`super::Times`].
    pub time: i64,
    /// Thread.
    pub tid: u32,
    /// Process; `u32::MAX` if it is not told.
    pub pid: u32,
    /// Processor that wrote the stack.
    pub cpu: u16,
}

/// What is known of the frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frames {
    /// Number of an interned stack.
    Known(u32),
    /// A key, used at a time: its definition comes later.
    Key(u64, i64),
    /// Not kept: too many.
    Refused,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    of: StackOf,
    part: StackPart,
    frames: Frames,
}

/// Why a stack, or a part of it, is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum MissingFrames {
    /// Its key is defined nowhere in the trace.
    NoDefinition,
    /// There were more stacks than are kept.
    TooMany,
    /// The kernel's or the user's frames came in another event, which is not there or was not looked for.
    OtherPart,
}

impl MissingFrames {
    /// The reason in words.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::NoDefinition => "its key is not defined in the trace",
            Self::TooMany => "more stacks than are kept",
            Self::OtherPart => "its other part came in another event that was not found",
        }
    }
}

/// How the stacks of a trace could be kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StackCounts {
    /// Stack events, each a part of a stack.
    pub parts: u64,
    /// Parts that were not kept.
    pub refused: u64,
    /// Parts whose key is defined nowhere.
    pub undefined: u64,
    /// Different lists of frames.
    pub distinct: u64,
    /// Definitions of keys that were not kept; not among the parts.
    pub refused_definitions: u64,
    /// Stacks that say of no event that they belong to it; not among the parts.
    pub ownerless: u64,
}

/// Stands for a stack that was not kept.
const REFUSED: u32 = u32::MAX;

/// All stacks.
#[derive(Clone, Debug, Default)]
pub struct Stacks {
    /// By time once frozen.
    entries: Vec<Entry>,
    /// Addresses of all interned stacks, one after the other.
    addresses: Vec<u64>,
    /// Where each interned stack ends.
    ends: Vec<u32>,
    interned: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// Definitions of keys with their times: the number of an interned stack, or [`REFUSED`].
    keys: HashMap<u64, Vec<(i64, u32)>>,
    /// Definitions in all.
    definitions: usize,
    refused_definitions: u64,
    /// Places among the entries by time and processor, once frozen.
    by_processor: Vec<u32>,
    /// Parts that lie in events themselves, by the number that joins them; with their threads.
    linked: HashMap<u64, Vec<(u32, StackPart, u32)>>,
    /// Kinds of events that are stacks themselves, so that none belongs to them.
    carriers: HashSet<EventKey>,
    refused: u64,
    ownerless: u64,
}

impl Stacks {
    /// Takes a stack, or a part of one.
    pub fn add(&mut self, of: StackOf, part: StackPart, frames: impl Iterator<Item = u64>) {
        let frames = self.intern(frames).map_or(Frames::Refused, Frames::Known);
        self.push(Entry { of, part, frames });
    }

    /// Takes a use, at `now`, of a stack by its key.
    pub fn add_key(&mut self, of: StackOf, part: StackPart, key: u64, now: i64) {
        self.push(Entry { of, part, frames: Frames::Key(key, now) });
    }

    /// Counts a stack that says of no event that it belongs to it.
    pub const fn add_ownerless(&mut self) {
        self.ownerless += 1;
    }

    /// Takes a part that lies in an event itself; the other one has the same number and thread.
    pub fn add_linked(&mut self, number: u64, tid: u32, part: StackPart, frames: impl Iterator<Item = u64>) {
        let full = self.linked.len() >= limits::MAX_STACKS && !self.linked.contains_key(&number);
        match self.intern(frames).filter(|_| !full) {
            Some(frames) => {
                let parts = self.linked.entry(number).or_default();
                let is_new = !parts.contains(&(tid, part, frames));
                if is_new && parts.len() < limits::MAX_LINKED {
                    parts.push((tid, part, frames));
                } else {
                    self.refused += u64::from(is_new);
                }
            }
            None => self.refused += 1,
        }
    }

    /// Events of this kind are stacks: none belongs to them.
    pub fn carrier(&mut self, key: EventKey) {
        if self.carriers.len() < limits::MAX_KEYS {
            self.carriers.insert(key);
        }
    }

    /// Whether events of this kind are stacks.
    pub fn is_carrier(&self, key: &EventKey) -> bool {
        self.carriers.contains(key)
    }

    /// Hands the frames of all parts with this number and thread to `each`, the kernel's first. Says if a part is missing.
    pub fn linked(&self, number: u64, tid: Option<u32>, mut each: impl FnMut(u64)) -> Option<MissingFrames> {
        let parts = self.linked.get(&number).map_or(&[][..], Vec::as_slice);
        let (mut kernel, mut user) = (false, false);
        for wanted in [StackPart::Kernel, StackPart::Whole, StackPart::User] {
            let mine = parts.iter().filter(|(of, part, _)| *part == wanted && tid.is_none_or(|tid| tid == *of));
            for (_, part, frames) in mine {
                kernel |= *part != StackPart::User;
                user |= *part != StackPart::Kernel;
                self.stack(*frames).iter().copied().for_each(&mut each);
            }
        }
        (!kernel || !user).then_some(MissingFrames::OtherPart)
    }

    /// Hands the frames that a key stood for at a time to `each`. Says if they are missing.
    pub fn of_key(&self, key: u64, time: i64, each: impl FnMut(u64)) -> Option<MissingFrames> {
        match self.frames(Frames::Key(key, time)) {
            Ok(frames) => {
                frames.iter().copied().for_each(each);
                None
            }
            Err(why) => Some(why),
        }
    }

    /// Takes the definition of a key. It comes when the key is made or given up, or in a rundown.
    pub fn define(&mut self, time: i64, key: u64, frames: impl Iterator<Item = u64>) {
        let full = self.keys.len() >= limits::MAX_STACKS && !self.keys.contains_key(&key);
        let number = self.intern(frames).filter(|_| !full).unwrap_or(REFUSED);
        self.refused_definitions += u64::from(number == REFUSED);
        if full {
            return;
        }
        let definitions = self.keys.entry(key).or_default();
        match definitions.last_mut() {
            Some(last) if last.1 == number => last.0 = time,
            // One more a key is kept even so, that tells that there were others.
            Some(_) if self.definitions >= limits::MAX_STACKS => {
                self.refused_definitions += u64::from(number != REFUSED);
                match definitions.last_mut() {
                    Some(last) if last.1 == REFUSED => last.0 = time,
                    _ => definitions.push((time, REFUSED)),
                }
            }
            _ => {
                definitions.push((time, number));
                self.definitions += 1;
            }
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.keys.is_empty() && self.linked.is_empty()
    }

    /// Hands the frames of an event's stack to `each`, innermost first; the event is that of a time, of a thread if
    /// its header or payload tells it, on a processor. `None` if no stack belongs to it; else what is missing of it.
    pub fn of(
        &self,
        time: i64,
        tid: Option<u32>,
        cpu: u16,
        mut each: impl FnMut(u64),
    ) -> Option<(StackOf, Option<MissingFrames>)> {
        let parts = self.entries.get(self.parts(time, tid, cpu)?)?;
        let mut missing = None;
        // Those beyond the limit are refused: one of them tells it for all.
        for entry in parts.iter().take(limits::MAX_LINKED + 1) {
            match self.frames(entry.frames) {
                Ok(frames) => frames.iter().copied().for_each(&mut each),
                Err(why) => missing = Some(why),
            }
        }
        Some((parts.first()?.of, missing))
    }

    /// Places of the parts that belong to an event, among all in their order.
    pub(crate) fn parts(&self, time: i64, tid: Option<u32>, cpu: u16) -> Option<Range<usize>> {
        // Who wrote the event is not always told: then it is the thread whose stack was taken on the same processor.
        let owner = match tid {
            Some(tid) => tid,
            None => self.thread_on(time, cpu)?,
        };
        let all = self.at(time);
        let here = self.entries.get(all.clone())?;
        let first = here.partition_point(|entry| entry.of.tid < owner);
        let end = here.partition_point(|entry| entry.of.tid <= owner);
        (first < end).then_some(all.start + first..all.start + end)
    }

    /// The first thread of which a stack of a time was taken on a processor.
    fn thread_on(&self, time: i64, cpu: u16) -> Option<u32> {
        let of = |place: &u32| self.entries.get(*place as usize).map(|entry| entry.of);
        let first = self.by_processor.partition_point(|at| of(at).is_some_and(|of| (of.time, of.cpu) < (time, cpu)));
        let found = self.by_processor.get(first).and_then(of)?;
        (found.time == time && found.cpu == cpu).then_some(found.tid)
    }

    /// Places of the parts that belong to events of a time.
    pub(crate) fn at(&self, time: i64) -> Range<usize> {
        let start = self.entries.partition_point(|entry| entry.of.time < time);
        let count = self.entries.get(start..).unwrap_or_default().partition_point(|entry| entry.of.time == time);
        start..start + count
    }

    /// Whose the parts are, in their order.
    pub(crate) fn owners(&self) -> impl Iterator<Item = StackOf> {
        self.entries.iter().map(|entry| entry.of)
    }

    /// Counts for a report.
    pub fn counts(&self) -> StackCounts {
        let lacking =
            |why| self.entries.iter().filter(|entry| self.frames(entry.frames).err() == Some(why)).count() as u64;
        StackCounts {
            parts: self.entries.len() as u64 + self.refused,
            refused: self.refused + lacking(MissingFrames::TooMany),
            undefined: lacking(MissingFrames::NoDefinition),
            distinct: self.ends.len() as u64,
            refused_definitions: self.refused_definitions,
            ownerless: self.ownerless,
        }
    }

    /// Puts all in the order in which they are looked up: kernel frames before those of the process.
    pub(super) fn freeze(&mut self) {
        self.entries.sort_by_key(|entry| (entry.of.time, entry.of.tid, entry.part == StackPart::User));
        self.refuse_crowds();
        self.keys.values_mut().for_each(|definitions| definitions.sort_by_key(|(time, _)| *time));
        let entries = &self.entries;
        let on = |at: &u32| entries.get(*at as usize).map(|entry| (entry.of.time, entry.of.cpu));
        let mut places: Vec<u32> = (0..entries.len() as u32).collect();
        places.sort_by_key(on);
        self.by_processor = places;
    }

    /// Refuses the parts of one thread and time beyond a limit. Each of its events would have all of them.
    fn refuse_crowds(&mut self) {
        let is_one = |a: &Entry, b: &Entry| (a.of.time, a.of.tid) == (b.of.time, b.of.tid);
        for crowd in self.entries.chunk_by_mut(is_one) {
            crowd.iter_mut().skip(limits::MAX_LINKED).for_each(|entry| entry.frames = Frames::Refused);
        }
    }

    fn frames(&self, frames: Frames) -> Result<&[u64], MissingFrames> {
        match frames {
            Frames::Known(number) => Ok(self.stack(number)),
            Frames::Refused => Err(MissingFrames::TooMany),
            Frames::Key(key, used) => {
                // Where definitions of other keys were not kept, its own may be among them.
                let none =
                    if self.refused_definitions > 0 { MissingFrames::TooMany } else { MissingFrames::NoDefinition };
                let definitions = self.keys.get(&key).ok_or(none)?;
                // A key that was given up may be used again for other frames: the first definition after the use.
                let after = definitions.partition_point(|(time, _)| *time < used);
                match definitions.get(after).or(definitions.last()) {
                    Some((_, REFUSED)) => Err(MissingFrames::TooMany),
                    Some((_, number)) => Ok(self.stack(*number)),
                    None => Err(none),
                }
            }
        }
    }

    fn stack(&self, number: u32) -> &[u64] {
        let end = |number: u32| self.ends.get(number as usize).map_or(0, |end| *end as usize);
        let start = number.checked_sub(1).map_or(0, end);
        self.addresses.get(start..end(number)).unwrap_or_default()
    }

    fn push(&mut self, entry: Entry) {
        if self.entries.len() < limits::MAX_STACKS {
            self.entries.push(entry);
        } else {
            self.refused += 1;
        }
    }

    /// Keeps a list of frames once; its number.
    fn intern(&mut self, frames: impl Iterator<Item = u64>) -> Option<u32> {
        let start = self.addresses.len();
        self.addresses.extend(frames.take(limits::MAX_FRAMES));
        let added = self.addresses.get(start..).unwrap_or_default();
        let hash = self.hasher.hash_one(added);
        if let Some(number) = self.interned.find(hash, |number| self.stack(*number) == added).copied() {
            self.addresses.truncate(start);
            return Some(number);
        }
        if self.addresses.len() > limits::MAX_STACK_FRAMES || self.ends.len() >= limits::MAX_STACKS {
            self.addresses.truncate(start);
            return None;
        }
        let number = self.ends.len() as u32;
        self.ends.push(self.addresses.len() as u32);
        let Self { interned, addresses, ends, hasher, .. } = self;
        let stack = |number: u32| {
            let end = |number: u32| ends.get(number as usize).map_or(0, |end| *end as usize);
            addresses.get(number.checked_sub(1).map_or(0, end)..end(number)).unwrap_or_default()
        };
        interned.insert_unique(hash, number, |number| hasher.hash_one(stack(*number)));
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(time: i64, tid: u32, cpu: u16) -> StackOf {
        StackOf { time, tid, pid: 4, cpu }
    }

    fn frames(stacks: &Stacks, time: i64, tid: Option<u32>, cpu: u16) -> Option<(Vec<u64>, Option<MissingFrames>)> {
        let mut all = Vec::new();
        let (_, missing) = stacks.of(time, tid, cpu, |frame| all.push(frame))?;
        Some((all, missing))
    }

    #[test]
    fn parts_come_together_kernel_first() {
        let mut stacks = Stacks::default();
        stacks.add(of(10, 7, 0), StackPart::User, [3, 4].into_iter());
        stacks.add(of(10, 7, 0), StackPart::Kernel, [1, 2].into_iter());
        stacks.add(of(10, 8, 1), StackPart::Whole, [9].into_iter());
        stacks.freeze();
        assert_eq!(frames(&stacks, 10, Some(7), 5), Some((vec![1, 2, 3, 4], None)));
        assert_eq!(frames(&stacks, 10, None, 1), Some((vec![9], None)));
        assert_eq!(frames(&stacks, 10, Some(9), 1), None);
        assert_eq!(frames(&stacks, 11, Some(7), 0), None);
    }

    #[test]
    fn keys_are_defined_later_and_used_again() {
        let mut stacks = Stacks::default();
        stacks.add_key(of(10, 7, 0), StackPart::User, 0xabc, 11);
        stacks.define(20, 0xabc, [1].into_iter());
        stacks.add_key(of(30, 7, 0), StackPart::User, 0xabc, 31);
        stacks.define(40, 0xabc, [2].into_iter());
        stacks.add_key(of(50, 7, 0), StackPart::User, 0xdef, 51);
        stacks.freeze();
        assert_eq!(frames(&stacks, 10, Some(7), 0), Some((vec![1], None)));
        assert_eq!(frames(&stacks, 30, Some(7), 0), Some((vec![2], None)));
        assert_eq!(frames(&stacks, 50, Some(7), 0), Some((vec![], Some(MissingFrames::NoDefinition))));
        assert_eq!(stacks.counts().undefined, 1);
    }

    #[test]
    fn a_crowd_of_parts_of_one_thread_and_time_is_refused_and_counted() {
        let mut stacks = Stacks::default();
        (0..1_000).for_each(|now| stacks.add_key(of(10, 7, 3), StackPart::Kernel, 0xabc, now));
        stacks.add(of(10, 9, 3), StackPart::Whole, [5].into_iter());
        stacks.define(2_000, 0xabc, 0..1_024);
        stacks.freeze();
        for tid in [Some(7), None] {
            let (found, missing) = frames(&stacks, 10, tid, 3).unwrap();
            assert_eq!((found.len(), missing), (limits::MAX_LINKED * 1_024, Some(MissingFrames::TooMany)));
        }
        assert_eq!(frames(&stacks, 10, Some(9), 3), Some((vec![5], None)));
        assert_eq!(stacks.parts(10, Some(7), 3), Some(0..1_000));
        let counts = stacks.counts();
        assert_eq!((counts.parts, counts.refused), (1_001, 1_000 - limits::MAX_LINKED as u64));
    }

    #[test]
    fn definitions_that_are_not_kept_are_counted_and_told() {
        let mut stacks = Stacks::default();
        stacks.define(10, 1, [1].into_iter());
        stacks.definitions = limits::MAX_STACKS;
        (20..30).for_each(|time| stacks.define(time, 1, [time.unsigned_abs()].into_iter()));
        for used in [5, 15, 40] {
            stacks.add_key(of(used, 7, 0), StackPart::Whole, 1, used);
        }
        stacks.freeze();
        assert_eq!(frames(&stacks, 5, Some(7), 0), Some((vec![1], None)));
        assert_eq!(frames(&stacks, 15, Some(7), 0), Some((vec![], Some(MissingFrames::TooMany))));
        assert_eq!(frames(&stacks, 40, Some(7), 0), Some((vec![], Some(MissingFrames::TooMany))));
        assert_eq!((stacks.counts().refused_definitions, stacks.counts().refused), (10, 2));
        assert_eq!(stacks.keys.get(&1).map(Vec::len), Some(2));
    }

    #[test]
    fn definitions_and_times_are_looked_up_not_gone_through() {
        // Each of 300,000 uses would go through as many definitions or parts: minutes.
        const MANY: i64 = 300_000;
        let mut stacks = Stacks::default();
        (0..MANY).for_each(|time| stacks.define(time, 1, [time.unsigned_abs() % 2].into_iter()));
        (0..MANY).for_each(|time| stacks.add_key(of(7, time as u32, time as u16), StackPart::Whole, 1, time));
        stacks.freeze();
        let start = std::time::Instant::now();
        for used in 0..MANY {
            let (found, missing) = frames(&stacks, 7, Some(used as u32), 0).unwrap();
            assert_eq!((found, missing), (vec![used.unsigned_abs() % 2], None));
            assert_eq!(stacks.parts(7, None, used as u16).map(|parts| parts.len()), Some(1));
            assert_eq!(stacks.at(7).len(), MANY as usize);
        }
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }

    #[test]
    fn equal_stacks_are_kept_once() {
        let mut stacks = Stacks::default();
        (0..100).for_each(|time| stacks.add(of(time, 7, 0), StackPart::Whole, 0..time.unsigned_abs() % 3));
        stacks.freeze();
        assert_eq!((stacks.counts().distinct, stacks.counts().parts), (3, 100));
        assert_eq!(frames(&stacks, 98, Some(7), 0), Some((vec![0, 1], None)));
    }
}
