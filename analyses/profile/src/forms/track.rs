//! Samples of a thread as spans on an axis, for viewers that show spans.

use super::by_thread::ThreadSamples;
use crate::{NodeId, Profile, Unit};

/// A place on the axis from which on a frame is the innermost one, until the next place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Units of 100 ns since the trace began.
    pub(super) at: i64,
    /// The innermost frame; `None` if nothing is known of this time.
    pub(super) node: Option<NodeId>,
    /// The weight of the sample.
    pub(super) weight: u64,
}

/// Units of 100 ns in a microsecond.
const MICROSECOND: i64 = 10;

/// Returns the places of a thread's samples.
///
/// If weights are times, a sample is where it was taken, and lasts as long as it weighs or until the next one, which may
/// come half of that later. Other weights have no place in time: samples follow one another, and last a microsecond for
/// each unit of their weight.
pub(super) fn places(profile: &Profile, thread: &ThreadSamples) -> Vec<Place> {
    let mut places = Vec::with_capacity(thread.samples.len() + 1);
    let (mut end, mut before) = (0_i64, 0_i64);
    for sample in &thread.samples {
        let weight = i64::try_from(sample.weight).unwrap_or(i64::MAX);
        let at = if profile.unit == Unit::Time {
            let at = sample.time.0.saturating_sub(profile.start.0);
            // The next sample of a timer is rarely on time to the unit.
            let is_late = at > end.saturating_add(before / 2);
            if places.last().is_some() && is_late {
                places.push(Place { at: end, node: None, weight: 0 });
            }
            end = at.saturating_add(weight);
            before = weight;
            at
        } else {
            let at = end;
            end = end.saturating_add(weight.saturating_mul(MICROSECOND));
            at
        };
        places.push(Place { at, node: Some(sample.node), weight: sample.weight });
    }
    places.push(Place { at: end, node: None, weight: 0 });
    places
}
