//! What a sink makes once of many events: everything that depends on their key, schema and descriptor alone.

use hashbrown::HashMap;

use crate::bytes::Guid;
use crate::decode::DecodedEvent;
use crate::event::{KeyId, Kind, RawEvent};
use crate::format::event_flags;

/// What was prepared last for each key and schema. It is made anew for an event whose descriptor is another one, so that
/// no event is shown with the numbers of the one before it.
#[derive(Debug)]
pub(super) struct Prepared<T> {
    all: HashMap<(Option<KeyId>, usize), (Descriptor, T)>,
}

/// All that the header says of an event besides who wrote it and when; [`Prepared`] compares it event by event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Descriptor {
    id: u16,
    task: u16,
    version: u8,
    opcode: u8,
    level: u8,
    channel: u8,
    keywords: u64,
    /// The kernel's header, or a class GUID of the same events.
    hook: Option<u16>,
    /// Whether a lone text tells its provider by traits.
    has_traits: bool,
    /// Of an event without a key, which any kind of any provider may lack.
    keyless: Option<(Kind, Guid)>,
}

impl<T> Default for Prepared<T> {
    fn default() -> Self {
        Self { all: HashMap::default() }
    }
}

impl<T> Prepared<T> {
    /// What is prepared for events like this one. `make` gets what there was for one of the same key and schema, of
    /// which it may keep what does not depend on the descriptor.
    #[inline]
    pub(super) fn of(&mut self, event: &DecodedEvent<'_, '_>, make: impl FnOnce(Option<&T>) -> T) -> &T {
        let id = (event.key, event.schema.map_or(0, |schema| std::ptr::from_ref(schema).addr()));
        let descriptor = Descriptor::of(&event.raw, event.key);
        match self.all.entry(id) {
            hashbrown::hash_map::Entry::Vacant(entry) => &entry.insert((descriptor, make(None))).1,
            hashbrown::hash_map::Entry::Occupied(entry) => {
                let (known, prepared) = entry.into_mut();
                if *known != descriptor {
                    *prepared = make(Some(prepared));
                    *known = descriptor;
                }
                prepared
            }
        }
    }
}

impl Descriptor {
    #[inline]
    fn of(raw: &RawEvent<'_>, key: Option<KeyId>) -> Self {
        let is_text = raw.described().is_some_and(|head| head.flags.get() & event_flags::STRING_ONLY != 0);
        Self {
            id: raw.id(),
            task: raw.task(),
            version: raw.version(),
            opcode: raw.opcode(),
            level: raw.level(),
            channel: raw.channel(),
            keywords: raw.keywords(),
            hook: raw.hook(),
            has_traits: is_text && raw.traits().is_some(),
            // A key has one kind and provider.
            keyless: if key.is_none() { Some((raw.kind(), raw.provider())) } else { None },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Scratch;
    use crate::event::Context;
    use crate::format::Marker;

    /// An event header of 64-bit pointers: provider of equal bytes, id, keywords.
    fn header(provider: u8, id: u8, keywords: u8) -> [u8; 80] {
        let mut bytes = [0; 80];
        bytes[..4].copy_from_slice(&[80, 0, 0x13, 0xC0]);
        bytes[24..40].fill(provider);
        (bytes[40], bytes[48]) = (id, keywords);
        bytes
    }

    fn seen(prepared: &mut Prepared<(Guid, u16, u64)>, bytes: &[u8], key: Option<KeyId>) -> (u8, u16, u64) {
        let raw = RawEvent::new(bytes, Marker::read(bytes).unwrap(), Context::default()).unwrap();
        let mut scratch = Scratch::default();
        let mut event = DecodedEvent::locate(raw, None, None, &mut scratch);
        event.key = key;
        let (guid, id, keywords) = *prepared.of(&event, |_| (raw.provider(), raw.id(), raw.keywords()));
        (guid.to_bytes()[0], id, keywords)
    }

    #[test]
    fn events_of_one_key_share_only_what_is_the_same() {
        let mut all = Prepared::default();
        for (id, keywords) in [(5, 1), (5, 1), (6, 1), (5, 2), (7, 2)] {
            let found = seen(&mut all, &header(1, id, keywords), Some(KeyId(0)));
            assert_eq!(found, (1, id.into(), keywords.into()));
        }
        assert_eq!(all.all.len(), 1);
    }

    #[test]
    fn events_beyond_the_keys_of_a_trace_are_told_apart() {
        let mut all = Prepared::default();
        for (provider, id) in [(1, 5), (2, 5), (2, 6), (1, 5)] {
            assert_eq!(seen(&mut all, &header(provider, id, 0), None), (provider, id.into(), 0));
        }
        assert_eq!(all.all.len(), 1);
    }

    #[test]
    fn equal_events_are_prepared_once() {
        let (mut all, mut times) = (Prepared::default(), 0);
        let bytes = header(1, 5, 0);
        let raw = RawEvent::new(&bytes, Marker::read(&bytes).unwrap(), Context::default()).unwrap();
        let mut scratch = Scratch::default();
        let event = DecodedEvent::locate(raw, None, None, &mut scratch);
        for _ in 0..3 {
            all.of(&event, |_| times += 1);
        }
        assert_eq!(times, 1);
    }
}
