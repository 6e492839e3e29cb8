//! The process and thread that an event is about, at offsets that are known before its fields are located.

use crate::event::RawEvent;
use crate::schema::{Schema, SubjectPlaces};
use crate::system::System;

use super::{Attribution, PendingEvent};

impl PendingEvent<'_> {
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
        // Options of options would do, but nightly 1.97 takes a place that is not there for an id if it optimises for the
        // address sanitizer.
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
