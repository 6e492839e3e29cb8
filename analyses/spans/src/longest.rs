//! The longest spans, for callers that show no others.

use std::cmp::Reverse;

use etwkit::FileTime;
use etwkit_analysis::Largest;

use crate::span::{Span, SpanId};

/// The longest complete spans, and all that are open: any of these may become one of them. Of equal ones, those that
/// were first seen earlier are kept.
#[derive(Debug)]
pub(crate) struct Longest {
    /// Open ones, each with its place among all spans.
    open: Vec<Option<(usize, Span)>>,
    /// Places of `open` that are free.
    free: Vec<u32>,
    seen: usize,
    most: usize,
    complete: Largest<(u64, Reverse<usize>), Span>,
}

impl Longest {
    /// Begins; so many are kept.
    pub(crate) const fn new(most: usize) -> Self {
        Self { open: Vec::new(), free: Vec::new(), seen: 0, most, complete: Largest::new(most) }
    }

    /// Returns how many spans are open.
    pub(crate) const fn open(&self) -> usize {
        self.open.len() - self.free.len()
    }

    /// Takes a span that began, and returns by what [`Longest::end`] finds it. One without a start has no duration.
    pub(crate) fn begin(&mut self, span: Span) -> Option<SpanId> {
        let place = self.seen;
        self.seen += 1;
        span.start?;
        if self.free.is_empty() {
            self.free.push(u32::try_from(self.open.len()).ok()?);
            self.open.push(None);
        }
        let slot = self.free.pop()?;
        *self.open.get_mut(slot as usize)? = Some((place, span));
        Some(SpanId(slot))
    }

    /// Ends a span.
    pub(crate) fn end(&mut self, id: SpanId, stop: FileTime, stop_tid: Option<u32>) {
        let Some((place, mut span)) = self.open.get_mut(id.0 as usize).and_then(Option::take) else { return };
        self.free.push(id.0);
        (span.stop, span.stop_tid) = (Some(stop), stop_tid);
        if let Some(duration) = span.duration() {
            self.complete.add((duration, Reverse(place)), span);
        }
    }

    /// Returns the longest ones, and how many others were complete.
    pub(crate) fn finish(self) -> (Vec<Span>, u64) {
        let shorter = self.complete.added().saturating_sub(self.most as u64);
        (self.complete.into_sorted(), shorter)
    }
}
