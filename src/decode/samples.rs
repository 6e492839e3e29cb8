//! The first events of types in compressed buffers.

use crate::event::KeyId;
use crate::limits;

/// Copies of events, so that no buffer is unpacked again for its samples.
#[derive(Debug, Default)]
pub(super) struct Samples {
    /// Sorted by id.
    list: Vec<(KeyId, Box<[u8]>)>,
    bytes: usize,
}

impl Samples {
    /// Keeps the sample of a type, whose id is above all others; not if there are too many bytes.
    pub(super) fn keep(&mut self, id: KeyId, event: &[u8]) {
        let bytes = self.bytes + event.len() + size_of::<(KeyId, Box<[u8]>)>();
        if bytes <= limits::MAX_SAMPLES {
            self.bytes = bytes;
            self.list.push((id, event.into()));
        }
    }

    /// Returns the sample of a type, if it was kept.
    pub(super) fn of(&self, id: KeyId) -> Option<&[u8]> {
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
        samples.keep(KeyId(3), b"three");
        samples.keep(KeyId(5), &vec![0; limits::MAX_SAMPLES]);
        samples.keep(KeyId(7), b"seven");
        let all = [3, 4, 5, 7].map(|id| samples.of(KeyId(id)));
        assert_eq!(all, [Some(&b"three"[..]), None, None, Some(b"seven")]);
    }
}
