//! Files for stretches of time.

use std::time::Duration;

use etwkit::trace::{Filter, TimeRange};
use etwkit::{FileTime, Trace};

use super::parts::{MOST_PARTS, NO_CLOCK, Part, Parts, TOO_MANY, refused};
use crate::clocks::FilterClocks;
use crate::error::Result;

/// Plans a file for each stretch that has events.
pub(super) fn by_time(trace: &Trace, filter: &Filter, length: Duration) -> Result<Parts> {
    let clocks = FilterClocks::new(trace);
    let first = first_time(trace, filter, &clocks)?.ok_or_else(|| refused(trace, NO_CLOCK))?.0;
    let length = i64::try_from(length.as_nanos() / 100).unwrap_or(i64::MAX).max(1);
    let (mut starts, mut events) = (Vec::<i64>::new(), trace.select(filter));
    while let Some(event) = events.next_raw()? {
        let Some(time) = clocks.time(&event).filter(|_| !trace.is_log_header(&event)) else { continue };
        let after = time.0.saturating_sub(first).max(0);
        let start = first.saturating_add(after - after % length);
        if starts.last().is_none_or(|last| start > *last) {
            if starts.len() >= MOST_PARTS {
                return Err(refused(trace, TOO_MANY));
            }
            starts.push(start);
        }
    }
    Ok(windows(filter, &starts))
}

/// Returns from when on stretches count: the first time of the events that a filter may want.
fn first_time(trace: &Trace, filter: &Filter, clocks: &FilterClocks<'_>) -> Result<Option<FileTime>> {
    let Some(first) = first_of_all(trace, clocks)? else { return Ok(None) };
    let time = filter.time;
    let offset = |duration: Duration| i64::try_from(duration.as_nanos() / 100).unwrap_or(i64::MAX);
    // The filter counts from the start of the session, which may be long before the first event.
    let zero = trace.start().unwrap_or(first).0;
    let from = time.since_offset.map_or(first.0, |from| zero.saturating_add(offset(from)));
    Ok(Some(FileTime(time.since.map_or(from, |since| from.max(since.0)).max(first.0))))
}

/// Returns the first time of all events. A single time stamp that cannot be converted hides none of the others.
fn first_of_all(trace: &Trace, clocks: &FilterClocks<'_>) -> Result<Option<FileTime>> {
    if let Some((first, _)) = trace.first_and_last() {
        return Ok(Some(first));
    }
    let mut events = trace.events();
    while let Some(event) = events.next_raw()? {
        if let Some(time) = clocks.time(&event).filter(|_| !trace.is_log_header(&event)) {
            return Ok(Some(time));
        }
    }
    Ok(None)
}

/// Makes parts that begin at these times. The first one has all that is before it, the last one all that is after it.
pub(super) fn windows(filter: &Filter, starts: &[i64]) -> Parts {
    let digits = starts.len().to_string().len().max(3);
    let part = |number: usize| {
        let since = starts.get(number).filter(|_| number > 0).map(|start| FileTime(*start));
        let until = starts.get(number + 1).map(|start| FileTime(start - 1));
        let time = within(filter, since, until);
        Part { label: format!("{:0digits$}", number + 1), pid: None, filter: filter.clone().time(time) }
    };
    Parts { list: (0..starts.len()).map(part).collect(), left_out: 0 }
}

/// Returns the window of a filter without what is before and after two times.
pub(super) fn within(filter: &Filter, since: Option<FileTime>, until: Option<FileTime>) -> TimeRange {
    let mut time = filter.time;
    time.since = time.since.max(since);
    time.until = [time.until, until].into_iter().flatten().min();
    time
}
