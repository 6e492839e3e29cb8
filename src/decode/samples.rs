//! The first events of types in compressed buffers.

use crate::event::EventTypeId;
use crate::limits;

/// Copies of events, so that no buffer is unpacked again for its samples.
#[derive(Debug, Default)]
pub(super) struct Samples {
    /// Sorted by id.
    list: Vec<(EventTypeId, Box<[u8]>)>,
    bytes: usize,
}

impl Samples {
    /// Keeps the sample of a type, whose id is above all others; not if there are too many bytes.
    pub(super) fn keep(&mut self, id: EventTypeId, event: &[u8]) {
        let bytes = self.bytes + event.len() + size_of::<(EventTypeId, Box<[u8]>)>();
        if bytes <= limits::MAX_SAMPLES {
            self.bytes = bytes;
            self.list.push((id, event.into()));
        }
    }

    /// Returns the sample of a type, if it was kept.
    pub(super) fn of(&self, id: EventTypeId) -> Option<&[u8]> {
        let place = self.list.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        self.list.get(place).map(|(_, event)| &**event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_kept_up_to_a_limit() {
        let mut samples = Samples::default();
        samples.keep(EventTypeId(3), b"three");
        samples.keep(EventTypeId(5), &vec![0; limits::MAX_SAMPLES]);
        samples.keep(EventTypeId(7), b"seven");
        let all = [3, 4, 5, 7].map(|id| samples.of(EventTypeId(id)));
        assert_eq!(all, [Some(&b"three"[..]), None, None, Some(b"seven")]);
    }
}
