//! The clock of a copy, which is that of the file that starts first, and those of the other files.
//!
//! The raw times of files of one boot are comparable: the counter goes on when somebody sets the machine's clock. Their
//! conversions to UTC are not: each file states the UTC of its own start.

use etwkit::FileId;
use etwkit::clock::Clock;
use etwkit::event::RawEvent;
use etwkit::format::ClockType;
use etwkit::trace::TraceFile;
use etwkit::{FileTime, Trace};

/// Returns the file whose session started first, from which the copy counts its times, in whatever order files are given.
/// By its UTC another one may have, if the clock was set back.
pub(crate) fn first_to_start(trace: &Trace) -> Option<&TraceFile> {
    trace.files().iter().min_by_key(|file| file.head.clock.zero())
}

/// Returns by how much the times of each file are later in a copy of the trace than in the file itself, in units of 100 ns:
/// microseconds by rounding, more if the machine's clock was set or ran at another speed between the files' starts.
pub fn time_shifts(trace: &Trace) -> Vec<i64> {
    let copy = first_to_start(trace).map(|file| file.head.clock);
    let shift = |file: &TraceFile| {
        let (own, zero) = (&file.head.clock, file.head.clock.zero());
        let (old, new) = (own.filetime(zero)?, copy?.filetime(zero)?);
        new.0.checked_sub(old.0)
    };
    trace.files().iter().map(|file| shift(file).unwrap_or_default()).collect()
}

/// Returns whether a trace of one machine sorts its events by raw time. It sorts them by the UTC of their files if these
/// state different boot times, which Windows moves when the clock is set.
pub(crate) fn is_by_raw_time(trace: &Trace) -> bool {
    let counter = |file: &TraceFile| (file.head.log.frequency, file.head.log.boot_time);
    let first = trace.files().first().map(counter);
    let is_same = |file: &TraceFile| Some(counter(file)) == first || file.head.clock.kind() == ClockType::SYSTEM;
    trace.files().iter().all(is_same)
}

/// The clocks by which filters compare times.
#[derive(Debug)]
pub(crate) struct FilterClocks<'t> {
    trace: &'t Trace,
    /// The clock of all files, if their events are sorted by raw time.
    shared: Option<Clock>,
}

impl<'t> FilterClocks<'t> {
    pub(crate) fn new(trace: &'t Trace) -> Self {
        let shared = trace.clock(FileId::FIRST).copied().filter(|_| is_by_raw_time(trace));
        Self { trace, shared }
    }

    /// Returns the time of an event as a filter sees it. In the order of the trace it never falls.
    pub(crate) fn time(&self, event: &RawEvent<'_>) -> Option<FileTime> {
        let own = || self.trace.clock(event.place().file);
        self.shared.as_ref().or_else(own)?.filetime(event.time())
    }
}
