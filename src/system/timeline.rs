//! The timeline on which the traced system is kept.
//!
//! Positions on it are ticks: raw time stamps where all files of the machine share one clock, FILETIMEs where they do not. Ticks never
//! leave the crate. Callers give events or [`FileTime`]s and get [`FileTime`]s, whichever files are open.

use std::sync::Arc;

use crate::FileId;
use crate::clock::Clock;
use crate::event::RawEvent;
use crate::time::{FileTime, RawTime};

use super::Machine;

/// The point in time of a lookup: that of an event, or a [`FileTime`].
///
/// An event is exact to the tick of its file's clock. Where that clock is faster than 10 MHz, several ticks share one
/// [`FileTime`]: a lookup by it sees all that began and all that ended within these 100 ns, and of several things the one
/// that began last. Where files of different clocks are read as one trace, facts are kept to 100 ns: of two starts with
/// one id within these, the first is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct When(Point);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Point {
    Event { file: FileId, time: RawTime },
    Time(FileTime),
}

impl From<&RawEvent<'_>> for When {
    #[inline]
    fn from(event: &RawEvent<'_>) -> Self {
        Self(Point::Event { file: event.place().file, time: event.time() })
    }
}

impl From<FileTime> for When {
    fn from(time: FileTime) -> Self {
        Self(Point::Time(time))
    }
}

/// The ticks of one point in time: a single one, or all that share a [`FileTime`]. If there is none of it, `first` is
/// the tick after it and `last` the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ticks {
    pub(crate) first: i64,
    pub(crate) last: i64,
}

impl Ticks {
    #[inline]
    pub(crate) const fn one(tick: i64) -> Self {
        Self { first: tick, last: tick }
    }
}

/// When a fact holds from or until.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(super) tick: i64,
    /// `None` if the clock is not known.
    pub(super) time: Option<FileTime>,
}

/// An event that states what there is, or was until then, but not since when; and the start of its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rundown {
    pub(super) event: Moment,
    pub(super) session: Moment,
}

impl Rundown {
    /// Returns from when something holds that contradicts what an event stated at a tick: from the start of the session,
    /// if that was in an earlier one.
    pub(super) const fn since(self, stated: i64) -> Moment {
        // Events may lie before what the header states as the start.
        if stated < self.session.tick && self.session.tick < self.event.tick { self.session } else { self.event }
    }

    /// Returns the same; `None` if what contradicts it is not stated later.
    pub(super) fn replaces(self, stated: i64) -> Option<Moment> {
        (stated < self.event.tick).then(|| self.since(stated))
    }
}

/// Converts between the times of events, ticks and [`FileTime`]s.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timeline {
    /// The clock of each file of the trace.
    clocks: Arc<[Clock]>,
    /// The machine of each file of the trace.
    machines: Arc<[u16]>,
    /// The machine whose timeline it is.
    machine: u16,
    /// The files of that machine.
    files: Box<[FileId]>,
    /// Whether ticks are FILETIMEs, because the files have different clocks.
    is_utc: bool,
}

impl Timeline {
    /// Makes the timeline of a machine from the clock and the machine of each file of the trace. If its files share a
    /// clock, raw time stamps are ticks, else FILETIMEs.
    pub(crate) fn new(machine: &Machine, clocks: Arc<[Clock]>, machines: Arc<[u16]>, is_shared: bool) -> Self {
        Self { clocks, machines, machine: machine.number, files: machine.files.clone(), is_utc: !is_shared }
    }

    /// The tick of a raw time stamp; the time stamp itself if the clock of its file is not known.
    #[inline]
    pub(crate) fn tick(&self, file: FileId, raw: RawTime) -> i64 {
        if !self.is_utc {
            return raw.0;
        }
        self.filetime(file, raw).map_or(raw.0, |time| time.0)
    }

    /// The tick of an event.
    #[inline]
    pub(crate) fn of(&self, event: &RawEvent<'_>) -> i64 {
        self.tick(event.place().file, event.time())
    }

    /// The tick of an event and its calendar time.
    pub(super) fn moment(&self, event: &RawEvent<'_>) -> Moment {
        let (file, raw) = (event.place().file, event.time());
        Moment { tick: self.tick(file, raw), time: self.filetime(file, raw) }
    }

    /// The start of the session of an event.
    pub(super) fn session(&self, event: &RawEvent<'_>) -> i64 {
        let place = event.place().file;
        let zero = self.clocks.get(place.index()).map(Clock::zero);
        self.tick(place, zero.unwrap_or_else(|| event.time()))
    }

    /// An event of a rundown.
    pub(super) fn rundown(&self, event: &RawEvent<'_>) -> Rundown {
        let moment = self.moment(event);
        let file = event.place().file;
        let zero = self.clocks.get(file.index()).map(Clock::zero);
        let session = zero.map(|zero| Moment { tick: self.tick(file, zero), time: self.filetime(file, zero) });
        Rundown { event: moment, session: session.unwrap_or(moment) }
    }

    /// The ticks of a point in time; `None` for an event of another machine, and for a [`FileTime`] if the clock is not
    /// known.
    pub(super) fn ticks(&self, when: When) -> Option<Ticks> {
        match when.0 {
            Point::Event { .. } if self.is_foreign(when) => None,
            Point::Event { file, time } => Some(Ticks::one(self.tick(file, time))),
            Point::Time(time) if self.is_utc => Some(Ticks::one(time.0)),
            Point::Time(time) => {
                // Files that share a clock may still differ by a unit, as each counts from its own start.
                let clocks = || self.files.iter().filter_map(|file| self.clocks.get(file.index()));
                let first = clocks().filter_map(|clock| clock.first_at(time)).min()?;
                let last = clocks().filter_map(|clock| clock.last_at(time)).max()?;
                Some(Ticks { first: first.0, last: last.0 })
            }
        }
    }

    /// Returns whether a point in time is an event of another machine.
    #[inline]
    pub(super) fn is_foreign(&self, when: When) -> bool {
        let Point::Event { file, .. } = when.0 else { return false };
        self.machines.get(file.index()).is_some_and(|machine| *machine != self.machine)
    }

    fn filetime(&self, file: FileId, raw: RawTime) -> Option<FileTime> {
        self.clocks.get(file.index())?.filetime(raw)
    }
}
