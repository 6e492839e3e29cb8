//! An event of a run before its fields are located.

use std::sync::Arc;

use crate::clock::Clock;
#[cfg(feature = "output")]
use crate::event::EventTypeId;
use crate::event::RawEvent;
use crate::schema::Schema;
use crate::system::System;
use crate::time::FileTime;

use super::locate::Located;
use super::{Decoder, Event, EventType, Scratch};

/// An event whose type is known and whose fields have not been located. Outputs that compile the schema of a type read
/// the payload themselves; all others call [`PendingEvent::locate`].
#[derive(Debug)]
pub struct PendingEvent<'a> {
    raw: RawEvent<'a>,
    payload: &'a [u8],
    row: Option<&'a EventType>,
    decoder: &'a Arc<Decoder>,
    scratch: &'a mut Scratch,
}

impl<'a> PendingEvent<'a> {
    /// An event of which nothing but the header is known: [`PendingEvent::begin`] does the rest.
    // An event that was just written in parts is not copied as a whole, because the processor would wait until all that
    // was written before, which is mostly text, is in its cache.
    #[expect(clippy::inline_always, reason = "measured: `dump --format xml` with two threads")]
    #[inline(always)]
    pub(crate) const fn new(raw: RawEvent<'a>, decoder: &'a Arc<Decoder>, scratch: &'a mut Scratch) -> Self {
        Self { raw, payload: &[], row: None, decoder, scratch }
    }

    /// Finds the event's payload, and its type by a function.
    #[inline]
    pub(crate) fn begin(&mut self, type_of: impl FnOnce(&RawEvent<'a>) -> Option<&'a EventType>) {
        self.row = type_of(&self.raw);
        self.payload = self.raw.payload();
    }

    /// Locates the fields.
    #[inline]
    pub fn locate(&mut self) -> Event<'_> {
        self.decoder.decode_payload(&self.raw, self.payload, self.row, self.scratch)
    }

    /// Returns the event whose fields were located with its first layout.
    pub(super) fn restored(&self, located: Located) -> Event<'_> {
        Event::restored(self.raw, self.schema(), located, self.scratch, self.decoder, self.row)
    }

    /// Returns the places of its fields, if they have been located.
    #[inline]
    pub(super) const fn scratch(&self) -> &Scratch {
        self.scratch
    }

    #[inline]
    pub(super) const fn scratch_mut(&mut self) -> &mut Scratch {
        self.scratch
    }

    /// Returns the event with the first layout of its type and without a readable field: for what depends on its type
    /// and header alone.
    #[cfg(feature = "output")]
    pub(crate) fn without_fields(&mut self) -> Event<'_> {
        let (schema, key) = (self.schema(), self.type_id());
        let mut event = Event::without_fields(self.raw, schema, self.scratch);
        (event.decoder, event.row, event.key) = (Some(self.decoder), self.row, key);
        event
    }

    /// Returns the id of its type.
    #[inline]
    #[cfg(feature = "output")]
    pub(crate) fn type_id(&self) -> Option<EventTypeId> {
        self.row.map(EventType::id)
    }

    /// Returns header and payload without schema.
    #[inline]
    pub const fn raw(&self) -> &RawEvent<'a> {
        &self.raw
    }

    /// Returns what follows the header, as [`RawEvent::payload`] does.
    #[inline]
    pub const fn payload(&self) -> &'a [u8] {
        self.payload
    }

    /// Returns the row of its type; `None` for types beyond the limits.
    #[inline]
    pub const fn event_type(&self) -> Option<&'a EventType> {
        self.row
    }

    /// Returns the first layout of its type. Another one applies if the payload does not fit it exactly.
    #[inline]
    pub fn schema(&self) -> Option<&'a Schema> {
        self.row.and_then(EventType::schema)
    }

    /// Returns whether the schema of its type states what payloads hold.
    #[inline]
    pub fn has_layout(&self) -> bool {
        self.schema().is_some_and(Schema::has_layout)
    }

    /// Returns the clock of its file.
    #[inline]
    pub fn clock(&self) -> Option<&'a Clock> {
        self.decoder.clock(self.raw.place().file)
    }

    /// Returns the name of the file that it is from.
    #[inline]
    pub fn file(&self) -> Option<&'a str> {
        self.decoder.files().get(self.raw.place().file.index()).map(|name| &**name)
    }

    /// Returns when it was written, as [`Event::time`] does.
    #[inline]
    pub fn time(&self) -> Option<FileTime> {
        self.clock().and_then(|clock| clock.filetime(self.raw.time()))
    }

    /// Returns the traced system: that of the machine and boot that the event is of.
    #[inline]
    pub fn system(&self) -> &'a System {
        self.decoder.systems().of(&self.raw)
    }
}
