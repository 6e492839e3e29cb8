//! Stacks that come in events of their own, joined to the events they belong to by time and thread.
//!
//! They come after their event, maybe much later, and in parts: the kernel's frames at once, the user's when the thread
//! leaves the kernel. Equal stacks are kept once; what goes beyond the caps is counted, and its events say so.

mod caps;
mod counts;
mod definitions;
mod interned;
mod linked;
mod lookup;
mod owner;
#[cfg(test)]
mod tests;
mod tick_index;

pub(in crate::system) use caps::StackCaps;
pub use counts::{MissingFrames, StackCounts, StackPart};
pub(in crate::system) use owner::OwnerAt;
pub use owner::StackOwner;

use hashbrown::HashSet;

use crate::event::EventKey;
use crate::limits;

use definitions::Definitions;
use interned::InternedStacks;
use linked::LinkedParts;
use tick_index::TickIndex;

/// What is known of the frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frames {
    /// Number of an interned stack.
    Known(u32),
    /// A key and the tick of its use: its definition comes later.
    Key(u64, i64),
    /// Not kept: too many.
    Refused,
}

/// A stack, or a part of one, and the event it belongs to.
#[derive(Clone, Copy, Debug)]
struct OwnedPart {
    of: OwnerAt,
    part: StackPart,
    frames: Frames,
}

/// All stacks.
#[derive(Clone, Debug, Default)]
pub struct Stacks {
    /// In order of time once frozen.
    entries: Vec<OwnedPart>,
    /// Where the entries of a tick are, once frozen.
    ticks: TickIndex,
    /// Places among the entries by time and processor, once frozen.
    by_processor: Vec<u32>,
    interned: InternedStacks,
    definitions: Definitions,
    linked: LinkedParts,
    /// Kinds of events that are stacks themselves, so that none belongs to them.
    carriers: HashSet<EventKey>,
    caps: StackCaps,
    refused: u64,
    ownerless: u64,
}

impl Stacks {
    pub(super) fn new(caps: StackCaps) -> Self {
        Self { caps, ..Self::default() }
    }

    /// Adds a stack, or a part of one.
    pub(super) fn add(&mut self, of: OwnerAt, part: StackPart, frames: impl Iterator<Item = u64>) {
        let frames = self.interned.intern(frames, self.caps).map_or(Frames::Refused, Frames::Known);
        self.push(OwnedPart { of, part, frames });
    }

    /// Adds a use, at the tick `now`, of a stack by its key.
    pub(super) fn add_key(&mut self, of: OwnerAt, part: StackPart, key: u64, now: i64) {
        self.push(OwnedPart { of, part, frames: Frames::Key(key, now) });
    }

    /// Adds the definition of a key.
    pub(super) fn define(&mut self, tick: i64, key: u64, frames: impl Iterator<Item = u64>) {
        let stack = self.interned.intern(frames, self.caps);
        self.definitions.add(tick, key, stack, self.caps);
    }

    /// Counts a stack that names no event it belongs to.
    pub const fn add_ownerless(&mut self) {
        self.ownerless += 1;
    }

    /// Adds a part that lies in an event itself; the other one has the same number and thread.
    pub fn add_linked(&mut self, number: u64, tid: u32, part: StackPart, frames: impl Iterator<Item = u64>) {
        let frames = self.interned.intern(frames, self.caps);
        self.refused += u64::from(!self.linked.add(number, (tid, part), frames, self.caps));
    }

    /// Declares that events of this kind are stacks: none belongs to them.
    pub fn carrier(&mut self, key: EventKey) {
        if self.carriers.len() < limits::MAX_KEYS {
            self.carriers.insert(key);
        }
    }

    /// Returns whether events of this kind are stacks.
    pub fn is_carrier(&self, key: &EventKey) -> bool {
        self.carriers.contains(key)
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.definitions.is_empty() && self.linked.is_empty()
    }

    /// Puts all in the order in which they are looked up: kernel frames before those of the process.
    pub(super) fn freeze(&mut self) {
        self.entries.sort_by_key(|entry| (entry.of.tick, entry.of.tid, entry.part == StackPart::User));
        self.refuse_crowds();
        self.definitions.freeze();
        let entries = &self.entries;
        let on = |at: &u32| entries.get(*at as usize).map(|entry| (entry.of.tick, entry.of.cpu));
        let mut places: Vec<u32> = (0..entries.len() as u32).collect();
        places.sort_by_key(on);
        self.by_processor = places;
        self.ticks = TickIndex::new(self.entries.iter().map(|entry| entry.of.tick));
    }

    /// Refuses the parts of one thread and time beyond a limit. Each of its events would have all of them.
    fn refuse_crowds(&mut self) {
        let is_one = |a: &OwnedPart, b: &OwnedPart| (a.of.tick, a.of.tid) == (b.of.tick, b.of.tid);
        for crowd in self.entries.chunk_by_mut(is_one) {
            crowd.iter_mut().skip(limits::MAX_LINKED).for_each(|entry| entry.frames = Frames::Refused);
        }
    }

    fn push(&mut self, entry: OwnedPart) {
        if self.entries.len() < self.caps.stacks {
            self.entries.push(entry);
        } else {
            self.refused += 1;
        }
    }
}
