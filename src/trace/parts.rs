//! Parts of a trace, for callers that read it piece by piece.

use std::sync::Arc;

use super::Trace;
use super::accept::Accept;
use super::filter::Filter;
use super::pull::Events;
use super::segment::Wanted;
use super::slices::{Slice, Slices};

/// A part of a trace: the events between two times, disjoint from the other parts. See [`Trace::parts`].
#[derive(Clone, Debug)]
pub struct TracePart {
    slices: Vec<Slice>,
}

/// A filter that is prepared for one trace. See [`Trace::events_of`].
#[derive(Clone, Debug)]
pub struct PreparedFilter {
    accept: Arc<Accept>,
}

/// Bytes of the events that are read and sorted at a time.
const SLICE_BYTES: std::ops::RangeInclusive<u64> = 4 << 10..=1 << 20;

impl Trace {
    /// Cuts the trace by time into at most `count` parts of about equal size. One after the other, they have the events
    /// of [`Trace::events`] in the same order. They borrow nothing, so that a viewer can keep them and come back to each;
    /// those of another trace give wrong events or none.
    pub fn parts(&self, count: usize) -> Vec<TracePart> {
        let count = count.max(1) as u64;
        let all = (i64::MIN, i64::MAX);
        let total: u64 = self.segments().map(|indexed| indexed.segment.bytes()).sum();
        // Some slices a part, so that parts come out equal.
        let target = (total / count / 4).clamp(*SLICE_BYTES.start(), *SLICE_BYTES.end());
        let (mut parts, mut slices, mut bytes) = (Vec::new(), Vec::new(), 0);
        for slice in Slices::by_time(self, Wanted::All, all, target as usize).over(self) {
            bytes += slice.bytes_done();
            slices.push(slice);
            let next = parts.len() as u64 + 1;
            let is_full = u128::from(bytes) * u128::from(count) >= u128::from(total) * u128::from(next);
            if is_full && next < count {
                parts.push(TracePart { slices: std::mem::take(&mut slices) });
            }
        }
        if !slices.is_empty() {
            parts.push(TracePart { slices });
        }
        parts
    }

    /// Prepares a filter for this trace, once for all its parts.
    pub fn prepare(&self, filter: &Filter) -> PreparedFilter {
        PreparedFilter { accept: Arc::new(Accept::new(filter, self)) }
    }

    /// Returns the events of a part that pass the filter, in time order. Part and filter are of this trace.
    pub fn events_of(&self, part: &TracePart, filter: &PreparedFilter) -> Events<'_> {
        Events::of_slices(self, Arc::clone(&filter.accept), part.slices.iter().cloned())
    }
}
