//! What was found in text of 16 bits, big endian.
//!
//! The bytes of ASCII are text in little endian, too, one place later. There the same is found again, or a part of it.

use std::cmp::Reverse;
use std::ops::Range;

use crate::coding::Coding;
use crate::kind::Kind;

use super::Found;

/// Adds what was found in big endian, without what is found twice.
pub(super) fn add_big(all: &mut Vec<Found>, mut big: Vec<Found>) {
    if big.is_empty() {
        return;
    }
    let is_little = |found: &Found| found.form.coding() == Some(Coding::Utf16);
    let little = Places::of(all.iter().filter(|found| is_little(found)).map(|found| (found.kind, found.range.clone())));
    big.retain(|found| !little.hold(found.kind, &later(&found.range)));
    let big_places = Places::of(big.iter().map(|found| (found.kind, later(&found.range))));
    all.retain(|found| !is_little(found) || !big_places.hold(found.kind, &found.range));
    all.append(&mut big);
}

/// Returns where what is big endian is as little endian.
const fn later(range: &Range<usize>) -> Range<usize> {
    range.start + 1..range.end + 1
}

/// Places of each kind, none of which is in another one, in order.
#[derive(Debug)]
struct Places(Vec<(Kind, Range<usize>)>);

impl Places {
    fn of(places: impl Iterator<Item = (Kind, Range<usize>)>) -> Self {
        let mut places: Vec<_> = places.collect();
        places.sort_by_key(|(kind, range)| (*kind, range.start, Reverse(range.end)));
        let mut last = None;
        places.retain(|(kind, range)| {
            let is_inside = last.is_some_and(|(before, end)| before == *kind && range.end <= end);
            if !is_inside {
                last = Some((*kind, range.end));
            }
            !is_inside
        });
        Self(places)
    }

    /// Returns whether one of a kind has all of a range, and is at a multiple of two bytes from it.
    fn hold(&self, kind: Kind, range: &Range<usize>) -> bool {
        let behind = self.0.partition_point(|(known, place)| (*known, place.start) <= (kind, range.start));
        let before = behind.checked_sub(1).and_then(|at| self.0.get(at));
        before.is_some_and(|(known, place)| {
            *known == kind && range.end <= place.end && (range.start - place.start).is_multiple_of(2)
        })
    }
}
