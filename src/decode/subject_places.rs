//! The process and thread that an event is about, before its fields are located.

use crate::schema::SubjectPlaces;

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
        let layout = self.schema().map(|schema| schema.layout(self.raw().pointer_size()));
        match layout.map_or(SubjectPlaces::Header, |layout| layout.subject) {
            SubjectPlaces::Header => Some(writer.with_process(self.raw(), self.system())),
            SubjectPlaces::Payload { process, thread } => self.attribution_at(writer, process, thread),
            SubjectPlaces::Unknown => None,
        }
    }

    /// Returns the attribution by ids at offsets of the payload; `None` if it is too short: then it has another layout.
    #[inline(never)]
    fn attribution_at(&self, writer: Attribution, process: Option<u32>, thread: Option<u32>) -> Option<Attribution> {
        let id = |start: u32| self.payload().get(start as usize..)?.first_chunk().copied().map(u32::from_le_bytes);
        let (process, thread) = (process.map(id), thread.map(id));
        if process == Some(None) || thread == Some(None) {
            return None;
        }
        let subject = self.schema()?.subject();
        let find = |place: Option<u16>| if place == subject.process { process } else { thread }.flatten();
        Some(writer.of_subject(subject, self.raw(), self.system(), find))
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
