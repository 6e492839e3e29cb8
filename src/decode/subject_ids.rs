//! The ids by which events of a type are attributed to a process and thread.

use std::ops::RangeInclusive;

use crate::event::NO_ID;
use crate::schema::SubjectPlaces;
use crate::system::System;

use super::subject_places::id_at;
use super::{Attribution, PendingEvent};

/// The ids that decide, together with the time, to which process and thread an event of a type is attributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SubjectIds {
    /// Process and thread of the writer.
    writer: [u32; 2],
    /// Process and thread that the payload states.
    subject: [u32; 2],
}

impl SubjectIds {
    /// Returns the ids of a payload whose layout has those of its subject at `places`. `None` if it is too short.
    #[inline]
    pub(crate) fn of(writer: Attribution, places: SubjectPlaces, payload: &[u8]) -> Option<Self> {
        let subject = match places {
            SubjectPlaces::Header => [0; 2],
            SubjectPlaces::Payload { process, thread } => {
                // A place that the layout does not have is the same for all events.
                let id = |place: Option<u32>| place.map_or(Some(0), |start| id_at(payload, start));
                [id(process)?, id(thread)?]
            }
            SubjectPlaces::Unknown => return None,
        };
        let Attribution { pid, tid } = writer;
        Some(Self { writer: [pid, tid].map(|id| id.unwrap_or(NO_ID)), subject })
    }

    /// Returns a hash of the ids.
    #[inline]
    pub(crate) const fn hash(self) -> u32 {
        let Self { writer: [pid, tid], subject: [process, thread] } = self;
        let writer = pid.wrapping_mul(0x85EB_CA6B) ^ tid.wrapping_mul(0xC2B2_AE35);
        writer ^ process.wrapping_mul(0x27D4_EB2F) ^ thread.wrapping_mul(0x1656_67B1)
    }
}

impl PendingEvent<'_> {
    /// Returns [`PendingEvent::attribution_of`], and ticks around the event's at which the same ids are attributed the
    /// same.
    pub(crate) fn attribution_with_ticks(&self, writer: Attribution) -> Option<(Attribution, RangeInclusive<i64>)> {
        let found = self.attribution_of(writer)?;
        let System { threads, timeline, .. } = self.system();
        let ticks = |tid| threads.ticks_of_process(tid, timeline.of(self.raw()));
        Some((found, found.tid.map_or(i64::MIN..=i64::MAX, ticks)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_state_themselves_have_different_hashes() {
        let hash = |tid: u32| {
            let writer = Attribution { pid: Some(4), tid: Some(tid) };
            let places = SubjectPlaces::Payload { process: Some(0), thread: Some(4) };
            let payload = [4_u32.to_le_bytes(), tid.to_le_bytes()].concat();
            SubjectIds::of(writer, places, &payload).unwrap().hash()
        };
        let mut hashes: Vec<u32> = (0..64).map(|number| hash(4 * number) >> 16).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert!(hashes.len() > 60, "{}", hashes.len());
    }
}
