//! Why nothing is known of an id.

/// Why nothing is known of a process, a thread or a name at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Unknown {
    /// The event has no id: its field is missing, 0xFFFFFFFF, or a null key.
    NoId,
    /// Id 0 is the idle process with its threads, and no event mentions it.
    Idle,
    /// No event of the trace mentions any such thing.
    NoFacts,
    /// It is mentioned for a later time only.
    Later,
    /// It ended before.
    Ended,
    /// No event mentions it. No rundown lists what was there all along, so it may have been.
    NoRundown,
    /// No event mentions it, although rundowns list others: it came or went where no event or rundown saw it.
    NotInRundown,
    /// The lookup was by an event of another machine or boot.
    OtherMachine,
    /// A [`FileTime`](crate::time::FileTime) was asked for, and the clock of the trace is not known.
    NoClock,
}

impl Unknown {
    /// Returns the reason in words.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::NoId => "the event has no id",
            Self::Idle => "id 0, the idle process, which no event mentions",
            Self::NoFacts => "the trace mentions none",
            Self::Later => "mentioned for a later time only",
            Self::Ended => "ended before",
            Self::NoRundown => "never mentioned, and there is no rundown",
            Self::NotInRundown => "never mentioned, although there is a rundown",
            Self::OtherMachine => "the event is of another machine or boot",
            Self::NoClock => "the clock of the trace is not known",
        }
    }

    /// Returns the reason for an id that no event mentions.
    pub(super) const fn never(none: bool, rundown: bool) -> Self {
        match (none, rundown) {
            (true, _) => Self::NoFacts,
            (false, true) => Self::NotInRundown,
            (false, false) => Self::NoRundown,
        }
    }
}
