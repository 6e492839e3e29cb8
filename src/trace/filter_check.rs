//! Whether single events pass a filter.

use crate::decode::Scratch;
use crate::event::RawEvent;

use super::Trace;
use super::accept::Accept;
use super::filter::Filter;

/// Whether events of a trace pass a filter: for programs that read all events, and treat differently those that pass.
#[derive(Debug)]
pub struct FilterCheck<'t> {
    trace: &'t Trace,
    accept: Accept,
    /// First and last time, in the terms that events are sorted by.
    window: (i64, i64),
    scratch: Scratch,
}

impl<'t> FilterCheck<'t> {
    /// Makes a filter ready for a trace.
    pub fn new(trace: &'t Trace, filter: &Filter) -> Self {
        let accept = Accept::new(filter, trace);
        Self { trace, accept, window: trace.window(&filter.time), scratch: Scratch::default() }
    }

    /// Returns whether an event of the trace passes: whether [`Trace::select`] with the same filter returns it.
    pub fn passes(&mut self, event: &RawEvent<'_>) -> bool {
        let (from, to) = self.window;
        let key = self.trace.sort_clock().key(event.place().file, event.time());
        (from..=to).contains(&key)
            && (self.accept.takes_all() || self.accept.takes(event, self.trace, &mut self.scratch))
    }
}
