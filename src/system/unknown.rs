//! Why nothing is known of an id.

/// Why nothing is known of a process, a thread or a name at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Unknown {
    /// The event does not tell the id: it has none, 0xFFFFFFFF, or a null key.
    NotTold,
    /// Id 0 is the idle process with its threads, and nothing in the trace tells of it.
    Idle,
    /// Nothing in the trace tells of any such thing.
    NoneTold,
    /// It is told of for a later time only.
    Later,
    /// It ended before.
    Ended,
    /// Nothing tells of it. No rundown lists what was there all along, so it may have been.
    NoRundown,
    /// Nothing tells of it, although rundowns list others: it came or went where no event or rundown saw it.
    NotInRundown,
}

impl Unknown {
    /// The reason in words.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::NotTold => "the event does not tell it",
            Self::Idle => "id 0, the idle process, which nothing tells of",
            Self::NoneTold => "the trace tells of none",
            Self::Later => "told of for a later time only",
            Self::Ended => "ended before",
            Self::NoRundown => "never told of, and there is no rundown",
            Self::NotInRundown => "never told of, although there is a rundown",
        }
    }

    /// For an id of which no event tells.
    pub(super) const fn never(none: bool, rundown: bool) -> Self {
        match (none, rundown) {
            (true, _) => Self::NoneTold,
            (false, true) => Self::NotInRundown,
            (false, false) => Self::NoRundown,
        }
    }
}
