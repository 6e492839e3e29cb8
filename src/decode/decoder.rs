//! What turns raw events of a trace into decoded ones.

use std::sync::Arc;

use crate::clock::Clock;
use crate::event::{KeyId, RawEvent};
use crate::system::System;

use super::types::EventTypes;
use super::{Event, EventType, Scratch};

/// All that the first pass found out and an event refers to: event types with their schemas, the traced system, and the
/// clocks of the files. Frozen, and shared by all threads and by events that own their bytes.
#[derive(Debug, Default)]
pub struct Decoder {
    pub(crate) types: EventTypes,
    pub(crate) system: System,
    /// The clock of each file.
    pub(crate) clocks: Box<[Clock]>,
}

impl Decoder {
    /// All event types, in the order in which they were first seen.
    pub fn types(&self) -> &[EventType] {
        self.types.list()
    }

    /// The event type of an id.
    #[inline]
    pub fn event_type(&self, id: KeyId) -> Option<&EventType> {
        self.types.get(id)
    }

    /// The processes, threads, images and files of the traced system.
    pub const fn system(&self) -> &System {
        &self.system
    }

    /// The clock of a file, by its number.
    #[inline]
    pub fn clock(&self, file: u16) -> Option<&Clock> {
        self.clocks.get(usize::from(file))
    }

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
        let schema = event_type.and_then(EventType::schema);
        let time = self.clock(raw.place().file).and_then(|clock| clock.filetime(raw.time()));
        let mut event = Event::locate(raw, schema, time, scratch);
        event.decoder = Some(self);
        event.row = event_type;
        event.key = event_type.map(EventType::id);
        event
    }
}
