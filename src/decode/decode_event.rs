//! Raw events of a trace into decoded ones.

use std::sync::Arc;

use crate::event::RawEvent;

use super::{Decoder, Event, EventType, Scratch};

impl Decoder {
    /// Finds the type of an event and locates its fields.
    #[inline]
    pub(crate) fn decode<'a>(self: &'a Arc<Self>, raw: RawEvent<'a>, scratch: &'a mut Scratch) -> Event<'a> {
        let event_type = self.types.find(&raw).and_then(|id| self.types.get(id));
        self.decode_as(raw, event_type, scratch)
    }

    /// Locates the fields of an event whose type is known.
    #[expect(
        clippy::inline_always,
        reason = "measured: stage `decode` of `cargo xtask bench`; an event is large to copy"
    )]
    #[inline(always)]
    pub(crate) fn decode_as<'a>(
        self: &'a Arc<Self>,
        raw: RawEvent<'a>,
        event_type: Option<&'a EventType>,
        scratch: &'a mut Scratch,
    ) -> Event<'a> {
        let schema = event_type.and_then(EventType::schema);
        let time = self.clock(raw.place().file).and_then(|clock| clock.filetime(raw.time()));
        let mut event = Event::locate(raw, schema, time, scratch);
        event.decoder = Some(self);
        event.row = event_type;
        event.key = event_type.map(EventType::id);
        event
    }
}
