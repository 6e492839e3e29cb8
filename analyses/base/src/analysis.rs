//! What an analysis is.

use etwkit::decode::{Event, EventType};
use etwkit::error::Result;
use etwkit::event::EventKey;
use etwkit::trace::{TimeRange, Trace};

use crate::{Interest, Row, Selection};

/// Turns events into the rows of a table.
///
/// [`rows`](crate::rows) runs it: [`Analysis::fact`] reads events on several threads, [`Analysis::step`] receives what
/// it found in order of time on one thread, and [`Analysis::finish`] makes the rows.
///
/// # Filters
///
/// A filter chooses events, and most analyses see no others. Two kinds of analyses would be wrong then, and see all
/// events that they read:
///
/// - Those that join events to things, such as the begin and the end of a collection
///   ([`JOINS_EVENTS`](Analysis::JOINS_EVENTS)). A thing is counted, as a whole, if the filter chooses the first of its
///   events that the trace has: one that begins in a window of time is counted with what comes after the window, and
///   one that began before it is not. What one event states by itself is counted if the filter chooses that event. So
///   each thing is counted in one of several windows that do not overlap, and the sums of windows that cover the trace
///   are those of the trace.
/// - Those that follow a state over time, such as that of each processor
///   ([`NEEDS_ALL_EVENTS`](Analysis::NEEDS_ALL_EVENTS)). They cut what they count at the ends of the window.
pub trait Analysis: Sized {
    /// What one event states. It should be small: those of a slice of the trace are held until they are in order.
    type Fact: Send;

    /// A row of the table.
    type Row: Row;

    /// Whether rows are made of events: then filters choose them.
    const READS_EVENTS: bool = true;

    /// Whether it needs all events that it reads, whatever the filter: then the filter's window of time, processes
    /// and threads choose what is counted ([`Analysis::select`]), and no other condition applies.
    const NEEDS_ALL_EVENTS: bool = false;

    /// Whether it joins events to things, which are counted if the filter chooses the first of their events:
    /// [`Analysis::step`] takes what the chosen events state, and [`Analysis::follow`] what all others state.
    const JOINS_EVENTS: bool = false;

    /// Whether it asks for the stacks of events: then parsers must keep them.
    const NEEDS_STACKS: bool = false;

    /// Whether it asks for the PDB files and original names of images: then parsers must keep them.
    const NEEDS_IMAGE_IDENTITIES: bool = false;

    /// Returns which events it reads.
    fn interest() -> Interest;

    /// Returns whether it reads the events of a key. Only an analysis that reads all events states something else than
    /// its interest.
    fn reads(key: &EventKey) -> bool {
        Self::interest().has(key)
    }

    /// Returns how many events of a trace it reads.
    fn events(trace: &Trace) -> u64 {
        trace.types().iter().filter(|row| Self::reads(row.key())).map(EventType::events).sum()
    }

    /// Begins, before the first event. What holds for the whole trace, whatever the filter, is read here.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace cannot be read.
    fn begin(trace: &Trace) -> Result<Self>;

    /// Takes what the filter chooses, before the first event; `None` if it has conditions on single events.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace cannot be read.
    fn select(&mut self, _: &Trace, _: Option<&Selection>) -> Result<()> {
        Ok(())
    }

    /// Takes the time that the filter chooses, before the first event, whatever its other conditions are.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace cannot be read.
    fn choose_time(&mut self, _: &Trace, _: &TimeRange) -> Result<()> {
        Ok(())
    }

    /// Returns whether a trace has what it needs: events that it reads.
    fn is_answerable(trace: &Trace) -> bool {
        Self::events(trace) > 0
    }

    /// Returns the ids of the process and the thread for which an analysis that joins events counts what an event
    /// states: what conditions of the filter on processes and threads are about. By default it is the event's
    /// attribution.
    fn owner(event: &Event<'_>) -> (Option<u32>, Option<u32>) {
        let whose = event.attribution();
        (whose.pid, whose.tid)
    }

    /// Reads an event; `None` if it states nothing for this analysis.
    fn fact(event: &Event<'_>) -> Option<Self::Fact>;

    /// Returns whether conditions of the filter on processes and threads choose an event that passes all others;
    /// `is_chosen` answers that for the ids of a process and a thread. By default it asks for [`Analysis::owner`]. An
    /// event about several processes leaves in its fact only those that are chosen.
    fn choose(_: &mut Self::Fact, event: &Event<'_>, is_chosen: &dyn Fn((Option<u32>, Option<u32>)) -> bool) -> bool {
        is_chosen(Self::owner(event))
    }

    /// Takes what an event states.
    fn step(&mut self, fact: Self::Fact, trace: &Trace);

    /// Takes what an event states that the filter does not choose, in order of time with those that it chooses: nothing
    /// that begins with it is counted. Only called for analyses that join events ([`Analysis::JOINS_EVENTS`]).
    fn follow(&mut self, _: Self::Fact, _: &Trace) {}

    /// Ends what is open, after the last event.
    fn end(&mut self, _: &Trace) {}

    /// Returns how many things had no room in it, after [`Analysis::end`]: the rows lack them, or state them as all
    /// others. No analysis keeps more than it has a cap for, whatever the trace contains.
    fn excess(&self) -> u64 {
        0
    }

    /// Returns the rows, after [`Analysis::end`], in the order in which people read them: what matters most first.
    fn finish(self, trace: &Trace) -> Vec<Self::Row>;

    /// Returns the same rows one by one. An analysis that keeps what it lists in fewer bytes than its rows have makes
    /// each row when it is asked for, for callers that look at one after the other.
    fn finish_by_row(self, trace: &Trace) -> impl Iterator<Item = Self::Row> {
        self.finish(trace).into_iter()
    }
}
