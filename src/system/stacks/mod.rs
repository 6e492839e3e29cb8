//! Stacks that come in events of their own, joined to the events they belong to by time and thread.
//!
//! They come after their event, maybe much later, and in parts: the kernel's frames at once, the user's when the thread
//! leaves the kernel. Equal stacks are kept once; what goes beyond the caps is counted, and its events state so.

mod caps;
mod counts;
mod definitions;
mod interned;
mod later_halves;
mod linked;
mod lookup;
mod owner;
mod part_of;
mod part_runs;
mod sorted_parts;
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
use crate::format::{IMAGE_ID, group_guid};
use crate::limits;

use super::threads::Threads;

use definitions::Definitions;
use interned::InternedStacks;
use later_halves::{HalfFinder, LaterHalves};
use linked::LinkedParts;
use part_of::{Frames, PartOf, Whose, WhoseList};
use part_runs::PartRuns;
use sorted_parts::SortedParts;

/// The group of disk operations, and its events that end one: read, write and flush.
const DISK_IO: u8 = 0x01;
const DISK_COMPLETIONS: [u8; 3] = [10, 11, 14];

/// For frames that were not kept.
const REFUSED: u32 = u32::MAX;
/// For frames of a key without a definition. There are fewer interned stacks.
const UNDEFINED: u32 = u32::MAX - 1;

/// All stacks.
#[derive(Clone, Debug, Default)]
pub struct Stacks {
    /// The parts, until they are frozen.
    runs: PartRuns,
    whose: WhoseList,
    /// The parts once frozen.
    parts: SortedParts,
    later_halves: LaterHalves,
    /// Places among the parts by time and processor, made when they are first searched.
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
        let frames = self.interned.intern(frames, self.caps).map_or(Frames::Refused, Frames::Known);
        self.push(of, part, frames);
    }

    /// Adds a use, at the tick `now`, of a stack by its key.
    pub(super) fn add_key(&mut self, of: OwnerAt, part: StackPart, key: u64, now: i64) {
        self.push(of, part, Frames::Key(key, now));
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

    /// Returns whether no stack belongs to events of this kind: they are stacks themselves, or Windows takes none for
    /// them. Those may have the time and thread of an event with a stack.
    pub(crate) fn is_stackless(&self, key: &EventKey) -> bool {
        let is_completion = key.provider == group_guid(DISK_IO) && DISK_COMPLETIONS.contains(&key.opcode);
        is_completion || key.provider == IMAGE_ID || self.is_carrier(key)
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.runs.len() + self.parts.len() == 0 && self.definitions.is_empty() && self.linked.is_empty()
    }

    /// Puts all in the order in which they are looked up: kernel frames before those of the process. All keys are
    /// defined now.
    pub(super) fn freeze(&mut self, threads: &Threads) {
        self.definitions.freeze();
        let (runs, whose) = (std::mem::take(&mut self.runs), std::mem::take(&mut self.whose));
        let mut parts = SortedParts::new(runs.ticks(), runs.len());
        let (mut crowd, mut owner) = (0, None);
        let mut halves = HalfFinder::new(threads);
        for part in runs.into_sorted(&whose) {
            let own = Some((part.tick, whose.order(part.whose).0));
            crowd = if own == owner { crowd + 1 } else { 1 };
            owner = own;
            // Each event of one thread and time would have all parts of that.
            let frames = if crowd > limits::MAX_LINKED { REFUSED } else { self.number_of(part.frames) };
            if let Some(whose) = whose.get(part.whose) {
                halves.take(part.tick, whose, parts.len(), frames);
            }
            parts.add(part.tick, part.whose, frames);
        }
        self.later_halves = halves.finish();
        parts.freeze(whose);
        self.parts = parts;
    }

    /// Returns the number of an interned stack, [`REFUSED`] or [`UNDEFINED`].
    fn number_of(&self, frames: Frames) -> u32 {
        match frames {
            Frames::Known(number) => number,
            Frames::Refused => REFUSED,
            Frames::Key(key, used) => match self.definitions.find(key, used) {
                Ok(number) => number,
                Err(MissingFrames::NoDefinition) => UNDEFINED,
                Err(_) => REFUSED,
            },
        }
    }

    /// Returns the frames of a part.
    fn frames(&self, number: u32) -> Result<&[u64], MissingFrames> {
        match number {
            REFUSED => Err(MissingFrames::TooMany),
            UNDEFINED => Err(MissingFrames::NoDefinition),
            number => Ok(self.interned.get(number)),
        }
    }

    fn push(&mut self, of: OwnerAt, part: StackPart, frames: Frames) {
        if self.runs.len() >= self.caps.stacks {
            self.refused += 1;
            return;
        }
        let whose = self.whose.number(Whose::new(of, part));
        self.runs.add(PartOf { tick: of.tick, whose, frames }, &self.whose);
    }
}
