//! Analyses of slices.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Row, Selection};

use super::fact::{INTEREST, READIES, SWITCHES, ScheduleFact};
use super::feed::SliceFeed;
use super::slice::Slice;

/// An analysis that makes rows of slices.
pub trait OfSlices: Default {
    /// A row of the table.
    type Row: Row;

    /// Whether there are no rows without ready events.
    const NEEDS_READY_EVENTS: bool = false;

    /// Begins, before the first slice.
    fn begin(&mut self, _: &SliceFeed, _: &Trace) {}

    /// Takes slices, which are clipped to the window.
    fn take(&mut self, slices: &[Slice], feed: &SliceFeed);

    /// Ends, after the last slice.
    fn end(&mut self, _: &SliceFeed) {}

    /// Returns how many slices had no room, after [`OfSlices::end`].
    fn excess(&self) -> u64 {
        0
    }

    /// Returns the rows, what matters most first.
    fn rows(self, feed: &SliceFeed, trace: &Trace) -> Vec<Self::Row>;
}

/// An analysis of slices.
#[derive(Debug, Default)]
pub struct Sliced<A> {
    feed: SliceFeed,
    analysis: A,
}

impl<A: OfSlices> Sliced<A> {
    /// Returns what is known of threads and what was made of their slices, after the end.
    pub(crate) fn into_parts(self) -> (SliceFeed, A) {
        (self.feed, self.analysis)
    }
}

impl<A: OfSlices> Analysis for Sliced<A> {
    type Fact = ScheduleFact;
    type Row = A::Row;

    const NEEDS_ALL_EVENTS: bool = true;

    fn interest() -> Interest {
        INTEREST
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self { feed: SliceFeed::default(), analysis: A::default() })
    }

    fn select(&mut self, trace: &Trace, selection: Option<&Selection>) -> Result<()> {
        self.feed.select(selection);
        self.analysis.begin(&self.feed, trace);
        Ok(())
    }

    fn is_answerable(trace: &Trace) -> bool {
        SWITCHES.events(trace) > 0 && (!A::NEEDS_READY_EVENTS || READIES.events(trace) > 0)
    }

    fn fact(event: &Event<'_>) -> Option<ScheduleFact> {
        ScheduleFact::of(event)
    }

    fn step(&mut self, fact: ScheduleFact, trace: &Trace) {
        let slices = self.feed.step(&fact, trace);
        self.analysis.take(&slices, &self.feed);
        self.feed.recycle(slices);
    }

    fn end(&mut self, _: &Trace) {
        let open = self.feed.finish();
        self.analysis.take(&open, &self.feed);
        self.analysis.end(&self.feed);
    }

    fn excess(&self) -> u64 {
        self.feed.scheduler().unlisted_threads() + self.analysis.excess()
    }

    fn finish(self, trace: &Trace) -> Vec<A::Row> {
        self.analysis.rows(&self.feed, trace)
    }
}
