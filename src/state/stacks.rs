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
pub enum Part {
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
    part: Part,
    frames: Frames,
}

/// Why a stack, or a part of it, is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Missing {
    /// Its key is defined nowhere in the trace.
    NoDefinition,
    /// There were more stacks than are kept.
    TooMany,
    /// The kernel's or the user's frames came in another event, which is not there or was not looked for.
    OtherPart,
}

impl Missing {
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
    /// Stacks that say of no event that they belong to it; not among the parts.
    pub ownerless: u64,
}

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
    /// Definitions of keys with their times.
    keys: HashMap<u64, Vec<(i64, u32)>>,
    /// Parts that lie in events themselves, by the number that joins them; with their threads.
    linked: HashMap<u64, Vec<(u32, Part, u32)>>,
    /// Kinds of events that are stacks themselves, so that none belongs to them.
    carriers: HashSet<EventKey>,
    refused: u64,
    ownerless: u64,
}

impl Stacks {
    /// Takes a stack, or a part of one.
    pub fn add(&mut self, of: StackOf, part: Part, frames: impl Iterator<Item = u64>) {
        let frames = self.intern(frames).map_or(Frames::Refused, Frames::Known);
        self.push(Entry { of, part, frames });
    }

    /// Takes a use, at `now`, of a stack by its key.
    pub fn add_key(&mut self, of: StackOf, part: Part, key: u64, now: i64) {
        self.push(Entry { of, part, frames: Frames::Key(key, now) });
    }

    /// Counts a stack that says of no event that it belongs to it.
    pub const fn add_ownerless(&mut self) {
        self.ownerless += 1;
    }

    /// Takes a part that lies in an event itself; the other one has the same number and thread.
    pub fn add_linked(&mut self, number: u64, tid: u32, part: Part, frames: impl Iterator<Item = u64>) {
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
    pub fn linked(&self, number: u64, tid: Option<u32>, mut each: impl FnMut(u64)) -> Option<Missing> {
        let parts = self.linked.get(&number).map_or(&[][..], Vec::as_slice);
        let (mut kernel, mut user) = (false, false);
        for wanted in [Part::Kernel, Part::Whole, Part::User] {
            let mine = parts.iter().filter(|(of, part, _)| *part == wanted && tid.is_none_or(|tid| tid == *of));
            for (_, part, frames) in mine {
                kernel |= *part != Part::User;
                user |= *part != Part::Kernel;
                self.stack(*frames).iter().copied().for_each(&mut each);
            }
        }
        (!kernel || !user).then_some(Missing::OtherPart)
    }

    /// Hands the frames that a key stood for at a time to `each`. Says if they are missing.
    pub fn of_key(&self, key: u64, time: i64, each: impl FnMut(u64)) -> Option<Missing> {
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
        let Some(number) = self.intern(frames) else { return };
        if self.keys.len() < limits::MAX_STACKS {
            let definitions = self.keys.entry(key).or_default();
            if definitions.last().is_none_or(|(_, last)| *last != number) {
                definitions.push((time, number));
            } else if let Some(last) = definitions.last_mut() {
                last.0 = time;
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
    ) -> Option<(StackOf, Option<Missing>)> {
        let parts = self.entries.get(self.parts(time, tid, cpu)?)?;
        let mut missing = None;
        for entry in parts {
            match self.frames(entry.frames) {
                Ok(frames) => frames.iter().copied().for_each(&mut each),
                Err(why) => missing = Some(why),
            }
        }
        Some((parts.first()?.of, missing))
    }

    /// Places of the parts that belong to an event, among all in their order.
    pub(crate) fn parts(&self, time: i64, tid: Option<u32>, cpu: u16) -> Option<Range<usize>> {
        let all = self.at(time);
        let here = self.entries.get(all.clone())?;
        // Who wrote the event is not always told: then it is the thread whose stack was taken on the same processor.
        let owner = match tid {
            Some(tid) => tid,
            None => here.iter().find(|entry| entry.of.cpu == cpu)?.of.tid,
        };
        let first = here.iter().position(|entry| entry.of.tid == owner)?;
        let count = here.iter().skip(first).take_while(|entry| entry.of.tid == owner).count();
        Some(all.start + first..all.start + first + count)
    }

    /// Places of the parts that belong to events of a time.
    pub(crate) fn at(&self, time: i64) -> Range<usize> {
        let start = self.entries.partition_point(|entry| entry.of.time < time);
        let count = self.entries.iter().skip(start).take_while(|entry| entry.of.time == time).count();
        start..start + count
    }

    /// Whose the parts are, in their order.
    pub(crate) fn owners(&self) -> impl Iterator<Item = StackOf> {
        self.entries.iter().map(|entry| entry.of)
    }

    /// Counts for a report.
    pub fn counts(&self) -> StackCounts {
        let undefined = |entry: &&Entry| self.frames(entry.frames) == Err(Missing::NoDefinition);
        StackCounts {
            parts: self.entries.len() as u64 + self.refused,
            refused: self.refused + self.entries.iter().filter(|e| e.frames == Frames::Refused).count() as u64,
            undefined: self.entries.iter().filter(undefined).count() as u64,
            distinct: self.ends.len() as u64,
            ownerless: self.ownerless,
        }
    }

    /// Puts all in the order in which they are looked up: kernel frames before those of the process.
    pub(super) fn freeze(&mut self) {
        self.entries.sort_by_key(|entry| (entry.of.time, entry.of.tid, entry.part == Part::User));
    }

    fn frames(&self, frames: Frames) -> Result<&[u64], Missing> {
        match frames {
            Frames::Known(number) => Ok(self.stack(number)),
            Frames::Refused => Err(Missing::TooMany),
            Frames::Key(key, used) => {
                let definitions = self.keys.get(&key).ok_or(Missing::NoDefinition)?;
                // A key that was given up may be used again for other frames: the first definition after the use.
                let after = definitions.iter().find(|(time, _)| *time >= used).or(definitions.last());
                after.map(|(_, number)| self.stack(*number)).ok_or(Missing::NoDefinition)
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

    fn frames(stacks: &Stacks, time: i64, tid: Option<u32>, cpu: u16) -> Option<(Vec<u64>, Option<Missing>)> {
        let mut all = Vec::new();
        let (_, missing) = stacks.of(time, tid, cpu, |frame| all.push(frame))?;
        Some((all, missing))
    }

    #[test]
    fn parts_come_together_kernel_first() {
        let mut stacks = Stacks::default();
        stacks.add(of(10, 7, 0), Part::User, [3, 4].into_iter());
        stacks.add(of(10, 7, 0), Part::Kernel, [1, 2].into_iter());
        stacks.add(of(10, 8, 1), Part::Whole, [9].into_iter());
        stacks.freeze();
        assert_eq!(frames(&stacks, 10, Some(7), 5), Some((vec![1, 2, 3, 4], None)));
        assert_eq!(frames(&stacks, 10, None, 1), Some((vec![9], None)));
        assert_eq!(frames(&stacks, 10, Some(9), 1), None);
        assert_eq!(frames(&stacks, 11, Some(7), 0), None);
    }

    #[test]
    fn keys_are_defined_later_and_used_again() {
        let mut stacks = Stacks::default();
        stacks.add_key(of(10, 7, 0), Part::User, 0xabc, 11);
        stacks.define(20, 0xabc, [1].into_iter());
        stacks.add_key(of(30, 7, 0), Part::User, 0xabc, 31);
        stacks.define(40, 0xabc, [2].into_iter());
        stacks.add_key(of(50, 7, 0), Part::User, 0xdef, 51);
        stacks.freeze();
        assert_eq!(frames(&stacks, 10, Some(7), 0), Some((vec![1], None)));
        assert_eq!(frames(&stacks, 30, Some(7), 0), Some((vec![2], None)));
        assert_eq!(frames(&stacks, 50, Some(7), 0), Some((vec![], Some(Missing::NoDefinition))));
        assert_eq!(stacks.counts().undefined, 1);
    }

    #[test]
    fn equal_stacks_are_kept_once() {
        let mut stacks = Stacks::default();
        (0..100).for_each(|time| stacks.add(of(time, 7, 0), Part::Whole, 0..time.unsigned_abs() % 3));
        stacks.freeze();
        assert_eq!((stacks.counts().distinct, stacks.counts().parts), (3, 100));
        assert_eq!(frames(&stacks, 98, Some(7), 0), Some((vec![0, 1], None)));
    }
}
