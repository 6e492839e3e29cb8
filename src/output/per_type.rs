//! Values that an output makes once per event type.

use hashbrown::HashMap;

use crate::bytes::Guid;
use crate::decode::{Event, LayoutId, PendingEvent};
use crate::event::Kind;

use super::header_parts::{Descriptor, HeaderParts, WriterFacts};

/// Keeps what depends on the type of an event alone: its key, schema and descriptor. Names and texts are made once and
/// not for each event.
///
/// One value is kept for each key and schema. An event with another descriptor than the one before it replaces the
/// value, so that no event is shown with the numbers of another one.
#[derive(Debug)]
pub struct PerType<T> {
    /// Of the first layouts of types, by the id of the type.
    first: Vec<Option<Kept<T>>>,
    others: HashMap<LayoutId, Option<Kept<T>>>,
}

/// A value, and the descriptor of the event that it was made for.
type Kept<T> = Box<(Descriptor, Keyless, T)>;

/// Kind and provider of an event without a key: a key has one of each.
type Keyless = Option<(Kind, Guid)>;

impl<T> Default for PerType<T> {
    fn default() -> Self {
        Self { first: Vec::new(), others: HashMap::default() }
    }
}

impl<T> PerType<T> {
    /// Returns the value for events of this type. `make` gets the value of another event of the same key and schema,
    /// and may take over what does not depend on the descriptor.
    #[inline]
    pub fn of(&mut self, event: &Event<'_>, make: impl FnOnce(Option<&T>) -> T) -> &T {
        let id = event.layout();
        let descriptor = Descriptor::of(event.raw());
        let keyless =
            if event.type_id().is_none() { Some((event.raw().kind(), event.raw().provider_guid())) } else { None };
        match self.slot(id) {
            Some(kept) => {
                if kept.0 != descriptor || kept.1 != keyless {
                    **kept = (descriptor, keyless, make(Some(&kept.2)));
                }
                &kept.2
            }
            empty => &empty.insert(Box::new((descriptor, keyless, make(None)))).2,
        }
    }

    /// Returns as [`PerType::of`] does, for an event whose fields have not been located; `None` unless its type has a
    /// schema. `make` gets the event without a readable field.
    #[inline]
    pub fn of_pending(
        &mut self,
        pending: &mut PendingEvent<'_>,
        make: impl FnOnce(&Event<'_>, Option<&T>) -> T,
    ) -> Option<&T> {
        self.with_facts(pending, make).map(|(value, _)| value)
    }

    /// Returns as [`PerType::of_pending`] does, with what the header states beside the type: both are found by one look
    /// at it.
    #[inline]
    pub fn with_facts(
        &mut self,
        pending: &mut PendingEvent<'_>,
        make: impl FnOnce(&Event<'_>, Option<&T>) -> T,
    ) -> Option<(&T, WriterFacts)> {
        let key = pending.schema().and_then(|_| pending.type_id())?;
        let parts = HeaderParts::of(pending.raw());
        let descriptor = parts.descriptor;
        let value = match self.slot(LayoutId { key: Some(key), alternative: 0 }) {
            Some(kept) => {
                if kept.0 != descriptor {
                    **kept = (descriptor, None, make(&pending.without_fields(), Some(&kept.2)));
                }
                &kept.2
            }
            empty => {
                let value = make(&pending.without_fields(), None);
                &empty.insert(Box::new((descriptor, None, value))).2
            }
        };
        Some((value, parts.facts()))
    }

    #[inline]
    fn slot(&mut self, id: LayoutId) -> &mut Option<Kept<T>> {
        let LayoutId { key: Some(key), alternative: 0 } = id else { return self.others.entry(id).or_default() };
        let place = key.0 as usize;
        if self.first.len() <= place {
            self.first.resize_with(place + 1, || None);
        }
        // The place is there now.
        match self.first.get_mut(place) {
            Some(slot) => slot,
            None => self.others.entry(id).or_default(),
        }
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.first.iter().chain(self.others.values()).flatten().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Scratch;
    use crate::event::{BufferContext, EventTypeId, RawEvent};
    use crate::format::Marker;

    /// Returns an event header of 64-bit pointers: provider of equal bytes, id, keywords.
    fn header(provider: u8, id: u8, keywords: u8) -> [u8; 80] {
        let mut bytes = [0; 80];
        bytes[..4].copy_from_slice(&[80, 0, 0x13, 0xC0]);
        bytes[24..40].fill(provider);
        (bytes[40], bytes[48]) = (id, keywords);
        bytes
    }

    fn seen(values: &mut PerType<(Guid, u16, u64)>, bytes: &[u8], key: Option<EventTypeId>) -> (u8, u16, u64) {
        let raw = RawEvent::new(bytes, Marker::read(bytes).unwrap(), BufferContext::default()).unwrap();
        let mut scratch = Scratch::default();
        let mut event = Event::locate(raw, None, None, &mut scratch);
        event.key = key;
        let (guid, id, keywords) = *values.of(&event, |_| (raw.provider_guid(), raw.id(), raw.keywords()));
        (guid.to_bytes()[0], id, keywords)
    }

    #[test]
    fn events_of_one_key_share_only_what_is_the_same() {
        let mut all = PerType::default();
        for (id, keywords) in [(5, 1), (5, 1), (6, 1), (5, 2), (7, 2)] {
            let found = seen(&mut all, &header(1, id, keywords), Some(EventTypeId(0)));
            assert_eq!(found, (1, id.into(), keywords.into()));
        }
        assert_eq!(all.len(), 1);
    }

    #[test]
    fn events_beyond_the_keys_of_a_trace_are_told_apart() {
        let mut all = PerType::default();
        for (provider, id) in [(1, 5), (2, 5), (2, 6), (1, 5)] {
            assert_eq!(seen(&mut all, &header(provider, id, 0), None), (provider, id.into(), 0));
        }
        assert_eq!(all.len(), 1);
    }

    #[test]
    fn equal_events_are_prepared_once() {
        let (mut all, mut times) = (PerType::default(), 0);
        let bytes = header(1, 5, 0);
        let raw = RawEvent::new(&bytes, Marker::read(&bytes).unwrap(), BufferContext::default()).unwrap();
        let mut scratch = Scratch::default();
        let event = Event::locate(raw, None, None, &mut scratch);
        for _ in 0..3 {
            all.of(&event, |_| times += 1);
        }
        assert_eq!(times, 1);
    }
}
