//! Spans of time.

use etwkit::FileTime;
use etwkit::error::Result;
use etwkit::trace::{TimeRange, Trace};

use crate::guids::ETWKIT;

/// Returns the milliseconds between two times; negative if `to` is before `from`.
#[expect(clippy::cast_precision_loss, reason = "spans of a trace are below 2^53 units of 100 ns")]
pub fn milliseconds(from: FileTime, to: FileTime) -> f64 {
    to.0.saturating_sub(from.0) as f64 / FileTime::UNITS_PER_MILLISECOND as f64
}

/// Returns the seconds from the first to the last event of a trace, as far as they are in a range: what rates of its events
/// are over. Headers and what `etwkit relog` adds to a copy do not count, as they have the time at which the session started.
/// `None` if there is no time between them.
///
/// # Errors
///
/// Returns an error if the trace cannot be read.
pub fn chosen_seconds(trace: &Trace, range: &TimeRange) -> Result<Option<f64>> {
    let Some((first, last)) = trace.first_and_last() else { return Ok(None) };
    let first = first_of_copy(trace)?.unwrap_or(first);
    let (since, until) = range.bounds(trace.start());
    let (first, last) = (since.map_or(first, |since| first.max(since)), until.map_or(last, |until| last.min(until)));
    let units = u64::try_from(last.0.saturating_sub(first.0)).ok().filter(|units| *units > 0);
    Ok(units.map(|units| real(units) / FileTime::UNITS_PER_SECOND as f64))
}

/// Returns the time of the first event of a trace with copies that is of the original; `None` of other traces.
fn first_of_copy(trace: &Trace) -> Result<Option<FileTime>> {
    if !trace.types().iter().any(|row| row.key().provider == ETWKIT) {
        return Ok(None);
    }
    let mut events = trace.events();
    while let Some(event) = events.next_raw()? {
        if !trace.is_log_header(&event) && event.key().provider != ETWKIT {
            return Ok(trace.clock(event.place().file).and_then(|clock| clock.filetime(event.time())));
        }
    }
    Ok(None)
}

/// Returns how many things there are in a second.
pub fn per_second(things: u64, seconds: f64) -> f64 {
    real(things) / seconds
}

#[expect(clippy::cast_precision_loss, reason = "times and counts of a trace are below 2^53")]
const fn real(number: u64) -> f64 {
    number as f64
}

/// Returns units of 100 ns as milliseconds.
#[expect(clippy::cast_precision_loss, reason = "times of a trace are below 2^53 units of 100 ns")]
#[inline]
pub fn units_to_milliseconds(units: u64) -> f64 {
    units as f64 / FileTime::UNITS_PER_MILLISECOND as f64
}
