//! Raw events of a trace into decoded ones.

use std::sync::Arc;

use crate::event::RawEvent;

use super::event::Unlocated;
use super::{Decoder, Event, EventType, Scratch};

impl Decoder {
    /// Finds the type of an event and locates its fields.
    #[inline]
    pub(crate) fn decode<'a>(self: &'a Arc<Self>, raw: RawEvent<'a>, scratch: &'a mut Scratch) -> Event<'a> {
        let event_type = self.types.find(&raw).and_then(|id| self.types.get(id));
        self.decode_as(raw, event_type, scratch)
    }

    /// Locates the fields of an event whose type is known.
    #[inline]
    pub(crate) fn decode_as<'a>(
        self: &'a Arc<Self>,
        raw: RawEvent<'a>,
        event_type: Option<&'a EventType>,
        scratch: &'a mut Scratch,
    ) -> Event<'a> {
        self.decode_payload(&raw, raw.payload(), event_type, scratch)
    }

    /// As [`Decoder::decode_as`], for a payload that was found before.
    #[expect(clippy::inline_always, reason = "measured: stage `decode` of `cargo xtask bench`")]
    #[inline(always)]
    pub(super) fn decode_payload<'a>(
        self: &'a Arc<Self>,
        raw: &RawEvent<'a>,
        payload: &'a [u8],
        row: Option<&'a EventType>,
        scratch: &'a mut Scratch,
    ) -> Event<'a> {
        let time = self.clock(raw.place().file).and_then(|clock| clock.filetime(raw.time()));
        let schema = row.and_then(EventType::schema);
        Unlocated { raw, payload, schema, time, decoder: Some(self), row }.locate(scratch)
    }
}
