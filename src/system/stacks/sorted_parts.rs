//! Parts of stacks in order, found by their ticks: twelve bytes each, and the index.

use std::ops::Range;

use super::part_of::{StackThread, Whose, WhoseList};
use super::tick_index::TickIndex;

/// Parts by tick, thread and part.
#[derive(Clone, Debug, Default)]
pub(super) struct SortedParts {
    /// Where the parts of a tick are.
    index: TickIndex,
    ticks: Offsets,
    /// Numbers of [`Whose`].
    whose: Vec<u32>,
    /// See [`Stacks::frames`](super::Stacks::frames).
    frames: Vec<u32>,
    list: WhoseList,
}

/// Ticks since the first one. The index gives what is above the low bits.
#[derive(Clone, Debug)]
enum Offsets {
    Low(Vec<u32>),
    Whole(Vec<u64>),
}

impl Default for Offsets {
    fn default() -> Self {
        Self::Low(Vec::new())
    }
}

impl SortedParts {
    /// Makes room for so many parts between two ticks.
    pub(super) fn new(ticks: Option<(i64, i64)>, len: usize) -> Self {
        let Some((first, last)) = ticks else { return Self::default() };
        let index = TickIndex::between(first, last, len);
        let ticks = if index.is_fine() {
            Offsets::Low(Vec::with_capacity(len))
        } else {
            Offsets::Whole(Vec::with_capacity(len))
        };
        let (whose, frames) = (Vec::with_capacity(len), Vec::with_capacity(len));
        Self { index, ticks, whose, frames, list: WhoseList::default() }
    }

    /// Adds a part, which comes in order.
    pub(super) fn add(&mut self, tick: i64, whose: u32, frames: u32) {
        let offset = self.index.count(tick);
        match &mut self.ticks {
            Offsets::Low(ticks) => ticks.push(offset as u32),
            Offsets::Whole(ticks) => ticks.push(offset),
        }
        self.whose.push(whose);
        self.frames.push(frames);
    }

    /// Makes them ready for lookups.
    pub(super) fn freeze(&mut self, mut list: WhoseList) {
        self.index.freeze();
        list.freeze();
        self.list = list;
    }

    pub(super) const fn len(&self) -> usize {
        self.whose.len()
    }

    /// Returns the places of a tick's parts.
    #[inline]
    pub(super) fn at(&self, tick: i64) -> Range<usize> {
        let near = self.index.near(tick);
        match &self.ticks {
            Offsets::Low(ticks) => equal(ticks, near, &(self.index.offset(tick) as u32)),
            Offsets::Whole(ticks) => equal(ticks, near, &self.index.offset(tick)),
        }
    }

    /// Returns the places of a thread's parts, among those of a tick.
    pub(super) fn of_thread(&self, at: Range<usize>, thread: StackThread) -> Option<Range<usize>> {
        let start = at.start;
        let here = self.whose.get(at)?;
        let thread_of = |number: &u32| self.list.order(*number).0;
        let first = here.partition_point(|number| thread_of(number) < thread);
        let end = here.partition_point(|number| thread_of(number) <= thread);
        (first < end).then_some(start + first..start + end)
    }

    pub(super) fn whose(&self, place: usize) -> Option<&Whose> {
        self.list.get(*self.whose.get(place)?)
    }

    /// Returns what is known of the frames of parts.
    pub(super) fn frames(&self, places: Range<usize>) -> Option<&[u32]> {
        self.frames.get(places)
    }

    /// Returns what is known of the frames of all parts.
    pub(super) fn all_frames(&self) -> &[u32] {
        &self.frames
    }

    /// Returns ticks and threads of all.
    pub(super) fn owners(&self) -> impl Iterator<Item = (i64, StackThread)> {
        self.index.parts().flat_map(move |(part, places)| {
            places.map(move |place| {
                let low = match &self.ticks {
                    Offsets::Low(ticks) => ticks.get(place).map_or(0, |tick| u64::from(*tick)),
                    Offsets::Whole(ticks) => ticks.get(place).copied().unwrap_or(0),
                };
                (self.index.tick(part, low), self.whose(place).map_or(StackThread::new(0, 0), Whose::thread))
            })
        })
    }
}

/// Returns the places of a number in a part of a list that is in order.
#[inline]
fn equal<T: Ord>(list: &[T], near: Range<usize>, wanted: &T) -> Range<usize> {
    let here = list.get(near.clone()).unwrap_or_default();
    let first = here.partition_point(|number| number < wanted);
    let count = here.get(first..).unwrap_or_default().partition_point(|number| number == wanted);
    near.start + first..near.start + first + count
}

#[cfg(test)]
mod tests {
    use super::super::{OwnerAt, StackPart};
    use super::*;

    /// All places of each tick are found, and the ticks come back, however far they are apart.
    fn check(ticks: &[i64]) {
        let mut list = WhoseList::default();
        let mut parts = SortedParts::new(ticks.first().copied().zip(ticks.last().copied()), ticks.len());
        for (tick, tid) in ticks.iter().copied().zip(0..) {
            let whose = list.number(Whose::new(OwnerAt { tick, tid, pid: 4, cpu: 1 }, StackPart::Whole));
            parts.add(tick, whose, tid);
        }
        parts.freeze(list);
        let threads = (0..).map(|tid| StackThread::new(tid, 1));
        let owners: Vec<(i64, StackThread)> = ticks.iter().copied().zip(threads).collect();
        assert_eq!(parts.owners().collect::<Vec<_>>(), owners);
        for near in ticks.iter().flat_map(|tick| [tick.saturating_sub(1), *tick, tick.saturating_add(1)]) {
            let found: Vec<i64> = ticks[parts.at(near)].to_vec();
            let expected: Vec<i64> = ticks.iter().copied().filter(|tick| *tick == near).collect();
            assert_eq!(found, expected, "{near} of {ticks:?}");
        }
    }

    #[test]
    fn ticks_are_found_however_far_they_are_apart() {
        check(&[]);
        check(&[7]);
        check(&[-3, -3, 0, 1, 1, 1, 9_000, 1 << 31, 1 << 32, (1 << 32) + 1]);
        check(&[i64::MIN, i64::MIN, -1, 0, 1, i64::MAX - 1, i64::MAX]);
        let even: Vec<i64> = (0..2_000).map(|number| number / 3 * 10_007).collect();
        check(&even);
        let far: Vec<i64> = (0..2_000).map(|number| number * (1 << 50)).collect();
        check(&far);
    }
}
