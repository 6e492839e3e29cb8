//! What cannot be copied.

use etwkit::container::Head;
use etwkit::format::Framing;
use etwkit::trace::TraceFile;
use etwkit::{Input, Trace};

use crate::clocks::first_to_start;
use crate::error::{Error, Result};

/// Refuses what cannot be copied.
pub(crate) fn check(trace: &Trace) -> Result<()> {
    let refused = |file: &Input, why| Err(Error::Refused { file: file.name().to_owned(), why });
    let [first, others @ ..] = trace.files() else { return Ok(()) };
    for file in trace.files() {
        if file.head.framing() == Framing::Records {
            return refused(&file.source, "its records (.btl) have another form than the events of .etl buffers");
        }
        if file.head.is_pre_vista() {
            return refused(&file.source, "buffers of Windows before Vista have another layout");
        }
    }
    for file in others {
        if let Some(why) = difference(&first.head, &file.head) {
            return refused(&file.source, why);
        }
    }
    if let Some(file) = trace.files().iter().find(|file| is_beyond_clock(trace, file)) {
        return refused(&file.source, BEYOND_CLOCK);
    }
    if trace.systems().iter().count() > 1
        && let Some(file) = others.first()
    {
        return refused(&file.source, "the files are of different machines or boots: they cannot be one file");
    }
    Ok(())
}

/// Returns whether the clock of the copy cannot convert the time stamp at which a file begins, though its own clock can:
/// a damaged time stamp makes a file the first one to start.
fn is_beyond_clock(trace: &Trace, file: &TraceFile) -> bool {
    let own = &file.head.clock;
    let of_copy = first_to_start(trace).and_then(|first| first.head.clock.filetime(own.zero()));
    of_copy.is_none() && own.is_known()
}

/// Returns why the events of one file cannot be under the header of the first one.
fn difference(first: &Head, own: &Head) -> Option<&'static str> {
    let clock = |head: &Head| (head.clock.kind(), head.clock.frequency());
    if clock(first) != clock(own) || first.is_missing() {
        return Some("its clock differs from that of the first file: the events cannot be in one file");
    }
    if first.log.mode.is_private() != own.log.mode.is_private() {
        return Some(if own.log.mode.is_private() { PRIVATE } else { NOT_PRIVATE });
    }
    let has_other_ticks = first.log.timer_resolution != own.log.timer_resolution;
    has_other_ticks
        .then_some("its clock ticks, which count CPU times, have another length than those of the first file")
}

const BEYOND_CLOCK: &str =
    "the clock of the file that starts first cannot convert its start: one of their headers is damaged";
const PRIVATE: &str =
    "it is of a private session, and the first file is not: their events state CPU times in different forms";
const NOT_PRIVATE: &str =
    "the first file is of a private session, and this one is not: their events state CPU times in different forms";
