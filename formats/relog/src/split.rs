//! Cutting a trace into several files.

use std::collections::BTreeMap;
use std::time::Duration;

use etwkit::event::RawEvent;
use etwkit::trace::{EventType, Filter, Glob, Order};
use etwkit::{FileTime, Trace};

use crate::error::{Error, Result};

/// How a trace is cut. Every part has what is needed to read its events, so parts together are larger than the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Split {
    /// A file for each stretch of time of this length.
    Time(Duration),
    /// Files of about so many bytes, before compression, one after the other in time.
    Size(u64),
    /// A file for each process that an event is about.
    Process,
    /// A file for each provider.
    Provider,
}

/// One file of several.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Part {
    /// A text for its name: a number, or process and provider.
    pub label: String,
    /// The events of the file.
    pub filter: Filter,
}

/// The files of a trace that is cut.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Parts {
    /// In the order of time, or by process or provider.
    pub list: Vec<Part>,
    /// Events that pass the filter and are in no file: about no process, or of a type beyond the limits.
    pub left_out: u64,
}

/// Maximum number of files of one trace.
const MOST_PARTS: usize = 10_000;

impl Parts {
    /// Plans the files for the events that pass a filter. Reads all events once, unless it cuts by time.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] for more than 10,000 files, for times of a trace whose clock is not known, and for a size
    /// that the descriptions of events and processes alone take; those of reading.
    pub fn new(trace: &Trace, filter: &Filter, split: Split) -> Result<Self> {
        let parts = match split {
            Split::Time(length) => by_time(trace, filter, length)?,
            Split::Size(bytes) => by_size(trace, filter, bytes)?,
            Split::Process => by_process(trace, filter)?,
            Split::Provider => by_provider(trace, filter)?,
        };
        if parts.list.len() > MOST_PARTS { Err(refused(trace, TOO_MANY)) } else { Ok(parts) }
    }
}

const TOO_MANY: &str = "this would make more than 10,000 files";
const NO_CLOCK: &str = "its clock is not known, so it cannot be cut by time";
const TOO_SMALL: &str = "the descriptions of events, processes and images, which each file needs, are larger than that";

fn refused(trace: &Trace, why: &'static str) -> Error {
    let file = trace.files().first().map(|file| file.source.name().to_owned());
    Error::Refused { file: file.unwrap_or_default(), why }
}

fn by_time(trace: &Trace, filter: &Filter, length: Duration) -> Result<Parts> {
    let (first, last) = span(trace, filter).ok_or_else(|| refused(trace, NO_CLOCK))?;
    let length = i64::try_from(length.as_nanos() / 100).unwrap_or(i64::MAX).max(1);
    let count = last.0.saturating_sub(first.0) / length + 1;
    if usize::try_from(count).is_ok_and(|count| count > MOST_PARTS) {
        return Err(refused(trace, TOO_MANY));
    }
    let starts = (0..count).map(|number| first.0 + number * length);
    Ok(windows(filter, &starts.collect::<Vec<_>>()))
}

/// Returns the first and the last time of the events that a filter may want.
fn span(trace: &Trace, filter: &Filter) -> Option<(FileTime, FileTime)> {
    let spans: Vec<(FileTime, FileTime)> =
        (0..trace.files().len()).filter_map(|number| span_of(trace, number)).collect();
    let first = spans.iter().map(|(first, _)| *first).min()?;
    let last = spans.iter().map(|(_, last)| *last).max()?;
    let time = filter.time;
    let offset = |duration: Duration| i64::try_from(duration.as_nanos() / 100).unwrap_or(i64::MAX);
    // The filter counts from the start of the session, which may be long before the first event.
    let zero = trace.start().unwrap_or(first).0;
    let start = time.from_start.map_or(first.0, |from| zero.saturating_add(offset(from)));
    let end = time.to_start.map_or(last.0, |to| zero.saturating_add(offset(to)));
    let start = time.since.map_or(start, |since| start.max(since.0)).max(first.0);
    let end = time.until.map_or(end, |until| end.min(until.0)).min(last.0);
    Some((FileTime(start), FileTime(end.max(start))))
}

/// Returns the first and the last time of a file.
fn span_of(trace: &Trace, number: usize) -> Option<(FileTime, FileTime)> {
    let (counts, clock) = (trace.counts(number)?, trace.clock(u16::try_from(number).ok()?)?);
    Some((clock.filetime(counts.first_time?)?, clock.filetime(counts.last_time?)?))
}

/// Makes parts that begin at these times. The first one has all that is before it, the last one all that is after it.
fn windows(filter: &Filter, starts: &[i64]) -> Parts {
    let part = |number: usize| {
        let since = starts.get(number).filter(|_| number > 0).map(|start| FileTime(*start));
        let until = starts.get(number + 1).map(|start| FileTime(start - 1));
        let mut time = filter.time;
        time.since = time.since.max(since);
        time.until = [time.until, until].into_iter().flatten().min();
        Part { label: format!("{:03}", number + 1), filter: filter.clone().time(time) }
    };
    Parts { list: (0..starts.len()).map(part).collect(), left_out: 0 }
}

fn by_size(trace: &Trace, filter: &Filter, bytes: u64) -> Result<Parts> {
    let clock = *trace.clock(0).ok_or_else(|| refused(trace, NO_CLOCK))?;
    let (first, _) = span(trace, filter).ok_or_else(|| refused(trace, NO_CLOCK))?;
    let taken = |event: &RawEvent<'_>| event.bytes().len().next_multiple_of(8) as u64;
    // What others need is in every file.
    let mut context = 0;
    let mut events = trace.events_in(Order::File, &Filter::default());
    while let Some(event) = events.next_raw()? {
        context += if is_learned_from(trace, &event) { taken(&event) } else { 0 };
    }
    let room = bytes.checked_sub(context).filter(|room| *room >= bytes / 8).ok_or_else(|| refused(trace, TOO_SMALL))?;
    let (mut starts, mut used) = (vec![first.0], 0);
    let mut events = trace.select(filter);
    while let Some(event) = events.next_raw()? {
        if is_learned_from(trace, &event) {
            continue;
        }
        used += taken(&event);
        let time = clock.filetime(event.time()).map_or(0, |time| time.0);
        // Events of one time are in one file.
        if used > room && starts.last().is_some_and(|last| time > *last) {
            if starts.len() > MOST_PARTS {
                return Err(refused(trace, TOO_MANY));
            }
            starts.push(time);
            used = taken(&event);
        }
    }
    Ok(windows(filter, &starts))
}

fn is_learned_from(trace: &Trace, event: &RawEvent<'_>) -> bool {
    trace.type_of(event).is_some_and(EventType::is_learned_from)
}

fn by_process(trace: &Trace, filter: &Filter) -> Result<Parts> {
    let mut found: BTreeMap<u32, String> = BTreeMap::new();
    let mut left_out = 0;
    let mut events = trace.select(filter);
    while let Some(event) = events.next()? {
        match event.pid() {
            None => left_out += 1,
            Some(pid) if found.len() > MOST_PARTS && !found.contains_key(&pid) => return Err(refused(trace, TOO_MANY)),
            Some(pid) => {
                found.entry(pid).or_insert_with(|| event.process_name().unwrap_or_default().to_owned());
            }
        }
    }
    let part = |(pid, name): (u32, String)| {
        let label = if name.is_empty() { pid.to_string() } else { format!("{name}-{pid}") };
        Part { label, filter: filter.clone().pids([pid]) }
    };
    Ok(Parts { list: found.into_iter().map(part).collect(), left_out })
}

fn by_provider(trace: &Trace, filter: &Filter) -> Result<Parts> {
    let (mut found, mut left_out) = (BTreeMap::<String, String>::new(), 0);
    let mut events = trace.select(filter);
    while let Some(event) = events.next_raw()? {
        let Some(row) = trace.type_of(&event) else {
            left_out += 1;
            continue;
        };
        let guid = row.provider_guid().to_string();
        found.entry(guid).or_insert_with(|| row.provider().to_owned());
    }
    let part =
        |(guid, name): (String, String)| Part { label: name, filter: filter.clone().providers([Glob::new(&guid)]) };
    Ok(Parts { list: found.into_iter().map(part).collect(), left_out })
}
