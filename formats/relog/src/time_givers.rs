//! Events that others need because they have their time: a message without a time stamp has that of the event before it
//! in its buffer, or after it if it is among the first (section 6 of the format). So has an ERROR event, of whose header
//! only the length is known (section 5.11).

use std::collections::BTreeMap;

use etwkit::container::{Arena, Step, Walk};
use etwkit::event::{Kind, RawEvent};
use etwkit::{RawTime, Trace};

use crate::error::Result;

/// The last event of each processor, and the time of the one that must come next.
#[derive(Debug)]
pub(crate) struct TimeGivers {
    /// Whether the trace has events that may be without a time.
    is_used: bool,
    by_processor: BTreeMap<u16, Last>,
}

/// The last event of a processor.
#[derive(Debug)]
struct Last {
    time: RawTime,
    /// What is copied if its time is needed, unless it is copied itself.
    giver: Option<TimeGiver>,
    /// Whether it has no time, and no event before it gives it one.
    awaits: bool,
}

/// An event that is copied for its time.
#[derive(Debug)]
pub(crate) struct TimeGiver {
    pub(crate) bytes: Vec<u8>,
    /// Whether it is an event of the trace that was left out, and nothing that replaces one.
    pub(crate) is_of_trace: bool,
}

impl TimeGivers {
    pub(crate) fn new(trace: &Trace) -> Self {
        let is_used = trace.types().iter().any(|row| matches!(row.key().kind, Kind::Wpp | Kind::Error));
        Self { is_used, by_processor: BTreeMap::new() }
    }

    /// Returns whether the event before this one takes its time.
    pub(crate) fn is_awaited(&self, event: &RawEvent<'_>) -> bool {
        let last = self.by_processor.get(&event.processor());
        last.is_some_and(|last| last.awaits && last.time == event.time()) && event.has_time()
    }

    /// Notes an event that is not copied.
    pub(crate) fn leave_out(&mut self, event: &RawEvent<'_>) {
        self.give(event, || TimeGiver { bytes: event.bytes().to_vec(), is_of_trace: true });
    }

    /// Notes an event that is never copied, and what has its time instead.
    pub(crate) fn replace(&mut self, event: &RawEvent<'_>, bytes: impl FnOnce() -> Vec<u8>) {
        self.give(event, || TimeGiver { bytes: bytes(), is_of_trace: false });
    }

    fn give(&mut self, event: &RawEvent<'_>, giver: impl FnOnce() -> TimeGiver) {
        if self.is_used && event.has_time() {
            let last = Last { time: event.time(), giver: Some(giver()), awaits: false };
            self.by_processor.insert(event.processor(), last);
        }
    }

    /// Notes an event that is copied next, and returns what must be copied before it, at the same time.
    pub(crate) fn before(&mut self, event: &RawEvent<'_>) -> Option<TimeGiver> {
        if !self.is_used {
            return None;
        }
        let (time, has_time) = (event.time(), event.has_time());
        let giver = self.by_processor.remove(&event.processor()).filter(|last| !has_time && last.time == time);
        let awaits = !has_time && giver.as_ref().is_none_or(|last| last.awaits);
        self.by_processor.insert(event.processor(), Last { time, giver: None, awaits });
        giver.and_then(|last| last.giver)
    }
}

/// Returns the processors of the headers of files whose time the next event of their buffer has: in a copy, something
/// stands for each of them.
pub(crate) fn headers_with_time(trace: &Trace) -> Result<Vec<u16>> {
    let (mut arena, mut processors) = (Arena::default(), Vec::new());
    for (number, buffer) in (0..).zip(trace.buffers()).filter(|(_, buffer)| buffer.offset == 0) {
        let Some(file) = trace.file(buffer.file) else { continue };
        let mut walk = Walk::new(arena.load(&file.source, &buffer)?.bytes, &buffer, number);
        let mut events = std::iter::from_fn(|| walk.step()).filter_map(|step| match step {
            Step::Event(event) => Some(event),
            Step::UnreadBytes(_) => None,
        });
        let has_header = events.next().is_some_and(|first| trace.is_log_header(&first));
        if has_header && events.next().is_some_and(|second| !second.has_time()) {
            processors.push(buffer.processor);
        }
    }
    Ok(processors)
}
