//! What an event is called, and the parts of its header that everybody asks for.

use crate::bytes::Guid;
use crate::clock::Clock;
use crate::event::{EventTypeId, Kind, RawEvent};
use crate::schema::Schema;
use crate::time::{FileTime, RawTime};

use super::text_arena::TextArena;
use super::{Decoder, Event, EventType};

impl<'a> Event<'a> {
    /// Returns the time at which it was written, UTC; `None` if the clock of its file is not known.
    ///
    /// Where [`Event::is_local_time`] is true, the time is in the zone of the machine that wrote it instead.
    #[inline]
    pub fn time(&self) -> Option<FileTime> {
        self.time
    }

    /// Returns its time stamp in ticks of its file's clock. An event without one has that of the event before it.
    #[inline]
    pub const fn raw_time(&self) -> RawTime {
        self.raw.time()
    }

    /// Returns header and payload, without a schema.
    #[inline]
    pub const fn raw(&self) -> &RawEvent<'a> {
        &self.raw
    }

    /// Returns the schema that its fields follow: that of its type, or the alternative which fits its payload.
    #[inline]
    pub const fn schema(&self) -> Option<&'a Schema> {
        self.schema
    }

    /// Returns the row of its type; `None` outside of a trace, and for types beyond the limits.
    #[inline]
    pub const fn event_type(&self) -> Option<&'a EventType> {
        self.row
    }

    /// Returns the id of its type.
    #[inline]
    pub const fn type_id(&self) -> Option<EventTypeId> {
        self.key
    }

    /// Returns the clock of its file.
    #[inline]
    pub fn clock(&self) -> Option<&'a Clock> {
        self.decoder.and_then(|decoder| decoder.clock(self.raw.place().file))
    }

    /// Returns the decoder of its trace.
    pub fn decoder(&self) -> Option<&'a Decoder> {
        self.decoder.map(AsRef::as_ref)
    }

    /// Returns the provider's name, or its GUID as text where nothing names it.
    #[inline]
    pub fn provider(&self) -> &'a str {
        match self.row {
            Some(row) => row.provider(),
            None => self.scratch.texts.get_or_insert(TextArena::PROVIDER, || self.raw.provider_guid().to_string()),
        }
    }

    /// Returns the provider's GUID; for classes of the kernel, the kernel's.
    #[inline]
    pub fn provider_guid(&self) -> Guid {
        self.row.map_or_else(|| self.raw.provider_guid(), EventType::provider_guid)
    }

    /// Returns the event's name, `Task/Opcode`; where no schema names it, its numbers, such as `EventID(7)`.
    #[inline]
    pub fn name(&self) -> &'a str {
        match self.schema.and_then(Schema::name) {
            Some(name) => name,
            None => self.scratch.texts.get_or_insert(TextArena::NAME, || numbered(&self.raw)),
        }
    }

    /// Returns the event id; for a WPP message its number; 0 for classic and kernel events.
    pub fn id(&self) -> u16 {
        self.raw.id()
    }

    /// Returns the version of the payload.
    pub fn version(&self) -> u8 {
        self.raw.version()
    }

    /// Returns the opcode; 0 for messages.
    pub fn opcode(&self) -> u8 {
        self.raw.opcode()
    }

    /// Returns the level: 0 (log always, or the header has none), 1 (critical) to 5 (verbose), or one that the provider
    /// defines.
    pub fn level(&self) -> u8 {
        self.raw.level()
    }

    /// Returns the task; 0 unless a descriptor has one.
    pub fn task(&self) -> u16 {
        self.raw.task()
    }

    /// Returns the keyword bits; 0 unless a descriptor has them.
    pub fn keywords(&self) -> u64 {
        self.raw.keywords()
    }

    /// Returns the channel; 0 unless a descriptor has one.
    pub fn channel(&self) -> u8 {
        self.raw.channel()
    }

    /// Returns the processor that wrote it.
    pub const fn processor(&self) -> u16 {
        self.raw.processor()
    }

    /// Returns the activity id; `None` if it is null or the header has none.
    pub fn activity_id(&self) -> Option<Guid> {
        self.raw.activity_id()
    }

    /// Returns the related activity id.
    pub fn related_activity_id(&self) -> Option<Guid> {
        self.raw.related_activity_id()
    }
}

/// Returns the name of an event that no schema names.
fn numbered(raw: &RawEvent<'_>) -> String {
    match (raw.kind(), raw.hook()) {
        (_, Some(hook)) => format!("Hook(0x{hook:04x})"),
        (Kind::Classic, None) => format!("Opcode({})", raw.opcode()),
        (Kind::Wpp, _) => format!("Message({})", raw.id()),
        (Kind::Error, _) => "Error".to_owned(),
        _ => format!("EventID({})", raw.id()),
    }
}
