//! Files of a size.

use etwkit::Trace;
use etwkit::event::RawEvent;
use etwkit::trace::{Filter, FilterCheck, Order};

use super::lanes::{Lanes, Whose};
use super::parts::{MOST_PARTS, NO_CLOCK, Parts, TOO_MANY, TOO_SMALL, refused};
use super::time::windows;
use crate::copy::{self, CopyOptions};
use crate::error::Result;
use crate::needed::{Need, Needed};
use crate::writer::EventBytes;

/// Plans files that are not larger than this before compression, unless what they share and the events of one time are.
pub(super) fn by_size(trace: &Trace, options: &CopyOptions, most: u64) -> Result<Parts> {
    let clock = *trace.clock(0).ok_or_else(|| refused(trace, NO_CLOCK))?;
    let filter = &options.filter;
    let mut lanes = shared(trace, options)?;
    if lanes.bytes_of_shared() > most - most / 8 {
        return Err(refused(trace, TOO_SMALL));
    }
    let (mut starts, mut needed, mut wanted) =
        (Vec::new(), Needed::of_none(trace, filter), FilterCheck::new(trace, filter));
    // The time of the first event that only the part has.
    let mut begun = None;
    each_event(trace, |event| {
        let time = clock.filetime(event.time()).map_or(0, |time| time.0);
        let bytes = EventBytes::of(event);
        let (is_shared, is_wanted) = (needed.of(event) == Need::Context, wanted.passes(event));
        if is_wanted && starts.is_empty() {
            starts.push(time);
        }
        match (is_shared, is_wanted) {
            (true, _) => lanes.add(&bytes, time, Whose::All),
            (false, true) => lanes.add(&bytes, time, Whose::Part),
            (false, false) => {}
        }
        if is_shared || !is_wanted {
            return Ok(());
        }
        // Events of one time are in one file.
        if lanes.bytes() > most && begun.is_some_and(|begun| time > begun) {
            if starts.len() >= MOST_PARTS {
                return Err(refused(trace, TOO_MANY));
            }
            starts.push(time);
            lanes.begin_part(time);
            begun = None;
        }
        begun = begun.or(Some(time));
        Ok(())
    })?;
    Ok(windows(filter, &starts))
}

/// Counts what every file has: its header, the note that it is a copy, and what is needed to read any event.
fn shared(trace: &Trace, options: &CopyOptions) -> Result<Lanes> {
    let sample = copy::sample(trace, options)?;
    let mut lanes = Lanes::new(sample.header, sample.room);
    let mut needed = Needed::of_none(trace, &options.filter);
    let note = EventBytes::new(sample.processor, sample.start, &sample.note);
    lanes.expect(&note);
    each_event(trace, |event| {
        if needed.of(event) == Need::Context {
            lanes.expect(&EventBytes::of(event));
        }
        Ok(())
    })?;
    lanes.add(&note, i64::MIN, Whose::All);
    Ok(lanes)
}

/// Hands over all events in order of time, without the headers of files.
fn each_event(trace: &Trace, mut take: impl FnMut(&RawEvent<'_>) -> Result<()>) -> Result<()> {
    let mut events = trace.events_in(Order::Time, &Filter::default());
    while let Some(event) = events.next_raw()? {
        if !trace.is_log_header(&event) {
            take(&event)?;
        }
    }
    Ok(())
}
