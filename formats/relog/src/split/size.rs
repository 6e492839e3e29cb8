//! Files of a size.

use etwkit::FileId;
use etwkit::Trace;
use etwkit::event::RawEvent;
use etwkit::trace::{Filter, FilterCheck, Order};

use super::lanes::{Lanes, Whose};
use super::parts::{MOST_PARTS, NO_CLOCK, Parts, TOO_MANY, refused, too_small};
use super::time::windows;
use crate::clocks::FilterClocks;
use crate::copy::{self, CopyOptions};
use crate::error::Result;
use crate::needed::{Need, Needed};
use crate::note::note;
use crate::time_givers::headers_with_time;
use crate::writer::EventBytes;

/// Plans files that are not larger than this before compression, unless what they share and the events of one time are.
pub(super) fn by_size(trace: &Trace, options: &CopyOptions, most: u64) -> Result<Parts> {
    trace.clock(FileId::FIRST).ok_or_else(|| refused(trace, NO_CLOCK))?;
    let clocks = FilterClocks::new(trace);
    let filter = &options.filter;
    let mut lanes = shared(trace, options)?;
    let size = Size::new(&lanes, most);
    if !size.has_room {
        return Err(too_small(trace, size.enough));
    }
    let (mut starts, mut needed, mut wanted) =
        (Vec::new(), Needed::of_none(trace, filter), FilterCheck::new(trace, filter));
    // The time of the first event that only the part has.
    let mut begun = None;
    each_event(trace, |event| {
        let time = clocks.time(event).map_or(0, |time| time.0);
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
            if starts.len() >= size.most_parts {
                return Err(if most < size.enough { too_small(trace, size.enough) } else { refused(trace, TOO_MANY) });
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

/// What a size is good for.
struct Size {
    /// Whether any event has room beside what every file has, which takes seven eighths at most.
    has_room: bool,
    /// A size that is large enough in any case.
    enough: u64,
    /// More parts are too many.
    most_parts: usize,
}

/// Parts may take so many times the bytes of one copy, beside what each of them has. They take more where events of many
/// processors take turns, and a part has room for a few of them: it would end at almost every event.
const MOST_TIMES: u64 = 8;

impl Size {
    fn new(lanes: &Lanes, most: u64) -> Self {
        let shared = lanes.bytes_of_shared();
        let enough = lanes.enough_bytes().max((shared * 8).div_ceil(7));
        let has_room = shared <= most - most / 8 && lanes.least_bytes() <= most;
        let sensible = 1 + MOST_TIMES * lanes.own_bytes() / most.saturating_sub(shared).max(1);
        let sensible = if most < enough { usize::try_from(sensible).unwrap_or(MOST_PARTS) } else { MOST_PARTS };
        Self { has_room, enough, most_parts: sensible.min(MOST_PARTS) }
    }
}

/// Counts what every file has: its header, the note that it is a copy, what stands for headers, and what is needed to read any event; and what is
/// in one of them.
fn shared(trace: &Trace, options: &CopyOptions) -> Result<Lanes> {
    let sample = copy::sample(trace, options)?;
    let mut lanes = Lanes::new(sample.header, sample.room);
    let mut needed = Needed::of_none(trace, &options.filter);
    let mut wanted = FilterCheck::new(trace, &options.filter);
    let stand_in = note(sample.start, &[]);
    let mut own = vec![EventBytes::new(sample.processor, sample.start, &sample.note)];
    let headers = headers_with_time(trace)?.into_iter();
    own.extend(headers.map(|processor| EventBytes::new(processor, sample.start, &stand_in)));
    for event in &own {
        lanes.expect(event);
    }
    each_event(trace, |event| {
        if needed.of(event) == Need::Context {
            lanes.expect(&EventBytes::of(event));
        } else if wanted.passes(event) {
            lanes.expect_own(&EventBytes::of(event));
        }
        Ok(())
    })?;
    for event in &own {
        lanes.add(event, i64::MIN, Whose::All);
    }
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
