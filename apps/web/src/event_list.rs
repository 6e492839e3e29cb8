//! The events that pass a filter, by number: which part of the trace holds which.

use etwkit::decode::Event;
use etwkit::trace::{Events, ReadyFilter, Trace, TracePart};
use serde::Serialize;

use crate::facets::Facets;

/// A list of events. It holds counts, not events: a part of the trace is decoded again to show rows of it.
#[derive(Debug)]
pub(crate) struct EventList {
    filter: ReadyFilter,
    /// Events up to the end of each part that was read.
    ends: Vec<u64>,
    pub(crate) facets: Facets,
}

/// How far a list has been read.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Progress {
    /// Events that pass so far.
    pub(crate) rows: u64,
    /// Parts of the trace that were read.
    pub(crate) parts: usize,
    /// All parts.
    pub(crate) of: usize,
}

impl EventList {
    pub(crate) fn new(trace: &Trace, filter: ReadyFilter) -> Self {
        Self { filter, ends: Vec::new(), facets: Facets::new(trace) }
    }

    /// Returns the number of events that were found so far.
    pub(crate) fn len(&self) -> u64 {
        self.ends.last().copied().unwrap_or_default()
    }

    pub(crate) fn progress(&self, parts: &[TracePart]) -> Progress {
        Progress { rows: self.len(), parts: self.ends.len(), of: parts.len() }
    }

    /// Reads the next part; nothing if all were read.
    pub(crate) fn step(&mut self, trace: &Trace, parts: &[TracePart]) -> etwkit::Result<()> {
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
    pub(crate) fn read(
        &self,
        trace: &Trace,
        parts: &[TracePart],
        from: u64,
        mut each: impl FnMut(u64, &Event<'_>) -> etwkit::Result<bool>,
    ) -> etwkit::Result<()> {
        let mut number = from;
        let first = self.ends.partition_point(|end| *end <= from);
        for (at, end) in self.ends.iter().enumerate().skip(first) {
            if *end <= number {
                continue;
            }
            let Some(part) = parts.get(at) else { break };
            let begin = at.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or_default();
            let mut events = trace.events_of(part, &self.filter);
            skip(&mut events, number - begin)?;
            while let Some(event) = events.next()? {
                if !each(number, &event)? {
                    return Ok(());
                }
                number += 1;
            }
        }
        Ok(())
    }

    /// Returns the events of one part.
    pub(crate) fn part<'t>(&self, trace: &'t Trace, parts: &[TracePart], part: usize) -> Option<Events<'t>> {
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
