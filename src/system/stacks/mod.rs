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

use std::sync::OnceLock;

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

/// A stack, or a part of one, and the event it belongs to: a trace has millions of them.
#[derive(Clone, Copy, Debug)]
struct OwnedPart {
    tick: i64,
    tid: u32,
    pid: u32,
    /// See [`Stacks::frames_of`].
    frames: u32,
    cpu: u16,
    part: StackPart,
}

/// For frames that were not kept.
const REFUSED: u32 = u32::MAX;
/// For frames of a key: this, and the place of its use. Neither stacks nor uses of keys are so many.
const BY_KEY: u32 = 1 << 31;

/// All stacks.
#[derive(Clone, Debug, Default)]
pub struct Stacks {
    /// In order of time once frozen.
    entries: Vec<OwnedPart>,
    /// Keys of stacks and the ticks of their uses.
    uses: Vec<(u64, i64)>,
    /// Where the entries of a tick are, once frozen.
    ticks: TickIndex,
    /// Places among the entries by time and processor, made when they are first searched.
    by_processor: OnceLock<Vec<u32>>,
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
        let frames = self.interned.intern(frames, self.caps).unwrap_or(REFUSED);
        self.push(of, part, frames);
    }

    /// Adds a use, at the tick `now`, of a stack by its key.
    pub(super) fn add_key(&mut self, of: OwnerAt, part: StackPart, key: u64, now: i64) {
        let place = self.uses.len() as u32;
        if self.push(of, part, BY_KEY | place) {
            self.uses.push((key, now));
        }
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
        self.entries.sort_by_key(|entry| (entry.tick, entry.tid, entry.part == StackPart::User));
        self.entries.shrink_to_fit();
        self.refuse_crowds();
        self.ticks = TickIndex::new(self.entries.iter().map(|entry| entry.tick));
        self.definitions.freeze();
    }

    /// Refuses the parts of one thread and time beyond a limit. Each of its events would have all of them.
    fn refuse_crowds(&mut self) {
        let is_one = |a: &OwnedPart, b: &OwnedPart| (a.tick, a.tid) == (b.tick, b.tid);
        for crowd in self.entries.chunk_by_mut(is_one) {
            crowd.iter_mut().skip(limits::MAX_LINKED).for_each(|entry| entry.frames = REFUSED);
        }
    }

    /// Returns what is known of the frames of a part.
    fn frames_of(&self, part: &OwnedPart) -> Frames {
        match part.frames {
            REFUSED => Frames::Refused,
            number if number < BY_KEY => Frames::Known(number),
            number => {
                let used = self.uses.get((number - BY_KEY) as usize);
                used.map_or(Frames::Refused, |(key, tick)| Frames::Key(*key, *tick))
            }
        }
    }

    /// Returns whether there was room.
    fn push(&mut self, of: OwnerAt, part: StackPart, frames: u32) -> bool {
        let has_room = self.entries.len() < self.caps.stacks;
        if has_room {
            let OwnerAt { tick, tid, pid, cpu } = of;
            self.entries.push(OwnedPart { tick, tid, pid, frames, cpu, part });
        } else {
            self.refused += 1;
        }
        has_room
    }
}
