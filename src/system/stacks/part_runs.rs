//! Parts of stacks while a trace is read: some bytes each.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::bytes::{push_signed_varint, push_varint, take_signed_varint, take_varint};

use super::part_of::{Frames, PartOf, StackThread, WhoseList};

/// Parts in the order in which they came. They come nearly in order of time, so a run of them is put in order and
/// packed when it is long enough, and all runs are merged at the end.
#[derive(Clone, Debug, Default)]
pub(super) struct PartRuns {
    /// The last ones.
    recent: Vec<PartOf>,
    /// Runs, each in order.
    packed: Vec<Box<[u8]>>,
    len: usize,
    ticks: Option<(i64, i64)>,
}

/// Parts of a run.
const RUN: usize = 1 << 14;

impl PartRuns {
    /// Adds a part.
    pub(super) fn add(&mut self, part: PartOf, whose: &WhoseList) {
        let (first, last) = self.ticks.unwrap_or((part.tick, part.tick));
        self.ticks = Some((first.min(part.tick), last.max(part.tick)));
        self.len += 1;
        self.recent.push(part);
        if self.recent.len() >= RUN {
            self.pack(whose);
        }
    }

    /// Returns the number of parts.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Returns the first and the last tick.
    pub(super) const fn ticks(&self) -> Option<(i64, i64)> {
        self.ticks
    }

    /// Returns all parts by tick, thread and part; of those that are equal in these, those that came first.
    pub(super) fn into_sorted(mut self, whose: &WhoseList) -> Merged<'_> {
        self.pack(whose);
        self.recent = Vec::new();
        let mut merged = Merged { whose, runs: Vec::new(), heap: BinaryHeap::new(), run: None };
        merged.runs.extend(self.packed.into_iter().map(Run::new));
        for place in 0..merged.runs.len() {
            merged.heap.extend(merged.first(place).map(Reverse));
        }
        merged
    }

    fn pack(&mut self, whose: &WhoseList) {
        if self.recent.is_empty() {
            return;
        }
        self.recent.sort_by_key(|part| (part.tick, whose.order(part.whose)));
        let (mut bytes, mut before) = (Vec::with_capacity(self.recent.len() * USUAL), 0);
        for part in self.recent.drain(..) {
            push_part(&mut bytes, part, before);
            before = part.tick;
        }
        self.packed.push(bytes.into_boxed_slice());
    }
}

/// Bytes of most parts.
const USUAL: usize = 8;

/// The parts of all runs in order.
pub(super) struct Merged<'w> {
    whose: &'w WhoseList,
    runs: Vec<Run>,
    /// The first part of each run that has one, but of the one that is read.
    heap: BinaryHeap<Reverse<First>>,
    /// The run that is read.
    run: Option<usize>,
}

/// The order of the first part of a run, with the place of the run.
type First = ((i64, (StackThread, bool)), usize);

impl Merged<'_> {
    fn first(&self, place: usize) -> Option<First> {
        let part = self.runs.get(place)?.next?;
        Some(((part.tick, self.whose.order(part.whose)), place))
    }
}

impl Iterator for Merged<'_> {
    type Item = PartOf;

    fn next(&mut self) -> Option<PartOf> {
        // The run that had the last part mostly has the next one, too.
        let own = self.run.and_then(|place| self.first(place));
        let place = match (own, self.heap.peek()) {
            (Some(own), Some(Reverse(other))) if *other < own => {
                let Reverse((_, place)) = self.heap.pop()?;
                self.heap.push(Reverse(own));
                place
            }
            (Some((_, place)), _) => place,
            (None, _) => self.heap.pop()?.0.1,
        };
        self.run = Some(place);
        self.runs.get_mut(place)?.take()
    }
}

/// A run that is read.
struct Run {
    /// Empty after the last part, so that the memory is there for what is made of the parts.
    bytes: Box<[u8]>,
    /// Where the part after the next one begins.
    at: usize,
    next: Option<PartOf>,
}

impl Run {
    fn new(bytes: Box<[u8]>) -> Self {
        let mut run = Self { bytes, at: 0, next: None };
        run.next = run.read(0);
        run
    }

    fn take(&mut self) -> Option<PartOf> {
        let part = self.next?;
        self.next = self.read(part.tick);
        if self.next.is_none() {
            self.bytes = Box::default();
        }
        Some(part)
    }

    fn read(&mut self, before: i64) -> Option<PartOf> {
        let mut rest = self.bytes.get(self.at..)?;
        let part = take_part(&mut rest, before)?;
        self.at = self.bytes.len() - rest.len();
        Some(part)
    }
}

/// What is before the frames: this, or the number of the stack and [`KNOWN`].
const REFUSED: u64 = 0;
const KEY: u64 = 1;
const KNOWN: u64 = 2;

fn push_part(bytes: &mut Vec<u8>, part: PartOf, before: i64) {
    push_varint(bytes, part.tick.wrapping_sub(before).cast_unsigned());
    push_varint(bytes, u64::from(part.whose));
    match part.frames {
        Frames::Refused => push_varint(bytes, REFUSED),
        Frames::Known(number) => push_varint(bytes, KNOWN + u64::from(number)),
        Frames::Key(key, used) => {
            push_varint(bytes, KEY);
            bytes.extend_from_slice(&key.to_le_bytes());
            push_signed_varint(bytes, used.wrapping_sub(part.tick));
        }
    }
}

fn take_part(bytes: &mut &[u8], before: i64) -> Option<PartOf> {
    let tick = before.wrapping_add(take_varint(bytes)?.cast_signed());
    let whose = u32::try_from(take_varint(bytes)?).ok()?;
    let frames = match take_varint(bytes)? {
        REFUSED => Frames::Refused,
        KEY => {
            let (key, rest) = bytes.split_first_chunk()?;
            *bytes = rest;
            Frames::Key(u64::from_le_bytes(*key), tick.wrapping_add(take_signed_varint(bytes)?))
        }
        number => Frames::Known(u32::try_from(number - KNOWN).ok()?),
    };
    Some(PartOf { tick, whose, frames })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::part_of::Whose;
    use super::super::{OwnerAt, StackPart};
    use super::*;

    fn frames() -> impl Strategy<Value = Frames> {
        prop_oneof![
            Just(Frames::Refused),
            any::<u32>().prop_map(Frames::Known),
            (any::<u64>(), any::<i64>()).prop_map(|(key, used)| Frames::Key(key, used)),
        ]
    }

    proptest! {
        #[test]
        fn runs_are_merged_as_one_sort_of_all(
            parts in prop::collection::vec((prop_oneof![-9..9_i64, any::<i64>()], 0..3_u32, any::<bool>(), frames()), 0..80),
            run in 1..30_usize,
        ) {
            let (mut runs, mut list, mut all) = (PartRuns::default(), WhoseList::default(), Vec::new());
            for (tick, tid, is_user, frames) in parts {
                let part = if is_user { StackPart::User } else { StackPart::Kernel };
                let whose = list.number(Whose::new(OwnerAt { tick, tid, pid: 4, cpu: 1 }, part));
                all.push(PartOf { tick, whose, frames });
                runs.add(PartOf { tick, whose, frames }, &list);
                if all.len() % run == 0 {
                    runs.pack(&list);
                }
            }
            all.sort_by_key(|part| (part.tick, list.order(part.whose)));
            prop_assert_eq!(runs.len(), all.len());
            prop_assert_eq!(runs.ticks(), all.first().zip(all.last()).map(|(first, last)| (first.tick, last.tick)));
            prop_assert_eq!(runs.into_sorted(&list).collect::<Vec<_>>(), all);
        }
    }

    #[test]
    fn a_part_takes_few_bytes() {
        let (mut runs, mut list) = (PartRuns::default(), WhoseList::default());
        for number in 0..200_000_u32 {
            let at = OwnerAt { tick: i64::from(number) * 3_000, tid: number % 50, pid: 4, cpu: 1 };
            let whose = list.number(Whose::new(at, StackPart::Whole));
            runs.add(PartOf { tick: at.tick, whose, frames: Frames::Known(number % 9_000) }, &list);
        }
        let packed: usize = runs.packed.iter().map(|run| run.len()).sum();
        assert!(packed < 200_000 * 6, "{packed}");
        assert!(runs.recent.len() < RUN);
    }
}
