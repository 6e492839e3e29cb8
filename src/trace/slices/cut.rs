//! Cutting the time axis into slices of bounded size.

use crate::limits;
use crate::trace::segment::Wanted;

use super::ahead::Ahead;
use super::span::{Span, Spans};

/// A piece of work: the events of some segments between two times, both inclusive.
#[derive(Clone, Debug)]
pub(in crate::trace) struct Slice {
    pub(in crate::trace) from: i64,
    pub(in crate::trace) to: i64,
    /// In the order in which equal times are delivered.
    pub(in crate::trace) spans: Vec<Span>,
    /// Whether the events are to be sorted by time.
    pub(in crate::trace) sorted: bool,
}

impl Slice {
    /// Returns whether all events of a span are of this slice.
    pub(super) const fn contains(&self, span: &Span) -> bool {
        span.min >= self.from && span.max <= self.to
    }

    /// Returns the bytes of the spans that no later slice reads.
    pub(in crate::trace) fn bytes_done(&self) -> u64 {
        let done = self.spans.iter().filter(|span| !self.sorted || span.max <= self.to);
        done.map(|span| u64::from(span.len)).sum()
    }

    /// Two slices that together are this one, in order; `None` if it is one segment at one time.
    pub(in crate::trace) fn split(&self) -> Option<(Self, Self)> {
        if self.sorted && self.from < self.to {
            let low = self.spans.iter().map(|span| span.min).min().unwrap_or(self.from).max(self.from);
            let high = self.spans.iter().map(|span| span.max).max().unwrap_or(self.to).min(self.to);
            if low < high {
                // 128 bits, because crafted times may span the whole range of `i64`.
                let middle = (i128::from(low) + i128::from(high)).div_euclid(2) as i64;
                let part = |from: i64, to: i64| {
                    let spans = self.spans.iter().filter(|span| span.min <= to && span.max >= from);
                    Self { from, to, spans: spans.copied().collect(), sorted: true }
                };
                return Some((part(self.from, middle), part(middle + 1, self.to)));
            }
        }
        // All events have one time: the spans are sorted by rank, so a cut between spans keeps the order.
        let half = self.spans.len() / 2;
        let (a, b) = self.spans.split_at_checked(half).filter(|_| half > 0)?;
        let part = |spans: &[Span]| Self { spans: spans.to_vec(), ..self.clone_empty() };
        Some((part(a), part(b)))
    }

    const fn clone_empty(&self) -> Self {
        Self { from: self.from, to: self.to, spans: Vec::new(), sorted: self.sorted }
    }
}

/// Makes slices one after the other.
#[derive(Debug)]
pub(in crate::trace) struct Slices {
    ahead: Ahead,
    /// Spans that reach beyond the last slice.
    active: Vec<Span>,
    from: i64,
    last: i64,
    target: u64,
    sorted: bool,
    done: bool,
}

impl Slices {
    /// No slices.
    pub(in crate::trace) fn none() -> Self {
        let ahead = Ahead::default();
        Self { ahead, active: Vec::new(), from: 0, last: 0, target: 1, sorted: false, done: true }
    }

    /// Slices of the wanted segments, in time order between two times (inclusive), each of about `target` bytes of
    /// events.
    pub(in crate::trace) fn by_time(spans: &impl Spans, wanted: Wanted, range: (i64, i64), target: usize) -> Self {
        Self::new(Ahead::by_time(spans, wanted, range), range, target, true)
    }

    /// Slices of the wanted segments in file order; events outside of the two times are left out when they are delivered.
    pub(in crate::trace) fn by_place(spans: &impl Spans, wanted: Wanted, range: (i64, i64), target: usize) -> Self {
        Self::new(Ahead::by_place(spans, wanted, range), range, target, false)
    }

    const fn new(ahead: Ahead, (from, last): (i64, i64), target: usize, sorted: bool) -> Self {
        Self { ahead, active: Vec::new(), from, last, target: target as u64, sorted, done: false }
    }

    /// Bytes of all spans.
    pub(in crate::trace) const fn bytes(&self) -> u64 {
        self.ahead.bytes()
    }

    /// Returns the next slice.
    pub(in crate::trace) fn next(&mut self, spans: &impl Spans) -> Option<Slice> {
        if self.sorted { self.by_time_next(spans) } else { self.by_place_next(spans) }
    }

    /// Returns all slices that are left.
    pub(in crate::trace) fn over(mut self, spans: &impl Spans) -> impl Iterator<Item = Slice> {
        std::iter::from_fn(move || self.next(spans))
    }

    fn by_place_next(&mut self, all: &impl Spans) -> Option<Slice> {
        let mut bytes = 0;
        let mut spans = Vec::new();
        while let Some(span) = self.ahead.peek(all).filter(|_| bytes < self.target) {
            bytes += span.bytes();
            spans.push(span);
            self.ahead.pop();
        }
        (!spans.is_empty()).then_some(Slice { from: self.from, to: self.last, spans, sorted: false })
    }

    fn by_time_next(&mut self, all: &impl Spans) -> Option<Slice> {
        if self.done {
            return None;
        }
        let target = self.take_target();
        let mut pulled = 0;
        while let Some(span) = self.ahead.peek(all).filter(|span| pulled < target || span.min <= self.from) {
            pulled += span.bytes();
            self.active.push(span);
            self.ahead.pop();
        }
        // The slice must end before the next span begins, because that span is not active yet.
        let upper = self.ahead.peek(all).map_or(self.last, |span| (span.min - 1).min(self.last));
        let to = self.cut(upper, target);
        let mut spans: Vec<Span> =
            self.active.iter().filter(|span| span.min <= to && span.max >= self.from).copied().collect();
        spans.sort_unstable_by_key(Span::rank);
        let slice = Slice { from: self.from, to, spans, sorted: true };
        self.active.retain(|span| span.max > to);
        self.done = to >= self.last || self.active.is_empty() && self.ahead.peek(all).is_none();
        self.from = to.saturating_add(1);
        Some(slice)
    }

    /// Returns the target size. Where many segments overlap, each slice reads all of them: larger slices bound the
    /// work.
    fn take_target(&self) -> u64 {
        let open: u64 = self.active.iter().map(|span| u64::from(span.len)).sum();
        self.target.max((open / 8).min(limits::MAX_SLICE as u64))
    }

    /// Returns the last time, at most `upper`, with about `target` bytes before it; assumes that bytes are evenly
    /// distributed in time.
    fn cut(&self, upper: i64, target: u64) -> i64 {
        let from = self.from;
        let bytes = |to: i64| -> f64 { self.active.iter().map(|span| share(span, from, to)).sum() };
        let target = target as f64;
        // A cut of less than twice the target would leave a tiny rest.
        if upper <= from || bytes(upper) <= 2.0 * target {
            return upper.max(from);
        }
        let high = self.active.iter().map(|span| span.max).max().unwrap_or(upper).min(upper);
        let (mut low, mut high) = (i128::from(from), i128::from(high.max(from)));
        while high - low > 1 {
            let middle = i128::midpoint(low, high);
            if bytes(middle as i64) <= target { low = middle } else { high = middle }
        }
        low as i64
    }
}

/// Returns the bytes of a span between two times, assuming an even distribution.
fn share(span: &Span, from: i64, to: i64) -> f64 {
    let low = i128::from(span.min.max(from));
    let high = i128::from(span.max.min(to));
    let part = (high - low + 1).max(0) as f64;
    let whole = (i128::from(span.max) - i128::from(span.min) + 1) as f64;
    f64::from(span.len) * part / whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(segment: u32, len: u32, min: i64, max: i64) -> Span {
        Span { segment, processor: 0, len, min, max }
    }

    impl Spans for Vec<Span> {
        fn blocks(&self) -> usize {
            self.len().div_ceil(3)
        }

        fn block(&self, number: usize, _: Wanted, each: impl FnMut(Span)) {
            self.iter().skip(number * 3).take(3).copied().for_each(each);
        }
    }

    fn check(spans: &[Span], target: usize) -> Vec<Slice> {
        let slices: Vec<Slice> = {
            let (all, range) = (spans.to_vec(), (i64::MIN, i64::MAX));
            Slices::by_time(&all, Wanted::All, range, target).over(&all).collect()
        };
        for pair in slices.windows(2) {
            assert_eq!(pair[0].to + 1, pair[1].from, "slices touch");
        }
        assert_eq!(slices.first().unwrap().from, i64::MIN);
        let read: u64 = slices.iter().map(Slice::bytes_done).sum();
        assert_eq!(read, spans.iter().map(|span| u64::from(span.len)).sum::<u64>(), "each span is done once");
        for s in spans {
            let covered = slices.iter().filter(|slice| slice.from <= s.max && slice.to >= s.min);
            assert!(covered.clone().all(|slice| slice.spans.iter().any(|x| x.segment == s.segment)));
            assert!(slices.iter().any(|slice| slice.to >= s.max));
        }
        slices
    }

    #[test]
    fn slices_cover_every_span_wherever_it_reaches() {
        let spans: Vec<Span> = (0..100).map(|n| span(n, 1000, i64::from(n) * 10, i64::from(n) * 10 + 25)).collect();
        assert!(check(&spans, 5_000).len() > 10);
    }

    #[test]
    fn one_instant_and_all_of_time_are_both_covered() {
        let mut spans: Vec<Span> = (0..50).map(|n| span(n, 1000, 7, 7)).collect();
        check(&spans, 1_000);
        spans.push(span(50, 1000, i64::MIN, i64::MAX));
        check(&spans, 1_000);
    }

    #[test]
    fn wide_spans_are_cut_by_time() {
        let spans: Vec<Span> = (0..50).map(|n| span(n, 10_000, 0, 1_000_000)).collect();
        let slices = check(&spans, 10_000);
        assert!(slices.len() > 4 && slices.len() < 100, "{}", slices.len());
    }

    #[test]
    fn a_slice_splits_until_it_is_one_segment_at_one_time() {
        let slice = Slice { from: 0, to: 100, spans: (0..4).map(|n| span(n, 10, 50, 50)).collect(), sorted: true };
        let (a, b) = slice.split().unwrap();
        assert_eq!((a.spans.len(), b.spans.len()), (2, 2));
        let (a, _) = a.split().unwrap();
        assert!(a.split().is_none());
    }
}
