//! Where the ids of a subject are before any payload is seen.

use super::Subject;

/// Where the ids are of the process and thread that an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SubjectPlaces {
    /// In the header alone.
    Header,
    /// At these offsets of the payload, in bytes.
    Payload { process: Option<u32>, thread: Option<u32> },
    /// At an offset that depends on the payload.
    Unknown,
}

impl SubjectPlaces {
    /// `offset` returns the offset of the field at a place, if that is the same in all payloads and an id fits there.
    pub(super) fn new(subject: Subject, offset: impl Fn(u16) -> Option<u32>) -> Self {
        let of = |place: Option<u16>| place.map(|place| offset(place).ok_or(())).transpose();
        match (of(subject.process), of(subject.thread)) {
            (Ok(None), Ok(None)) => Self::Header,
            (Ok(process), Ok(thread)) => Self::Payload { process, thread },
            _ => Self::Unknown,
        }
    }
}
