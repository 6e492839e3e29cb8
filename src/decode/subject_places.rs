//! The process and thread that an event is about, at offsets that are known before its fields are located.

use crate::event::RawEvent;
use crate::schema::{Schema, SubjectPlaces};
use crate::system::System;

use super::{Attribution, PendingEvent};

/// Returns the id at an offset of a payload.
#[inline]
pub(super) fn id_at(payload: &[u8], start: u32) -> Option<u32> {
    payload.get(start as usize..)?.first_chunk().copied().map(u32::from_le_bytes)
}

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
        let id = |start| id_at(payload, start);
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
    use crate::format::{HeaderType, Marker};
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

    #[test]
    fn a_process_that_the_kernel_does_not_know_is_none() {
        let mut system = System::default();
        let header = HeaderType::System64;
        let bytes = vec![0; header.fixed_len()];
        let raw = RawEvent::new(&bytes, Marker { header, len: bytes.len() }, BufferContext::default()).unwrap();
        system.add_thread_rundown(&raw, 7, u32::MAX);
        system.add_thread_rundown(&raw, 8, 100);
        let process = |tid| Attribution { pid: None, tid: Some(tid) }.with_process(&raw, &system).pid;
        assert_eq!([7, 8].map(process), [None, Some(100)]);
        assert_eq!(
            found(Attribution { pid: None, tid: Some(8) }, "process-from Id", &[0xFF; 4]),
            Some(Attribution { pid: None, tid: Some(8) })
        );
    }
}
