//! Whom the events of a type are about.

use crate::bytes::PointerSize;
use crate::decode::{Attribution, PendingEvent, SubjectPlaces};
use crate::schema::Schema;

/// Where the events of a type have the ids of the process and thread that they are about: kept for the type, so that no event
/// looks for the places.
#[derive(Clone, Copy, Debug)]
pub struct SubjectOfType {
    /// For addresses of 4 bytes, and of 8.
    four: Places,
    eight: Places,
}

#[derive(Clone, Copy, Debug)]
enum Places {
    /// In the header.
    Writer,
    /// At constant places of the payload.
    Payload(SubjectPlaces),
    /// At places that depend on the payload.
    Unknown,
}

impl SubjectOfType {
    /// Finds the places in the first layout of a type.
    #[must_use]
    pub fn new(schema: &Schema) -> Self {
        let of = |pointer| match SubjectPlaces::new(schema, pointer) {
            Some(places) if places.has_any() => Places::Payload(places),
            Some(_) => Places::Writer,
            None => Places::Unknown,
        };
        Self { four: of(PointerSize::Four), eight: of(PointerSize::Eight) }
    }

    /// Returns what [`PendingEvent::attribution`] does, given the ids of the writer as the header has them.
    #[inline]
    pub fn attribution(&self, pending: &PendingEvent<'_>, writer: Attribution) -> Option<Attribution> {
        let is_wide = pending.raw().pointer_size() == PointerSize::Eight;
        match if is_wide { &self.eight } else { &self.four } {
            Places::Writer => Some(writer.with_process(pending.raw(), pending.system())),
            Places::Payload(places) => places.attribution(pending, writer),
            Places::Unknown => None,
        }
    }
}
