//! The trait of what is weighed.

use std::fmt;

use etwkit::FileTime;
use etwkit::decode::{Event, EventType};
use etwkit::select::{HeaderField, HeaderValue};
use etwkit_analysis::Need;

use crate::Unit;

/// Decides which events are samples of a profile, and what they weigh.
///
/// It reads events on several threads and keeps no state: what depends on other events is expressed by [`Role`].
pub trait Weigher: fmt::Debug + Send + Sync {
    /// Returns what its samples are, in the plural: `CPU samples`.
    fn title(&self) -> &'static str;

    /// Returns the units that its weights have, the usual one first.
    fn units(&self) -> &'static [Unit];

    /// Returns whether the trace states weights in a unit. A profile in a unit that it does not state weighs nothing.
    fn states(&self, _unit: Unit) -> bool {
        true
    }

    /// Returns the usual interval of its samples, in units of 100 ns; `None` if they have none.
    fn interval(&self) -> Option<u64> {
        None
    }

    /// Returns what records its events.
    fn need(&self) -> Need;

    /// Returns whether it reads events of a type.
    fn reads(&self, event_type: &EventType) -> bool;

    /// Returns whether it reads events that begin and end operations ([`Role::Begins`], [`Role::EndsKey`]): then it reads
    /// those that a filter leaves out, too, so that the end of an operation that began outside of the filter is known
    /// as that.
    fn joins_events(&self) -> bool {
        false
    }

    /// Reads an event; `None` if it weighs nothing.
    fn read(&self, event: &Event<'_>) -> Option<Reading>;
}

/// The weight of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Where its weight counts.
    pub role: Role,
    /// Its weight in all units.
    pub amount: Amount,
    /// The thread that it is about, if that is not the one of the event's header.
    pub tid: Option<u32>,
    /// What it is about, as a frame below its stack.
    pub label: Option<Box<str>>,
}

/// Where the weight of an event counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// At its own stack; the time that it stands for begins with it.
    #[default]
    Own,
    /// At its own stack; it ends the time that it stands for.
    Ends,
    /// It begins an operation with a key, which weighs something when it ends.
    Begins(u64, Counted),
    /// It ends the operation with a key: the weight of both counts at the stack of the event that began it. If it does
    /// not state the time, that is the time between the two.
    EndsKey(u64),
}

/// The part of an operation that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Its time, and the bytes that its end states.
    TimeAndBytes,
    /// Its time: what its end states are not bytes.
    Time,
    /// Nothing; its end is not one whose start is missing.
    Nothing,
}

/// A weight in all units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    /// Units of 100 ns; `None` if the event does not state them.
    pub time: Option<u64>,
    /// Bytes, or events of a hardware counter.
    pub size: u64,
}

impl Amount {
    /// Returns the weight in a unit.
    pub const fn weight(self, unit: Unit) -> u64 {
        match unit {
            Unit::Samples => 1,
            Unit::Time => match self.time {
                Some(time) => time,
                None => 0,
            },
            Unit::Bytes | Unit::Events => self.size,
        }
    }
}

/// Returns how long the operation took that an event ends, in units of 100 ns.
pub(crate) fn elapsed(event: &Event<'_>) -> Option<u64> {
    match HeaderField::ElapsedMs.value(event)? {
        // Ticks are converted to whole units: traces have no finer times.
        HeaderValue::Real(milliseconds) => Some((milliseconds * FileTime::UNITS_PER_MILLISECOND as f64).round() as u64),
        _ => None,
    }
}

/// Returns the path of the file that an event is about, as a frame.
pub(super) fn file(event: &Event<'_>) -> Option<Box<str>> {
    match HeaderField::FileName.value(event)? {
        HeaderValue::Text(path) => Some(format!("File {path}").into()),
        _ => None,
    }
}
