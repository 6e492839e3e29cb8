//! The segments that slices have not come to yet.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::trace::segment::Wanted;

use super::span::{Span, Spans};

/// The wanted segments between two times, the next one first: by earliest time, or for file order by place.
///
/// Buffers lie in a file in about the order of their times. So only the blocks are looked at that may have the next
/// segment, and few segments wait.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    wanted: Wanted,
    /// Both inclusive.
    range: (i64, i64),
    /// For each block, the key from which on it or those after it have segments.
    least: Vec<Key>,
    /// The block that is looked at next.
    block: usize,
    waiting: BinaryHeap<Reverse<Waiting>>,
    /// Whether segments come in the order of the files.
    in_file_order: bool,
    /// Bytes of all segments.
    bytes: u64,
}

/// What segments are ordered by: earliest time, processor, and place; by place alone, the first two are 0.
type Key = (i64, u16, u32);

/// A segment whose block was looked at.
#[derive(Debug)]
struct Waiting {
    key: Key,
    span: Span,
}

impl Ahead {
    /// The segments by time.
    pub(super) fn by_time(spans: &impl Spans, wanted: Wanted, range: (i64, i64)) -> Self {
        Self { wanted, range, ..Self::default() }.found(spans)
    }

    /// The segments by place.
    pub(super) fn by_place(spans: &impl Spans, wanted: Wanted, range: (i64, i64)) -> Self {
        Self { wanted, range, in_file_order: true, ..Self::default() }.found(spans)
    }

    /// Looks at all segments once.
    fn found(mut self, spans: &impl Spans) -> Self {
        self.least.reserve_exact(spans.blocks());
        for block in 0..spans.blocks() {
            let (mut least, mut bytes) = (LAST, 0);
            self.each(spans, block, |key, span| {
                least = least.min(key);
                bytes += span.bytes();
            });
            self.least.push(least);
            self.bytes += bytes;
        }
        let mut least = LAST;
        for key in self.least.iter_mut().rev() {
            least = least.min(*key);
            *key = least;
        }
        self
    }

    /// Bytes of all segments.
    pub(super) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the next segment.
    pub(super) fn peek(&mut self, spans: &impl Spans) -> Option<Span> {
        while let Some(least) = self.least.get(self.block)
            && self.waiting.peek().is_none_or(|Reverse(first)| first.key > *least)
        {
            let mut waiting = std::mem::take(&mut self.waiting);
            self.each(spans, self.block, |key, span| waiting.push(Reverse(Waiting { key, span })));
            self.waiting = waiting;
            self.block += 1;
        }
        self.waiting.peek().map(|Reverse(first)| first.span)
    }

    /// Passes over the next segment, which was returned last.
    pub(super) fn pop(&mut self) {
        self.waiting.pop();
    }

    /// Hands on the segments of a block.
    fn each(&self, spans: &impl Spans, block: usize, mut each: impl FnMut(Key, Span)) {
        let (from, last) = self.range;
        spans.block(block, self.wanted, |span| {
            if span.min <= last && span.max >= from {
                let (processor, segment) = span.rank();
                each(if self.in_file_order { (0, 0, segment) } else { (span.min, processor, segment) }, span);
            }
        });
    }
}

/// The key after all segments.
const LAST: Key = (i64::MAX, u16::MAX, u32::MAX);

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}
