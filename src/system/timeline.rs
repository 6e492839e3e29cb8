//! The timeline on which the traced system is kept.
//!
//! Positions on it are ticks: raw time stamps where all files share one clock, FILETIMEs where they do not. Ticks never
//! leave the crate. Callers give events or [`FileTime`]s and get [`FileTime`]s, whichever files are open.

use crate::clock::Clock;
use crate::event::RawEvent;
use crate::time::{FileTime, RawTime};

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
    Event { file: u16, time: RawTime },
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

/// Converts between the times of events, ticks and [`FileTime`]s.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timeline {
    /// The clock of each file.
    clocks: Box<[Clock]>,
    /// Whether ticks are FILETIMEs, because the files have different clocks.
    is_utc: bool,
}

impl Timeline {
    /// A timeline of files that share a clock: raw time stamps are ticks.
    pub(crate) const fn shared(clocks: Box<[Clock]>) -> Self {
        Self { clocks, is_utc: false }
    }

    /// A timeline of files whose clocks differ: FILETIMEs are ticks.
    pub(crate) const fn utc(clocks: Box<[Clock]>) -> Self {
        Self { clocks, is_utc: true }
    }

    /// The tick of a raw time stamp; the time stamp itself if the clock of its file is not known.
    #[inline]
    pub(crate) fn tick(&self, file: u16, raw: RawTime) -> i64 {
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

    /// The ticks of a point in time; `None` for a [`FileTime`] if the clock is not known.
    pub(super) fn ticks(&self, when: When) -> Option<Ticks> {
        match when.0 {
            Point::Event { file, time } => Some(Ticks::one(self.tick(file, time))),
            Point::Time(time) if self.is_utc => Some(Ticks::one(time.0)),
            Point::Time(time) => {
                // Files that share a clock may still differ by a unit, as each counts from its own start.
                let first = self.clocks.iter().filter_map(|clock| clock.first_at(time)).min()?;
                let last = self.clocks.iter().filter_map(|clock| clock.last_at(time)).max()?;
                Some(Ticks { first: first.0, last: last.0 })
            }
        }
    }

    fn filetime(&self, file: u16, raw: RawTime) -> Option<FileTime> {
        self.clocks.get(usize::from(file))?.filetime(raw)
    }
}
