//! Where the ids of a subject are before any payload is seen.

use super::{Span, Subject};

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
    /// Finds them among the first fields of a schema, whose places are given.
    pub(super) fn new(subject: Subject, spans: &[Span]) -> Self {
        let start = |place: Option<u16>| match place {
            Some(place) => {
                let span = spans.get(usize::from(place))?;
                (span.end - span.start >= 4).then_some(Some(span.start))
            }
            None => Some(None),
        };
        match (start(subject.process), start(subject.thread)) {
            (Some(None), Some(None)) => Self::Header,
            (Some(process), Some(thread)) => Self::Payload { process, thread },
            _ => Self::Unknown,
        }
    }
}
