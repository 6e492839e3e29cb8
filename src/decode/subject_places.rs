//! The process and thread that an event is about, at offsets that are known before its fields are located.

#[cfg(feature = "output")]
use std::ops::RangeInclusive;

use crate::event::RawEvent;
use crate::schema::{Schema, SubjectPlaces};
use crate::system::System;

#[cfg(feature = "output")]
use super::attribution::UNKNOWN;
use super::{Attribution, PendingEvent};

/// The ids that decide, together with the time, to which process and thread an event of a type is attributed.
#[cfg(feature = "output")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SubjectIds {
    /// Process and thread of the writer.
    writer: [u32; 2],
    /// Process and thread that the payload states.
    subject: [u32; 2],
}

#[cfg(feature = "output")]
impl SubjectIds {
    /// Returns the ids of a payload whose layout has those of its subject at `places`. `None` if it is too short.
    #[inline]
    pub(crate) fn of(writer: Attribution, places: SubjectPlaces, payload: &[u8]) -> Option<Self> {
        let subject = match places {
            SubjectPlaces::Header => [0; 2],
            SubjectPlaces::Payload { process, thread } => {
                let id = |place: Option<u32>| match place {
                    Some(start) => payload.get(start as usize..)?.first_chunk().copied().map(u32::from_le_bytes),
                    None => Some(0),
                };
                [id(process)?, id(thread)?]
            }
            SubjectPlaces::Unknown => return None,
        };
        let Attribution { pid, tid } = writer;
        Some(Self { writer: [pid, tid].map(|id| id.unwrap_or(UNKNOWN)), subject })
    }

    /// Returns the ids in one number, of which each bit matters.
    #[inline]
    pub(crate) const fn folded(self) -> u32 {
        let Self { writer: [pid, tid], subject: [process, thread] } = self;
        (pid ^ process).wrapping_mul(31) ^ tid ^ thread
    }
}

impl PendingEvent<'_> {
    /// Returns [`PendingEvent::attribution_of`], and ticks around the event's at which the same ids are attributed the
    /// same.
    #[cfg(feature = "output")]
    pub(crate) fn attribution_with_ticks(&self, writer: Attribution) -> Option<(Attribution, RangeInclusive<i64>)> {
        let found = self.attribution_of(writer)?;
        let System { threads, timeline, .. } = self.system();
        let ticks = |tid| threads.ticks_of_process(tid, timeline.of(self.raw()));
        Some((found, found.tid.map_or(i64::MIN..=i64::MAX, ticks)))
    }

    /// Returns what [`Event::attribution`](super::Event::attribution) does for an event that the first layout of its type
    /// fits exactly. `None` if the fields must be located for it.
    #[inline]
    pub fn attribution(&self) -> Option<Attribution> {
        self.attribution_of(Attribution::of_header(self.raw()))
    }

    /// Returns [`PendingEvent::attribution`], given the ids of the writer as the header has them.
    #[inline]
    pub fn attribution_of(&self, writer: Attribution) -> Option<Attribution> {
        let Some(schema) = self.schema() else { return Some(writer.with_process(self.raw(), self.system())) };
        writer.of_layout(schema, self.raw(), self.payload(), self.system())
    }

    /// Returns what [`Event::attribution`](super::Event::attribution) does. The fields are located only if the attribution
    /// depends on which layout the payload has.
    #[inline]
    pub fn attributed(&mut self) -> Attribution {
        let has_one_layout = self.schema().is_none_or(|schema| schema.alternative().is_none());
        let found = if has_one_layout { self.attribution() } else { None };
        found.unwrap_or_else(|| self.locate().attribution())
    }
}

impl Attribution {
    /// Returns the attribution of an event that a layout fits, given the ids of the writer as the header has them. `None`
    /// if the ids are not at the same offsets of all payloads of the layout.
    #[inline]
    pub(super) fn of_layout(
        self,
        schema: &Schema,
        raw: &RawEvent<'_>,
        payload: &[u8],
        system: &System,
    ) -> Option<Self> {
        match schema.layout(raw.pointer_size()).subject {
            SubjectPlaces::Header => Some(self.with_process(raw, system)),
            SubjectPlaces::Payload { process, thread } => {
                self.at_offsets(schema, (process, thread), raw, payload, system)
            }
            SubjectPlaces::Unknown => None,
        }
    }

    /// Returns the attribution by ids at offsets of the payload; `None` if it is too short: then it has another layout.
    #[inline(never)]
    fn at_offsets(
        self,
        schema: &Schema,
        (process, thread): (Option<u32>, Option<u32>),
        raw: &RawEvent<'_>,
        payload: &[u8],
        system: &System,
    ) -> Option<Self> {
        let id = |start: u32| payload.get(start as usize..)?.first_chunk().copied().map(u32::from_le_bytes);
        // Not options of options: the fuzz target `same`, which nightly 1.97 builds for the address sanitizer, then had parts of
        // addresses as ids where there is no place.
        let process = match process {
            Some(start) => Some(id(start)?),
            None => None,
        };
        let thread = match thread {
            Some(start) => Some(id(start)?),
            None => None,
        };
        let subject = schema.subject();
        let find = |place: Option<u16>| if place == subject.process { process } else { thread };
        Some(self.of_subject(subject, raw, system, find))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::BufferContext;
    use crate::format::Marker;
    use crate::schema::text;

    const NOBODY: Attribution = Attribution { pid: None, tid: None };

    /// Returns the attribution of a payload of four bytes, or fewer, by a schema with these attributes.
    fn found(writer: Attribution, attributes: &str, payload: &[u8]) -> Option<Attribution> {
        let provider = "provider {00000000-0000-0000-0000-000000000001}";
        let entries = text::parse(&format!("{provider}\nevent id 1 {attributes} {{ Id u32 }}")).unwrap();
        let mut bytes = [[0; 80].as_slice(), payload].concat();
        bytes[..4].copy_from_slice(&[80 + payload.len() as u8, 0, 0x13, 0xC0]);
        let raw = RawEvent::new(&bytes, Marker::read(&bytes).unwrap(), BufferContext::default()).unwrap();
        writer.of_layout(&entries[0].schema, &raw, raw.payload(), &System::default())
    }

    #[test]
    fn an_id_without_a_place_is_not_there() {
        let ids = |pid, tid| Some(Attribution { pid, tid });
        let seven = [7, 0, 0, 0];
        assert_eq!(found(NOBODY, "thread-from Id", &seven), ids(None, Some(7)));
        assert_eq!(found(NOBODY, "process-from Id", &seven), ids(Some(7), None));
        let writer = Attribution { pid: Some(4), tid: Some(8) };
        assert_eq!(found(writer, "thread-from Id", &seven), Some(writer));
        assert_eq!(found(writer, "process-from Id thread-none", &seven), ids(Some(7), None));
        assert_eq!(found(writer, "process-from Id", &seven[..3]), None, "another layout");
    }
}
