//! What is asked of spans.

use std::fmt;
use std::str::FromStr;

use etwkit::bytes::Guid;
use etwkit::{EventType, Trace};

use crate::activity::activity_path;

/// Options for spans.
#[derive(Clone, Debug, Default)]
pub struct SpanOptions {
    /// Pairs of events that are spans, too.
    pub pairs: Vec<Pair>,
    /// What is kept of each span.
    pub keep: Keep,
    /// Only spans of an activity; in a tree, what happened within it.
    pub activity: Option<ActivityQuery>,
}

/// The data that is kept of each span.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// Its duration, for a table.
    #[default]
    Durations,
    /// All of it, for a list.
    Spans,
    /// All of the longest ones, so many: the list has these, the longest first.
    Longest(usize),
    /// All of it and the span within which it ran.
    Tree,
}

/// Two events of a provider that are the start and the stop of a span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    pub(crate) start: Which,
    pub(crate) stop: Which,
}

/// An event of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    Opcode(u8),
    Name(Box<str>),
}

/// A text is not a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParsePairError;

impl fmt::Display for ParsePairError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a pair is START:STOP, two different names or opcodes of events")
    }
}

impl std::error::Error for ParsePairError {}

impl FromStr for Pair {
    type Err = ParsePairError;

    /// Reads `START:STOP`: each is the name of an event, `Task/Opcode`, that of its task or opcode, or the number of an
    /// opcode.
    fn from_str(text: &str) -> Result<Self, ParsePairError> {
        let (start, stop) = text.split_once(':').ok_or(ParsePairError)?;
        let which = |text: &str| match text.trim() {
            "" => None,
            text => Some(text.parse().map_or_else(|_| Which::Name(text.into()), Which::Opcode)),
        };
        let (start, stop) = (which(start).ok_or(ParsePairError)?, which(stop).ok_or(ParsePairError)?);
        if start.same(&stop) { Err(ParsePairError) } else { Ok(Self { start, stop }) }
    }
}

impl Pair {
    /// Returns whether a trace has events that its start names, and such that its stop names.
    pub fn has_events(&self, trace: &Trace) -> [bool; 2] {
        let has = |which: &Which| {
            let has_opcode = |row: &EventType| Some(row.key().opcode) == which.opcode();
            let is_named = |row: &EventType| row.name().is_some_and(|name| which.is_named(name));
            trace.types().iter().any(|row| has_opcode(row) || is_named(row))
        };
        [has(&self.start), has(&self.stop)]
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.start, self.stop)
    }
}

impl Which {
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Name(a), Self::Name(b)) => a.eq_ignore_ascii_case(b),
            _ => self == other,
        }
    }

    /// Returns whether it is the name of an event, of its task, or of its opcode.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        let Self::Name(own) = self else { return false };
        let is = |part: &str| part.eq_ignore_ascii_case(own);
        is(name) || name.split_once('/').is_some_and(|(task, opcode)| is(task) || is(opcode))
    }

    pub(crate) const fn opcode(&self) -> Option<u8> {
        match self {
            Self::Opcode(number) => Some(*number),
            Self::Name(_) => None,
        }
    }
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Opcode(number) => number.fmt(f),
            Self::Name(name) => f.write_str(name),
        }
    }
}

/// An activity that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActivityQuery {
    /// By its id.
    Id(Guid),
    /// By the path that its id contains: `//1/2/3`. Several processes may have it.
    Path(Box<str>),
}

impl FromStr for ActivityQuery {
    type Err = etwkit::bytes::ParseGuidError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.starts_with("//") { Ok(Self::Path(text.into())) } else { text.parse().map(Self::Id) }
    }
}

impl ActivityQuery {
    /// Returns whether an activity is the one that is asked for.
    pub fn is(&self, activity: Guid) -> bool {
        match self {
            Self::Id(id) => *id == activity,
            Self::Path(path) => activity_path(activity, None).as_deref() == Some(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_two_names_or_opcodes() {
        let pair: Pair = "Parse:SendComplete".parse().unwrap();
        assert_eq!(pair.to_string(), "Parse:SendComplete");
        assert!(pair.start.is_named("HTTPRequestTraceTask/Parse") && pair.start.is_named("parse"));
        assert!(!pair.start.is_named("HTTPRequestTraceTask/ParseMore"));
        assert_eq!("12:51".parse::<Pair>().unwrap().start.opcode(), Some(12));
        for wrong in ["", "Parse", ":", "Parse:", "a:A", "7:7"] {
            assert_eq!(wrong.parse::<Pair>(), Err(ParsePairError), "{wrong}");
        }
    }
}
