//! The events that pass a filter, by number: which part of the trace holds which.

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit::trace::{Events, PreparedFilter, Trace, TracePart};
use serde::Serialize;

use crate::facets::Facets;

/// A list of events. It holds counts, not events: a part of the trace is decoded again to show rows of it.
#[derive(Debug)]
pub struct EventList {
    filter: PreparedFilter,
    /// Events up to the end of each part that was read.
    ends: Vec<u64>,
    /// What its events are, as counts.
    pub facets: Facets,
}

/// How far a list has been read.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Progress {
    /// Events that pass so far.
    pub rows: u64,
    /// Parts of the trace that were read.
    pub parts: usize,
    /// All parts.
    pub of: usize,
}

impl EventList {
    /// A list of what passes the filter, of which no part has been read.
    pub fn new(trace: &Trace, filter: PreparedFilter) -> Self {
        Self { filter, ends: Vec::new(), facets: Facets::new(trace) }
    }

    /// Returns the number of events that were found so far.
    pub fn len(&self) -> u64 {
        self.ends.last().copied().unwrap_or_default()
    }

    /// Returns whether no event was found so far.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how many parts of the trace were read.
    pub fn parts_read(&self) -> usize {
        self.ends.len()
    }

    /// Returns the part that an event is in, by its number; the number of parts read if it was not found yet.
    pub fn part_of(&self, number: u64) -> usize {
        self.ends.partition_point(|end| *end <= number)
    }

    /// Returns the number of the first event of a part, if it has any.
    pub fn begin_of(&self, part: usize) -> u64 {
        part.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or_default()
    }

    /// Returns how far it has been read.
    pub fn progress(&self, parts: &[TracePart]) -> Progress {
        Progress { rows: self.len(), parts: self.ends.len(), of: parts.len() }
    }

    /// Reads the next part; nothing if all were read.
    pub fn step(&mut self, trace: &Trace, parts: &[TracePart]) -> etwkit::Result<()> {
        let Some(part) = parts.get(self.ends.len()) else { return Ok(()) };
        let (mut events, mut count) = (trace.events_of(part, &self.filter), 0);
        while let Some(event) = events.next()? {
            count += 1;
            self.facets.add(&event);
        }
        self.ends.push(self.len() + count);
        Ok(())
    }

    /// Hands events from the number `from` on to `each`, until it returns false or what was read ends.
    pub fn read(
        &self,
        trace: &Trace,
        parts: &[TracePart],
        from: u64,
        mut each: impl FnMut(u64, &Event<'_>) -> etwkit::Result<bool>,
    ) -> etwkit::Result<()> {
        let mut number = from;
        let first = self.part_of(from);
        for (at, end) in self.ends.iter().enumerate().skip(first) {
            if *end <= number {
                continue;
            }
            let Some(part) = parts.get(at) else { break };
            let mut events = trace.events_of(part, &self.filter);
            skip(&mut events, number - self.begin_of(at))?;
            while let Some(event) = events.next()? {
                if !each(number, &event)? {
                    return Ok(());
                }
                number += 1;
            }
        }
        Ok(())
    }

    /// Returns the number of the first event at the time or after it, among the parts that were read; the number of all
    /// events if there is none.
    pub fn at(&self, trace: &Trace, parts: &[TracePart], time: FileTime) -> etwkit::Result<u64> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        let ranges = (0..).zip(begins.zip(self.ends.iter().copied()));
        // Parts that have events of the list, with the numbers of their first ones.
        let filled: Vec<(usize, u64)> =
            ranges.filter(|(_, (begin, end))| begin < end).map(|(part, (begin, _))| (part, begin)).collect();
        let (mut low, mut high) = (0, filled.len());
        while low < high {
            let middle = low.midpoint(high);
            let begins_later = match filled.get(middle) {
                Some((part, _)) => self.before(trace, parts, *part, time)? == 0,
                None => true,
            };
            if begins_later { high = middle } else { low = middle + 1 }
        }
        match low.checked_sub(1).and_then(|at| filled.get(at)) {
            Some((part, begin)) => Ok(begin + self.before(trace, parts, *part, time)?),
            None => Ok(0),
        }
    }

    /// Returns how many events of a part are before the time.
    fn before(&self, trace: &Trace, parts: &[TracePart], part: usize, time: FileTime) -> etwkit::Result<u64> {
        let Some(mut events) = self.part(trace, parts, part) else { return Ok(0) };
        let mut count = 0;
        while let Some(event) = events.next()? {
            if event.time().is_some_and(|at| at >= time) {
                break;
            }
            count += 1;
        }
        Ok(count)
    }

    /// Returns the events of one part.
    pub fn part<'t>(&self, trace: &'t Trace, parts: &[TracePart], part: usize) -> Option<Events<'t>> {
        parts.get(part).map(|part| trace.events_of(part, &self.filter))
    }
}

fn skip(events: &mut Events<'_>, count: u64) -> etwkit::Result<()> {
    for _ in 0..count {
        if events.next_raw()?.is_none() {
            break;
        }
    }
    Ok(())
}
