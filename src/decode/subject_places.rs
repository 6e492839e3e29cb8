//! The process and thread that an event is about, before its fields are located.

use crate::bytes::PointerSize;
use crate::schema::{Schema, Subject};

use super::{Attribution, PendingEvent};

/// Where the ids are of the process and thread that an event is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SubjectPlaces {
    subject: Subject,
    process: Option<usize>,
    thread: Option<usize>,
}

impl SubjectPlaces {
    /// `None` if an id is not at a constant place.
    pub(crate) fn new(schema: &Schema, pointer: PointerSize) -> Option<Self> {
        let subject = schema.subject();
        let prefix = schema.fixed_prefix(pointer);
        let start = |place: Option<u16>| match place {
            Some(place) => {
                let span = prefix.get(usize::from(place))?;
                (span.end - span.start >= 4).then_some(Some(span.start as usize))
            }
            None => Some(None),
        };
        Some(Self { subject, process: start(subject.process)?, thread: start(subject.thread)? })
    }

    #[cfg(feature = "output")]
    pub(crate) fn has_any(&self) -> bool {
        self.process.is_some() || self.thread.is_some()
    }

    /// Returns the process and thread that an event is about; `None` if the payload is too short.
    #[inline]
    pub(crate) fn attribution(&self, pending: &PendingEvent<'_>, writer: Attribution) -> Option<Attribution> {
        let Self { subject, process, thread } = *self;
        let payload = pending.payload();
        let id = |start: Option<usize>| match start {
            Some(start) => Some(Some(u32::from_le_bytes(*payload.get(start..)?.first_chunk()?))),
            None => Some(None),
        };
        let (process, thread) = (id(process)?, id(thread)?);
        let find = |place: Option<u16>| if place == subject.process { process } else { thread };
        Some(writer.of_subject(subject, pending.raw(), pending.system(), find))
    }
}

impl PendingEvent<'_> {
    /// Returns what [`Event::attribution`](super::Event::attribution) does for an event that the first layout of its type
    /// fits exactly. `None` if the fields must be located for it.
    #[inline]
    pub fn attribution(&self) -> Option<Attribution> {
        let writer = Attribution::of_header(self.raw());
        let places = match self.schema() {
            Some(schema) if schema.subject() != Subject::default() => {
                SubjectPlaces::new(schema, self.raw().pointer_size())?
            }
            _ => return Some(writer.with_process(self.raw(), self.system())),
        };
        places.attribution(self, writer)
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
