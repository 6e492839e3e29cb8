//! How stacks and events were joined, counted.

use std::collections::BTreeMap;

use super::MissingFrames;

/// Why a stack, or a part of one, that came in an event of its own belongs to no event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum UnjoinedReason {
    /// Its event is from before the first or after the last event of the trace.
    Outside,
    /// There are events of its time, but of other threads, and none of an unknown thread on its processor.
    OtherThread,
    /// No event has its time, and the session lost events or the file is damaged.
    Lost,
    /// No event has its time, although the session lost none: it is in another file, or somebody took it out.
    NoEvent,
    /// It belongs to the event before it on its thread, and there is none.
    First,
}

impl UnjoinedReason {
    /// Returns the reason in words.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Outside => "their event is from before or after the trace",
            Self::OtherThread => "events of that time are of other threads",
            Self::Lost => "no event of that time: the session lost events, or the file is damaged",
            Self::NoEvent => "no event of that time, although none was lost",
            Self::First => "no event before it on its thread",
        }
    }
}

/// Why an event has no stack, although others of its kind have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum NoStackReason {
    /// It was written by an idle thread, which has none.
    Idle,
    /// It is older than the first or younger than the last event that has one: stacks were not yet, or no more, taken.
    Outside,
    /// Nothing states its thread, and no stack was written on its processor for its time.
    NoThread,
    /// The session lost events, or the file is damaged: the stack may have been among them.
    Lost,
    /// The trace does not state it. Windows takes none where it may not touch the stack, and none of kinds it was not
    /// asked for.
    NotTaken,
}

impl NoStackReason {
    /// All of them, in order.
    pub(crate) const ALL: [Self; 5] = [Self::Idle, Self::Outside, Self::NoThread, Self::Lost, Self::NotTaken];

    /// Returns the reason in words.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Idle => "idle thread",
            Self::Outside => "before the first or after the last event with a stack",
            Self::NoThread => "thread unknown, and no stack for its time and processor",
            Self::Lost => "the session lost events, or the file is damaged",
            Self::NotTaken => "the session recorded none",
        }
    }
}

/// How the stacks of a trace and its events were joined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StackJoins {
    /// Events that carry their stack, or its key.
    pub inline: u64,
    /// Events that were joined with stacks which came in events of their own.
    pub joined: u64,
    /// Of these, events whose stack was joined with an earlier one, of equal time and thread, too.
    pub shared: u64,
    /// Events with a stack of which something is missing.
    pub incomplete: BTreeMap<MissingFrames, u64>,
    /// Parts of stacks, each an event of its own.
    pub parts: u64,
    /// Parts that belong to an event.
    pub parts_joined: u64,
    /// The other parts.
    pub orphans: BTreeMap<UnjoinedReason, u64>,
    /// Events without a stack, of kinds of which others have one.
    pub bare: BTreeMap<NoStackReason, u64>,
}
